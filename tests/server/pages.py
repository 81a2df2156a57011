"""What a page shows: its blocks of code, and how a reply is compared with one of them."""

import re
from typing import Any


def blocks_of(page: str) -> list[tuple[str, str]]:
    """The kind and the text of each block of commands or of JSON, in order."""
    return re.findall(r"^```(bash|json)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


def contains(whole: Any, part: Any) -> bool:
    """Whether everything that is shown is there; lists are shown in full."""
    if isinstance(part, dict):
        return all(name in whole and contains(whole[name], part[name]) for name in part)
    if isinstance(part, list):
        return len(whole) == len(part) and all(map(contains, whole, part))
    return bool(whole == part)
