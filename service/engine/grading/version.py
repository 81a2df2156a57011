"""By which grader and which rule an answer was graded, so that a caller sees when to grade anew."""

from functools import lru_cache
from hashlib import sha256
from typing import TypedDict

# To be raised whenever the same answer to the same question may be judged otherwise than before.
VERSION = "1"


class Grader(TypedDict):
    """rule_digest: of the rule in words, so that it changes when they do.

    Never of keys, bounds or accepted words: whoever has such a digest can try them out at home.
    """

    version: str
    rule_digest: str


@lru_cache(maxsize=1024)
def grader(rule_in_words: str) -> Grader:
    """The version, and the first 64 bits of the rule's SHA-256."""
    return {
        "version": VERSION,
        "rule_digest": sha256(rule_in_words.encode()).hexdigest()[:16],
    }
