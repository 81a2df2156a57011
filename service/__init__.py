"""Attention, step by step, over REST/JSON.

One BLAS thread a worker, set before numpy loads: a pool of spinning threads for each worker costs
5 to 13 times the throughput under load and gains nothing for a lone request. Scale by workers.
"""

import os

for _pool in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_pool] = "1"
