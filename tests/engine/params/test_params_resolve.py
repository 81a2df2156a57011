"""Defaults, and sizes that do not fit together."""

import pytest

from service.engine.errors import ShapeError
from service.engine.params import Configuration, count

SIZES = {"d_model": 12, "n_heads": 4, "n_layers": 2, "vocab_size": 9, "context": 5}


def conventions(**switches):
    return count(Configuration(**SIZES | switches))["conventions"]


def refusal(**switches):
    with pytest.raises(ShapeError) as caught:
        count(Configuration(**SIZES | switches))
    return caught.value.field, caught.value.message


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("architecture", "decoder_only"),
        ("n_encoder_layers", 0),
        ("n_decoder_layers", 2),
        ("n_kv_heads", 4),
        ("d_head", 3),
        ("d_v", 3),
        ("d_ff", 48),
        ("tied", True),
        ("attention_biases", True),
        ("mlp_biases", True),
        ("norm", "layer"),
        ("norm_beta", True),
        ("final_norm", True),
        ("positions", "learned"),
        ("mlp", "plain"),
        ("bytes_per_value", 2),
        ("flop_per_multiply_add", 2),
        ("weights_layout", "out_in"),
        ("unembedding_bias", False),
    ],
)
def test_a_default_is_echoed(member, value):
    assert conventions()[member] == value


def test_a_value_is_as_wide_as_the_head_unless_stated():
    assert conventions(d_head=7)["d_v"] == 7


def test_both_stacks_have_n_layers_unless_stated():
    pair = conventions(architecture="encoder_decoder", n_decoder_layers=1)
    assert (pair["n_encoder_layers"], pair["n_decoder_layers"]) == (2, 1)


def test_an_rms_norm_has_no_beta():
    assert conventions(norm="rms")["norm_beta"] is False


def test_heads_that_fill_d_model_raise_no_warning():
    assert count(Configuration(**SIZES))["warnings"] == []


def test_heads_that_do_not_fill_d_model_are_counted_as_given_with_a_warning():
    answer = count(Configuration(**SIZES | {"d_head": 5}))
    assert answer["totals"]["per_head"]["weights"] == 4 * 5 * 12
    assert answer["warnings"] == [
        "n_heads · d_head is 4 · 5 = 20, but d_model is 12. The heads are counted as given: "
        "each W_Q and W_K is 5 × 12."
    ]


@pytest.mark.parametrize("n_kv_heads", [3, 8])
def test_key_value_heads_must_divide_the_heads(n_kv_heads):
    assert refusal(n_kv_heads=n_kv_heads) == (
        "n_kv_heads",
        f"n_kv_heads is {n_kv_heads}, but n_heads is 4; n_heads must be a multiple of "
        f"n_kv_heads, so that each key/value head serves equally many query heads. "
        f"Choose a divisor of 4.",
    )


def test_a_head_width_that_is_not_whole_is_asked_for():
    assert refusal(n_heads=5) == (
        "d_head",
        "d_head is missing, and its default d_model / n_heads is not whole: d_model is 12, "
        "n_heads is 5; give d_head, or an n_heads that divides 12.",
    )


@pytest.mark.parametrize("architecture", ["decoder_only", "encoder_only"])
def test_a_single_stack_needs_its_depth(architecture):
    assert refusal(architecture=architecture, n_layers=None) == (
        "n_layers",
        f"n_layers is missing; {architecture} needs the number of its layers.",
    )


@pytest.mark.parametrize("field", ["n_encoder_layers", "n_decoder_layers"])
def test_a_single_stack_has_no_depth_of_another(field):
    assert refusal(**{field: 6}) == (
        field,
        f"{field} is 6, but decoder_only has one stack, which n_layers counts; give n_layers "
        f"instead, or set architecture to encoder_decoder.",
    )


@pytest.mark.parametrize(
    ("given", "missing"),
    [("n_encoder_layers", "n_decoder_layers"), ("n_decoder_layers", "n_encoder_layers")],
)
def test_each_of_two_stacks_needs_its_depth(given, missing):
    switches = {"architecture": "encoder_decoder", "n_layers": None, given: 6}
    assert refusal(**switches) == (
        missing,
        f"{missing} is missing, and so is n_layers, its default; give {missing}, or n_layers "
        f"for both stacks.",
    )


@pytest.mark.parametrize("norm", ["rms", "none"])
def test_only_a_layer_norm_can_have_beta(norm):
    assert refusal(norm=norm, norm_beta=True) == (
        "norm_beta",
        f"norm_beta is true, but norm is {norm}, which has no β; set norm to layer, or "
        f"norm_beta to false.",
    )
