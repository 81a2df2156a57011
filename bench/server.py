"""A real gunicorn for benches, and the CPU time that it spends."""

import http.client
import os
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from bench.calls import ENVIRONMENT

ROOT = Path(__file__).parents[1]


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


def cpu_of(pid: int) -> float:
    """CPU seconds of a process and its children."""
    pids = [pid]
    for task in Path(f"/proc/{pid}/task").iterdir():
        pids += [int(child) for child in (task / "children").read_text().split()]
    ticks = 0
    for one in pids:
        fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


class Server:
    """A gunicorn with the project's own configuration, ended on leaving."""

    def __init__(self, target: str, **environment: str) -> None:
        self.port = free_port()
        command = [sys.executable, "-m", "gunicorn", "-c", "gunicorn.conf.py", target]
        env = ENVIRONMENT | {"PORT": str(self.port), "HOST": "127.0.0.1", "WEB_CONCURRENCY": "1"}
        self.process = subprocess.Popen(
            command, cwd=ROOT, env=env | environment, stderr=subprocess.DEVNULL
        )

    def __enter__(self) -> "Server":
        for _ in range(100):
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return self
            except OSError:
                time.sleep(0.1)
        raise RuntimeError("gunicorn did not start")

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait(20)

    def microseconds(self, path: str, body: bytes, calls: int) -> float:
        """CPU microseconds a request, over one keep-alive connection."""
        return self.cpu(path, [body] * calls, "application/json") / calls

    def cpu(self, path: str, bodies: Sequence[bytes], content_type: str) -> float:
        """CPU microseconds of all requests, over one keep-alive connection."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        before = cpu_of(self.process.pid)
        for body in bodies:
            connection.request("POST", path, body, {"Content-Type": content_type})
            reply = connection.getresponse()
            reply.read()
            assert reply.status == 200
        connection.close()
        return (cpu_of(self.process.pid) - before) * 1e6
