"""Benchmarks. The service is imported first: it sets one BLAS thread before numpy loads."""

import service  # noqa: F401
