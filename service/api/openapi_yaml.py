"""YAML for people: no anchors, rows of numbers on one line, long text as it is read."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import yaml

WIDTH = 88
SHORT = 72  # a list that is no longer than this stands on one line


class _Dumper(yaml.SafeDumper):
    def ignore_aliases(self, data: Any) -> bool:
        return True

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)


class Shown(dict[str, Any]):
    """An object of an example: on one line if it is short."""


def shown(value: Any) -> Any:
    """A value as an example has it."""
    if isinstance(value, Mapping):
        return Shown({name: shown(member) for name, member in value.items()})
    return list(map(shown, value)) if isinstance(value, list | tuple) else value


def _object(dumper: _Dumper, value: Shown) -> yaml.Node:
    flow = len(json.dumps(value)) <= SHORT
    return dumper.represent_mapping("tag:yaml.org,2002:map", value.items(), flow_style=flow)


def _list(dumper: _Dumper, value: Sequence[Any]) -> yaml.Node:
    is_row = not any(isinstance(member, dict | list | tuple) for member in value)
    flow = is_row or len(json.dumps(value)) <= SHORT
    return dumper.represent_sequence("tag:yaml.org,2002:seq", value, flow_style=flow)


def _text(dumper: _Dumper, value: str) -> yaml.Node:
    style = ">" if "\n" in value or (len(value) > WIDTH and " " in value) else None
    if value.startswith("{") and "\n" in value:
        style = "|"  # lines of JSON
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


_Dumper.add_representer(Shown, _object)
_Dumper.add_representer(list, _list)
_Dumper.add_representer(tuple, _list)
_Dumper.add_representer(str, _text)


def to_yaml(document: Any) -> str:
    """A document as YAML text, in its own order."""
    text: str = yaml.dump(
        document, Dumper=_Dumper, width=WIDTH, allow_unicode=True, sort_keys=False
    )
    return text
