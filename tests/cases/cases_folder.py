"""The folder of cases from public reports: one beside the repository, or CASES_DIR."""

import json
import os
from pathlib import Path
from typing import Any

FOLDER = Path(
    os.environ.get("CASES_DIR", Path(__file__).resolve().parents[2].parent / "shared" / "cases")
)


def cases(name: str) -> list[dict[str, Any]]:
    """Each line of a file of cases."""
    return [json.loads(line) for line in (FOLDER / name).read_text("utf-8").splitlines()]
