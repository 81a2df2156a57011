"""The engine's full trace beside its own two matrix products, and beside PyTorch's full trace.

    python -m bench.engine [n ...]       n = 512 and 2,048 by default, d_k = 64, float64

A full trace is scores, scaled, masked, weights and head. `trace` computes each block of rows of all
of them together, and each once. `as sent` computes a step after the other, as a reply holds them:
the blocks of a step are held until those of the next one are made from them. The floor is Q Kᵀ and
A V alone. PyTorch is measured where it is installed, in float64 on one thread, as its users write
it (torch.where in place of masked_fill would save a tenth); it holds all of the steps.

Whatever is freed is kept for the next round, by each of them: PyTorch's matrices at n = 2,048 are
larger than the service lets malloc keep, and clearing new pages for them would be half its time.
"""

import contextlib
import ctypes
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np

from service.engine.blocks import Blocked
from service.engine.mask import Mask
from service.engine.one_head import attention

D = 64


def cpu(call: Callable[[], Any], rounds: int) -> list[float]:
    """Milliseconds of CPU, one figure a round."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        call()
        times.append((time.process_time() - start) * 1e3)
    return times


def steps(Q: Any, K: Any, V: Any) -> list[Blocked]:
    """What is computed of a causal head, a block of rows at a time."""
    values = [step.value for step in attention(Q=Q, K=K, V=V, mask=Mask(causal=True)).steps]
    return [value for value in values if isinstance(value, Blocked)]


def full_trace(Q: Any, K: Any, V: Any) -> None:
    """Every block of every step, block by block; whoever has read one lets it go."""
    values = steps(Q, K, V)
    for i in range(-(-len(Q) // values[0].rows)):
        for value in values:
            value.block(i)


def as_sent(Q: Any, K: Any, V: Any) -> None:
    """Every block of every step, step by step."""
    for value in steps(Q, K, V):
        for _ in value:
            pass


def keep_all_memory() -> None:
    """Let malloc take all memory from the heap, and keep up to a gigabyte that is freed."""
    mmap_max, trim_threshold = -4, -1
    with contextlib.suppress(AttributeError, OSError, TypeError):  # no glibc
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(mmap_max, 0)
        mallopt(trim_threshold, 1 << 30)


def ratio(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """The median over the rounds."""
    return statistics.median(a / b for a, b in zip(ours, theirs, strict=True))


def torch_trace(Q: Any, K: Any, V: Any) -> Callable[[], Any]:
    """The same steps in PyTorch, each kept."""
    import torch

    torch.set_num_threads(1)
    q, k, v = (torch.from_numpy(x) for x in (Q, K, V))
    hidden = torch.ones(len(Q), len(K), dtype=torch.bool).triu(1)

    def trace() -> Any:
        scores = q @ k.T
        scaled = scores / D**0.5
        masked = scaled.masked_fill(hidden, float("-inf"))
        weights = torch.softmax(masked, -1)
        return scores, scaled, masked, weights, weights @ v

    return trace


def main() -> None:
    keep_all_memory()
    sizes = [int(arg) for arg in sys.argv[1:]] or [512, 2048]
    has_torch = find_spec("torch") is not None
    print("    n  trace ms  two products ms  ratio  as sent ms  ratio  torch ms  ours / torch")
    for n in sizes:
        rng = np.random.default_rng(n)
        Q, K, V = (rng.normal(size=(n, D)) for _ in range(3))
        A = rng.random((n, n))
        rounds = 100 if n <= 512 else 9
        calls: list[Callable[[], Any]] = [
            lambda Q=Q, K=K, V=V: full_trace(Q, K, V),
            lambda Q=Q, K=K, V=V, A=A: (Q @ K.T, A @ V),
            lambda Q=Q, K=K, V=V: as_sent(Q, K, V),
        ]
        if has_torch:
            calls.append(torch_trace(Q, K, V))
        for call in calls:
            call()
        columns = list(
            zip(*[[cpu(call, 1)[0] for call in calls] for _ in range(rounds)], strict=True)
        )
        ours, floor, sent = (statistics.median(column) for column in columns[:3])
        row = f"{n:5} {ours:9.2f} {floor:16.2f} {ratio(columns[0], columns[1]):6.2f}"
        row += f" {sent:11.2f} {ratio(columns[2], columns[1]):6.2f}"
        if has_torch:
            theirs = statistics.median(columns[3])
            row += f" {theirs:9.2f} {ratio(columns[0], columns[3]):13.2f}"
        print(row, flush=True)


if __name__ == "__main__":
    main()
