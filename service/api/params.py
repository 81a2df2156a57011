"""Counts over HTTP."""

from difflib import get_close_matches
from functools import cache
from typing import Any

import orjson
from flask import Blueprint

from service.api.contract import operation
from service.api.exact import EXACT_IN_A_DOUBLE, EXACT_IN_INT64, with_exact
from service.engine.errors import EngineError
from service.engine.params import PRESETS, Configuration, Preset, count
from service.schemas.example import Example
from service.schemas.lecture.demos import examples_of
from service.schemas.params import ParamsRequest, PresetQuery
from service.schemas.params_reply import ParamsReply

bp = Blueprint("params", __name__)


@bp.get("/params")
@operation(
    ParamsReply,
    query=PresetQuery,
    tag="transformer",
    examples=[Example("gpt2", "GPT-2 small", query={"preset": "gpt2"})],
)
def count_preset(preset: str) -> bytes:
    """Parameters, scores, FLOPs and cache of a preset."""
    return as_published(find_preset(preset))


@bp.post("/params")
@operation(ParamsReply, ParamsRequest, tag="transformer", examples=examples_of("/v1/params"))
def count_params(preset: str | None = None, **switches: Any) -> bytes:
    """Parameters, scores, FLOPs and cache of any configuration."""
    if preset is not None:
        known = find_preset(preset)
        if not switches:
            return as_published(known)
        return written(count(known.configuration._replace(**switches), known.published))
    for name in ("d_model", "n_heads", "vocab_size", "context"):
        if name not in switches:
            raise EngineError(name, f"{name} is missing; send it, or a preset.")
    return written(count(Configuration(**switches)))


def find_preset(name: str) -> Preset:
    """The preset, or EngineError with the nearest known name."""
    if name in PRESETS:
        return PRESETS[name]
    name = name[:100]
    near = get_close_matches(name, PRESETS, n=1)
    said = f" Did you mean {near[0]}?" if near else ""
    raise EngineError("preset", f"There is no preset {name}.{said} Known: {', '.join(PRESETS)}.")


@cache
def as_published(preset: Preset) -> bytes:
    """The report of a preset, written once: there is one for each."""
    return written(count(preset.configuration, preset.published))


def written(report: dict[str, Any]) -> bytes:
    """The JSON text of a report: whole numbers and words, so that there is no −0.0 to look for."""
    text: bytes = orjson.dumps(with_digits(report))
    return text


def with_digits(report: dict[str, Any]) -> dict[str, Any]:
    """The report without None, and with numbers that a double cannot hold also as text.

    Counts of weights are 64-bit integers; costs may exceed that, and are then rounded to a double
    beside their exact text.
    """
    total = report["totals"]["total"]
    if total > EXACT_IN_INT64:
        raise EngineError("", f"The model has {total:,} weights; use sizes below 2^63 in all.")
    if total > EXACT_IN_A_DOUBLE:
        return with_exact(report)
    # No count exceeds the total, so only costs can be larger.
    costs = with_exact({name: report[name] for name in ("scores", "flops", "kv_cache")})
    return {name: value for name, value in (report | costs).items() if value is not None}
