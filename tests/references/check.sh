#!/usr/bin/env bash
# Recomputes the committed answers of other implementations, each in an environment of its own.
#
# PyTorch's are in pytorch_blocks.json; the tests compare the service with them.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"${PYTHON:-python3}" -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check torch==2.13.0 numpy
PYTHONDONTWRITEBYTECODE=1 "$work/venv/bin/python" "$here/pytorch_blocks.py" --check
