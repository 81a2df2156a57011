"""CPU time of small requests, beside a Flask endpoint that returns constant bytes.

    python -m bench.small            in process, every demo of the lecture, and models of one's own
    python -m bench.small --http     through gunicorn as well, the calculator

Both are called in turn, in one run, with the same environ and the same size of reply; the figure
is the median over the rounds of the ratio of process time. No reply is kept, so that each is
computed; what one costs that is asked for again, as the demos of a class are, stands at the end.
"""

import http.client
import io
import os
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import orjson
from cryptography.fernet import Fernet
from werkzeug.test import EnvironBuilder

from bench.constant import create_app as create_constant
from service.app import create_app
from service.schemas.example import Demo
from service.schemas.lecture.demos import DEMOS

# Presets are written once; a model that is none has to be counted.
OWN_MODELS = (
    Demo(
        "own-model",
        "A decoder, by its sizes alone",
        "/v1/params",
        {"d_model": 768, "n_layers": 12, "n_heads": 12, "vocab_size": 50257, "context": 1024},
    ),
    Demo(
        "own-model-in-full",
        "An encoder and a decoder with all that a model may have",
        "/v1/params",
        {
            "architecture": "encoder_decoder", "d_model": 512, "n_layers": 6,
            "n_encoder_layers": 5, "n_decoder_layers": 7, "n_heads": 8, "n_kv_heads": 4,
            "d_head": 48, "d_v": 32, "d_ff": 2000, "vocab_size": 1000, "context": 100,
            "tied": False, "biases": True, "attention_biases": True, "mlp_biases": True,
            "norm": "layer", "norm_beta": True, "final_norm": True, "positions": "learned",
            "mlp": "gated", "bytes_per_value": 4,
        },
    ),
)  # fmt: skip

ROOT = Path(__file__).parents[1]
# Without a key the quiz would refuse to make tokens, and every application would say so.
KEEPING = {"QUIZ_SECRETS": Fernet.generate_key().decode(), **os.environ}
ENVIRONMENT = KEEPING | {"REPLY_CACHE_BYTES": "0"}
ROUNDS, CALLS = 15, 400
HTTP_ROUNDS, HTTP_CALLS = 7, 1500


def caller(
    app: Any,
    path: str,
    body: bytes,
    read: Callable[[Iterable[bytes]], Any] = b"".join,
    content_type: str = "application/json",
) -> Callable[[], Any]:
    """A function that sends one request through the WSGI interface and reads its reply.

    It stops at a reply that is no 200: what an error costs is no figure of ours.
    """
    environ = EnvironBuilder(
        path=path, method="POST", data=body, content_type=content_type
    ).get_environ()

    def started(status: str, headers: Any, exc_info: Any = None) -> None:
        assert status.startswith("200"), f"{path} replies {status}"

    def call() -> Any:
        one = dict(environ)
        one["wsgi.input"] = io.BytesIO(body)
        reply = app(one, started)
        try:
            return read(reply)
        finally:
            if hasattr(reply, "close"):
                reply.close()

    return call


def process_time(call: Callable[[], Any], calls: int) -> float:
    """Microseconds of CPU a call."""
    start = time.process_time()
    for _ in range(calls):
        call()
    return (time.process_time() - start) / calls * 1e6


def in_process(demo: Demo) -> tuple[float, float, float, float]:
    """Ours, the constant reply, the median ratio, and that of a reply asked for again."""
    body = orjson.dumps(demo.body)
    ours = caller(create_app(ENVIRONMENT), demo.path, body)
    size = len(ours())
    constant = caller(create_constant(size), demo.path, body)
    again = caller(create_app(KEEPING), demo.path, body)
    rounds = [
        [process_time(call, CALLS) for call in (ours, constant, again)] for _ in range(ROUNDS)
    ]
    mine, theirs, _ = (statistics.median(column) for column in zip(*rounds, strict=True))
    return (
        mine,
        theirs,
        statistics.median(a / b for a, b, _ in rounds),
        statistics.median(c / b for _, b, c in rounds),
    )


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


def through_gunicorn(demo: Demo) -> tuple[float, float, float]:
    """Ours, the constant reply, and the median ratio, of the CPU time of the server's processes."""
    body = orjson.dumps(demo.body)
    size = len(caller(create_app(ENVIRONMENT), demo.path, body)())
    with (
        Server("service.app:create_app()") as ours,
        Server("bench.constant:create_app()", BENCH_BYTES=str(size)) as constant,
    ):
        for server in (ours, constant):
            server.microseconds(demo.path, body, 300)
        pairs = [
            (
                ours.microseconds(demo.path, body, HTTP_CALLS),
                constant.microseconds(demo.path, body, HTTP_CALLS),
            )
            for _ in range(HTTP_ROUNDS)
        ]
    mine, theirs = (statistics.median(column) for column in zip(*pairs, strict=True))
    return mine, theirs, statistics.median(a / b for a, b in pairs)


def main() -> None:
    row = "{:24} {:>9} {:>9} {:>7} {:>7}"
    print(row.format("in process", "ours µs", "const µs", "ratio", "again"))
    for demo in (*DEMOS, *OWN_MODELS):
        if "draws" in demo.body:
            continue  # millions of random numbers are no small request
        ours, constant, *ratios = in_process(demo)
        figures = (f"{ours:.0f}", f"{constant:.0f}", *(f"{ratio:.2f}" for ratio in ratios))
        print(row.format(demo.id, *figures), flush=True)
    if "--http" in sys.argv:
        print(row.format("through gunicorn", "ours µs", "const µs", "ratio", ""))
        ours, constant, ratio = through_gunicorn(DEMOS[0])
        print(row.format(DEMOS[0].id, f"{ours:.0f}", f"{constant:.0f}", f"{ratio:.2f}", ""))


if __name__ == "__main__":
    main()
