"""Models with any switches: what no size decides is kept, and no number with it."""

from itertools import product

import pytest

from service.engine.params import Configuration, count

SIZES = {"d_model": 6, "n_heads": 2, "d_ff": 5, "vocab_size": 7, "context": 4, "n_layers": 3}
YES_OR_NO = (False, True)
SWITCHES = [
    {"architecture": architecture, "norm": norm, "tied": tied, "biases": biases, "mlp": mlp, **more}
    for architecture, norm, tied, biases, mlp, more in product(
        ("decoder_only", "encoder_only", "encoder_decoder"),
        ("layer", "rms", "none"),
        YES_OR_NO,
        YES_OR_NO,
        ("plain", "gated"),
        ({}, {"n_kv_heads": 1, "d_v": 2}, {"positions": "none", "final_norm": False}),
    )
]


@pytest.mark.parametrize("switches", SWITCHES, ids=str)
def test_every_component_is_in_the_sum_of_its_kind(switches):
    report = count(Configuration(**SIZES, **switches))
    for kind, name in (("weight", "weights"), ("bias", "biases"), ("norm", "norms")):
        parts = [part["total"] for part in report["components"] if part["kind"] == kind]
        assert report["totals"][name] == sum(parts)


def numbers(report):
    return [(part["shape"], part["total"], part["substituted"]) for part in report["components"]]


def test_models_with_the_same_switches_have_numbers_of_their_own():
    first = count(Configuration(**SIZES))
    before = numbers(first)
    wider = count(Configuration(**SIZES | {"d_model": 8}))
    assert numbers(first) == before
    assert numbers(wider)[0] == ([7, 8], 56, r"7 \cdot 8")


def test_sizes_that_happen_to_be_equal_keep_their_own_names():
    same = count(Configuration(**SIZES | {"d_ff": 6, "context": 6}))["components"]
    formulas = {part["name"]: (part["formula"], part["substituted"]) for part in same}
    assert formulas["W_up"] == (r"d_{\mathrm{ff}} \cdot d_{\mathrm{model}}", r"6 \cdot 6")
    assert formulas["W_P"] == (r"n_{\mathrm{context}} \cdot d_{\mathrm{model}}", r"6 \cdot 6")
