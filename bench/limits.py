"""Requests at the limits: what each kind costs at the largest size that is answered.

    python -m bench.limits [word ...]        only the kinds whose names hold a word

The kinds are those of tests/api/kinds. Each is measured in a process of its own, from the body's
first byte to the reply's last: CPU seconds until the first chunk of the reply and until the last,
the size of the reply, and at its peak the memory beyond that of the idle process. Beside them CPU
seconds and memory of the refusal of the next larger size. Sorted by CPU seconds.
"""

import os
import pickle
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from werkzeug.test import EnvironBuilder

from service.app import create_app

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "api"))

MIB = 1024 * 1024


class Cost(NamedTuple):
    """CPU seconds to the first chunk and to the last, MiB of reply and of memory over idle."""

    status: int
    first: float
    last: float
    reply: float
    memory: float


def memory(name: str) -> float:
    """MiB of this process: VmRSS now, or VmHWM at its peak."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition(f"{name}:")[2].split()[0]) / 1024


def apart(call: Callable[[], Any]) -> Any:
    """What a call returns, made in a child process that ends with it."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        with os.fdopen(writer, "wb") as out:
            pickle.dump(call(), out)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as found:
        result = pickle.load(found)
    os.waitpid(child, 0)
    return result


def cost(app: Any, path: str, body: bytes) -> Cost:
    """One request, its reply read chunk by chunk as a server does."""
    said: list[str] = []
    environ = EnvironBuilder(
        path=path, method="POST", data=body, content_type="application/json"
    ).get_environ()
    Path("/proc/self/clear_refs").write_text("5")  # the peak is that of now
    idle, start, first, size = memory("VmRSS"), time.process_time(), 0.0, 0
    reply = app(environ, lambda status, headers, exc_info=None: said.append(status))
    for chunk in reply:
        first = first or time.process_time() - start
        size += len(chunk)
    last = time.process_time() - start
    return Cost(int(said[0][:3]), first, last, size / MIB, memory("VmHWM") - idle)


def main() -> None:
    from kinds import KINDS

    app, words = create_app({"REPLY_CACHE_BYTES": "0"}), sys.argv[1:]
    names = [name for name in KINDS if not words or any(word in name for word in words)]
    rows = []
    for name in names:
        path, bodies = KINDS[name].path, (KINDS[name].at, KINDS[name].above)
        # Bodies are made elsewhere: what making them leaves behind would be memory to use again.
        at, above = (apart(partial(cost, app, path, apart(body))) for body in bodies)
        rows.append((name, at, above))
        print(f"  {len(rows)} of {len(names)}", end="\r", file=sys.stderr, flush=True)
    print(f"{'':50} at the limit {'':20} one more")
    print(f"{'kind':48}     first s last s reply MiB  MiB    status  s    MiB")
    for name, at, above in sorted(rows, key=lambda row: -row[1].last):
        print(
            f"{name:48.48} {at.status} {at.first:6.2f} {at.last:6.2f} {at.reply:7.1f}"
            f" {at.memory:6.0f}   {above.status} {above.last:6.3f} {above.memory:6.1f}"
        )


if __name__ == "__main__":
    main()
