"""How the service is run, by `python -m service` or `gunicorn` in this directory."""

import os
import resource

from gunicorn import util

from service.server.problem import write_error
from service.settings import SettingError, whole_number

util.write_error = write_error

wsgi_app = "service.app:create_app()"
bind = f"{os.environ.get('HOST', '127.0.0.1')}:{os.environ.get('PORT', '8000')}"
preload_app = True

# Processes are for computing, one CPU each; threads are for waiting for clients, and a slow client
# holds one for as long as patience.py allows. They are started as they are needed.
cpus = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
try:
    workers = whole_number(os.environ, "WEB_CONCURRENCY", min(max(cpus, 2), 4))
    threads = whole_number(os.environ, "THREADS", 384)
except SettingError as error:
    raise SystemExit(str(error)) from None  # gunicorn puts a traceback before any other
worker_class = "service.server.worker.Worker"

# Each connection is a file, and each that waits for its first byte is two. Accepting with none
# left would end the worker, so half of them are for what comes on top.
_, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
files = min(hard, 8192)
resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
worker_connections = files // 2

keepalive = 15
graceful_timeout = 8  # `docker stop` waits for ten
worker_tmp_dir = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
control_socket_disable = True
forwarder_headers = ""  # nobody sets SCRIPT_NAME for us; the default is a 500 on request
