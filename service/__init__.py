"""Attention, step by step, over REST/JSON.

What the process needs to know before numpy loads is set here, however the service is started.
"""

import ctypes
import os

# One BLAS thread a worker: a pool of spinning threads for each costs 5 to 13 times the throughput
# under load and gains nothing for a lone request. Scale by workers.
for _pool in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_pool] = "1"


def _keep_freed_memory(size: int = 64 * 1024 * 1024) -> None:
    """Let malloc keep what it frees, up to `size` bytes, for the next request.

    By default glibc hands each large array back to the kernel, which then clears every page again
    for the next one: a sixth of the time of a trace over 512 tokens. Elsewhere nothing happens.
    """
    trim_threshold, mmap_threshold = -1, -3
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):
        return
    mallopt(trim_threshold, size)
    mallopt(mmap_threshold, size // 2)


_keep_freed_memory()
