"""What is read from the environment: a value that cannot be used is one sentence."""

from collections.abc import Mapping

# More than any machine has of anything.
MOST_DIGITS = 18


class SettingError(ValueError):
    """A setting that cannot be used; the message says why, and what would do."""


def whole_number(environment: Mapping[str, str], name: str, default: int, least: int = 1) -> int:
    """A setting that is a whole number of at least `least`, or SettingError that says so."""
    text = environment.get(name) or str(default)
    fits = text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS
    if not fits or int(text) < least:
        raise SettingError(
            f"{name} is {text}; it must be a whole number from {least}, such as {default}."
        )
    return int(text)
