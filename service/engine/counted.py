"""How many there are, in words: 1 row, 2 rows."""

SINGULAR = {"queries": "query"}


def counted(n: int, nouns: str) -> str:
    """ "1 row of X" or "3 rows of X", of nouns whose first word is a plural."""
    first, space, rest = nouns.partition(" ")
    one = SINGULAR.get(first, first.removesuffix("s"))
    return f"{n:,} {one if n == 1 else first}{space}{rest}"


def there_are(n: int, nouns: str) -> str:
    """ "there is 1 row of X" or "there are 3 rows of X"."""
    return f"there {'is' if n == 1 else 'are'} {counted(n, nouns)}"
