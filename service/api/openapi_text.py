"""Docstrings and names as the contract has them."""

from inspect import cleandoc


def paragraphs(docstring: str | None) -> list[str]:
    """The paragraphs of a docstring, each on one line."""
    text = cleandoc(docstring or "")
    return [" ".join(paragraph.split()) for paragraph in text.split("\n\n") if paragraph]


def camel_case(name: str) -> str:
    """compute_attention -> computeAttention."""
    first, *rest = name.split("_")
    return first + "".join(map(str.capitalize, rest))
