"""Benchmarks. The service is imported first: it sets one BLAS thread before numpy loads."""

import os

from cryptography.fernet import Fernet

import service  # noqa: F401

# Without a key the quiz would refuse to make tokens, and every application would say so.
os.environ.setdefault("QUIZ_SECRETS", Fernet.generate_key().decode())
