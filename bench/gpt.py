"""CPU time of a tiny GPT's whole trace: two blocks of four heads over eight tokens, in process.

    python -m bench.gpt [d_model ...]        16, 24 and 32 by default

Once from a seed, and once with the seed's matrices posted. The figure is the median of the rounds.
"""

import statistics
import sys
from typing import Any

import orjson

from bench.calls import ENVIRONMENT, caller, process_time
from service.app import create_app

PATH = "/v1/block"
ROUNDS, CALLS = 15, 20


def seeded(d_model: int) -> dict[str, Any]:
    """The request that leaves all numbers to the seed."""
    sizes = {"n_layers": 2, "n_heads": 4, "d_model": d_model, "vocab_size": 32, "n_tokens": 8}
    return {"seed": 1, **sizes}


def milliseconds(body: bytes) -> tuple[float, int]:
    """The CPU time of a request, and the bytes of its reply."""
    call = caller(create_app(ENVIRONMENT), PATH, body)
    size = len(call())
    process_time(call, CALLS)
    times = [process_time(call, CALLS) for _ in range(ROUNDS)]
    return statistics.median(times) / 1e3, size


def main() -> None:
    row = "{:>8} {:>10} {:>8} {:>10}"
    print(row.format("d_model", "", "ms", "reply kB"))
    for d_model in [int(arg) for arg in sys.argv[1:]] or [16, 24, 32]:
        body = seeded(d_model)
        drawn = orjson.loads(caller(create_app(ENVIRONMENT), PATH, orjson.dumps(body))())["drawn"]
        for name, one in (("seed", body), ("posted", {"n_heads": body["n_heads"], **drawn})):
            ms, size = milliseconds(orjson.dumps(one))
            print(row.format(d_model, name, f"{ms:.2f}", f"{size / 1e3:.0f}"))


if __name__ == "__main__":
    main()
