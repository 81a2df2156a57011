"""Numbers of things in words."""

import pytest

from service.engine.counted import counted, there_are


@pytest.mark.parametrize(
    ("n", "nouns", "said"),
    [
        (0, "rows", "0 rows"),
        (1, "rows", "1 row"),
        (2, "rows", "2 rows"),
        (1, "queries", "1 query"),
        (1, "rows of embedding", "1 row of embedding"),
        (1_000, "columns of X", "1,000 columns of X"),
    ],
)
def test_one_is_singular_and_others_are_plural(n: int, nouns: str, said: str) -> None:
    assert counted(n, nouns) == said


def test_the_verb_agrees() -> None:
    assert [there_are(n, "keys") for n in (1, 2)] == ["there is 1 key", "there are 2 keys"]
