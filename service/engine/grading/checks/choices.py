"""A rule for choices or an order, checked against what is offered."""

from collections.abc import Iterator, Sequence

from service.engine.grading.checks.findings import Finding
from service.engine.grading.marking.rules import Choice, Ordering
from service.engine.grading.marking.task import Option


def check_offered(
    rule: Choice | Ordering, key: frozenset[str] | tuple[str, ...], options: Sequence[Option]
) -> Iterator[Finding]:
    """Options that cannot be told apart, and keys that cannot be chosen."""
    seen: dict[str, str] = {}
    for option in options:
        text = " ".join(option.text.casefold().split())
        if text in seen:
            yield Finding(
                "error",
                "options_equal",
                f"{seen[text]} and {option.id} say the same; nobody can tell which is right.",
            )
        seen.setdefault(text, option.id)
    if len(options) < 2:
        yield Finding("error", "one_option", "There is nothing to choose from.")
    if isinstance(rule, Ordering):
        return
    if not rule.several and len(key) != 1:
        yield Finding("error", "key_fails", f"One choice is allowed, but {len(key)} are right.")
    if len(options) > 1 and len(key) == len(options):
        yield Finding("warning", "all_right", "Every option is right.")
    if rule.partial and not rule.several:
        yield Finding(
            "warning",
            "partial_without_several",
            "One choice is right or wrong; partial credit needs `several`.",
        )
