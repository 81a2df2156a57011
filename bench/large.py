"""Large traces: where the time goes, the memory over idle and the time to the first byte.

    python -m bench.large [n ...]        n = 64, 256, 512, 1024 and 2048 by default

X is n × 64, one causal head with d_k = d_v = 64 and W_O, the whole trace. The peer is
`orjson.dumps` of the same arrays, already computed, in one call. Both are timed in turn in one
process. Memory and first byte are those of a real gunicorn worker with one thread of BLAS.
"""

import http.client
import statistics
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from bench.calls import ENVIRONMENT, caller, process_time
from bench.server import Server
from service.api.view import take_view
from service.api.writer import stream, write
from service.app import create_app
from service.engine.blocks import whole
from service.engine.mask import Mask
from service.engine.one_head import attention
from service.schemas.attention import AttentionRequest

D = 64
PATH = "/v1/attention"
SCHEMA = AttentionRequest()


def request(n: int) -> bytes:
    """A body of seeded numbers with six digits, as a front end would send them."""
    rng = np.random.default_rng(n)
    names = {"X": (n, D), "W_Q": (D, D), "W_K": (D, D), "W_V": (D, D), "W_O": (D, D)}
    matrices = {name: np.round(rng.normal(size=shape), 6) / 4 for name, shape in names.items()}
    body = {name: np.round(matrix, 6).tolist() for name, matrix in matrices.items()}
    return orjson.dumps({**body, "mask": {"causal": True}})


def seconds(call: Any) -> tuple[float, Any]:
    start = time.process_time()
    result = call()
    return time.process_time() - start, result


def stages(body: bytes) -> dict[str, float]:
    """CPU milliseconds of parsing, validating, computing and, with that, serialising."""
    parse, data = seconds(lambda: orjson.loads(body))
    validate, arguments = seconds(lambda: SCHEMA.load(data))
    view = take_view(arguments)
    arguments["mask"] = Mask(**arguments["mask"])
    prepare, trace = seconds(lambda: attention(**arguments))
    compute, _ = seconds(lambda: [sum(1 for _ in blocks_of(step.value)) for step in trace.steps])
    trace = attention(**arguments)
    write_all, _ = seconds(lambda: sum(map(len, stream(write(trace, view)))))
    return {
        "parse": parse * 1e3,
        "validate": validate * 1e3,
        "compute": (prepare + compute) * 1e3,
        "serialise": max(0.0, write_all - compute) * 1e3,
    }


def blocks_of(value: Any) -> Any:
    return [value] if isinstance(value, np.ndarray) else iter(value)


def drain(reply: Any) -> int:
    """Read a reply chunk by chunk, as a server does, and keep nothing but its length."""
    return sum(map(len, reply))


def peer(body: bytes) -> tuple[list[Any], Any]:
    """The arrays of the trace, and orjson on them."""
    arguments = SCHEMA.load(orjson.loads(body))
    take_view(arguments)
    arguments["mask"] = Mask(**arguments["mask"])
    trace = attention(**arguments)
    arrays = [np.ascontiguousarray(whole(step.value)) for step in (*trace.inputs, *trace.steps)]
    arrays += [np.ascontiguousarray(whole(s.hidden)) for s in trace.steps if s.hidden is not None]
    return arrays, lambda: orjson.dumps(arrays, option=orjson.OPT_SERIALIZE_NUMPY)


def resident(pid: int) -> int:
    """KiB of the gunicorn worker's own memory: its peak, and after reset."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


def over_http(body: bytes) -> tuple[float, float, float]:
    """Milliseconds to the first byte and to the last, and the peak MiB over idle."""
    with Server("service.app:create_app()") as server:
        small = b'{"Q":[[1]],"K":[[1]],"V":[[1]]}'
        server.microseconds(PATH, small, 20)
        main = server.process.pid
        worker = int(Path(f"/proc/{main}/task/{main}/children").read_text().split()[0])
        idle, peak, done = resident(worker), [0], threading.Event()

        def watch() -> None:
            while not done.is_set():
                peak[0] = max(peak[0], resident(worker))
                time.sleep(0.002)

        watcher = threading.Thread(target=watch)
        watcher.start()
        connection = http.client.HTTPConnection("127.0.0.1", server.port)
        start = time.perf_counter()
        connection.request("POST", PATH, body, {"Content-Type": "application/json"})
        reply = connection.getresponse()
        reply.read(1)
        first = time.perf_counter() - start
        while reply.read(1 << 20):
            pass
        total = time.perf_counter() - start
        done.set()
        watcher.join()
        connection.close()
    return first * 1e3, total * 1e3, (peak[0] - idle) / 1024


def measure(n: int) -> None:
    body = request(n)
    ours, rounds = caller(create_app(ENVIRONMENT), PATH, body, drain), 5 if n >= 1024 else 15
    _, dumps = peer(body)
    size = ours()
    pairs = [(process_time(ours, 1) / 1e3, process_time(dumps, 1) / 1e3) for _ in range(rounds)]
    mine, theirs = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratio = statistics.median(a / b for a, b in pairs)
    runs = [stages(body) for _ in range(rounds)]
    split = {name: statistics.median(run[name] for run in runs) for name in runs[0]}
    first, total, memory = over_http(body)
    print(
        f"{n:5} {size / 1e6:7.1f} {mine:9.1f} {theirs:9.1f} {ratio:6.2f}"
        f" {split['parse']:7.1f} {split['validate']:8.1f} {split['compute']:8.1f}"
        f" {split['serialise']:9.1f} {memory:8.1f} {first:8.1f} {total:8.1f} {first / total:6.3f}",
        flush=True,
    )


def main() -> None:
    sizes = [int(arg) for arg in sys.argv[1:]] or [64, 256, 512, 1024, 2048]
    print(
        "    n      MB   CPU ms  dumps ms  ratio   parse validate  compute serialise"
        "  MiB>idle first ms total ms  first/total"
    )
    for n in sizes:
        measure(n)


if __name__ == "__main__":
    main()
