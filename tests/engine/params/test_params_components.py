"""Components, shapes and formulas; the lecture's table of GPT-3 to the unit."""

import pytest

from service.engine.params import Configuration, count, count_preset

TINY = {"d_model": 6, "n_heads": 2, "d_ff": 5, "vocab_size": 7, "context": 4, "n_layers": 3}


def parts(**switches):
    return {part["name"]: part for part in count(Configuration(**TINY | switches))["components"]}


@pytest.fixture(scope="module")
def gpt3():
    return {part["name"]: part for part in count_preset("gpt3")["components"]}


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("W_Q", [128, 12_288]),
        ("W_K", [128, 12_288]),
        ("W_V", [128, 12_288]),
        ("W_O", [12_288, 128]),
        ("W_E", [50_257, 12_288]),
        ("W_P", [2048, 12_288]),
        ("W_up", [49_152, 12_288]),
        ("W_down", [12_288, 49_152]),
        ("b_Q", [1, 128]),
        ("b_O", [1, 12_288]),
        ("b_up", [1, 49_152]),
        ("b_down", [1, 12_288]),
        ("mlp_norm.gamma", [1, 12_288]),
    ],
)
def test_a_matrix_of_gpt3_has_this_shape(gpt3, name, shape):
    assert gpt3[name]["shape"] == shape


@pytest.mark.parametrize("name", ["W_Q", "W_K", "W_V", "W_O"])
def test_one_matrix_of_one_head_of_gpt3_has_1572864_weights(gpt3, name):
    assert gpt3[name]["count"] == 1_572_864


@pytest.mark.parametrize("name", ["W_Q", "W_K", "W_V", "W_O"])
def test_one_kind_of_matrix_over_all_heads_of_gpt3_has_14495514624_weights(gpt3, name):
    assert (gpt3[name]["times"], gpt3[name]["total"]) == (9216, 14_495_514_624)


@pytest.mark.parametrize(
    ("name", "total"),
    [
        ("W_E", 617_558_016),
        ("W_P", 25_165_824),
        ("W_up", 57_982_058_496),
        ("W_down", 57_982_058_496),
    ],
)
def test_a_table_or_mlp_matrix_of_gpt3_totals(gpt3, name, total):
    assert gpt3[name]["total"] == total


@pytest.mark.parametrize(
    ("name", "formula", "substituted"),
    [
        ("W_Q", r"d_{\mathrm{head}} \cdot d_{\mathrm{model}}", r"128 \cdot 12288"),
        ("W_O", r"d_{\mathrm{model}} \cdot d_{\mathrm{head}}", r"12288 \cdot 128"),
        ("W_E", r"n_{\mathrm{vocab}} \cdot d_{\mathrm{model}}", r"50257 \cdot 12288"),
        ("W_up", r"d_{\mathrm{ff}} \cdot d_{\mathrm{model}}", r"49152 \cdot 12288"),
        ("b_Q", r"d_{\mathrm{head}}", "128"),
    ],
)
def test_a_formula_comes_with_its_numbers(gpt3, name, formula, substituted):
    assert (gpt3[name]["formula"], gpt3[name]["substituted"]) == (formula, substituted)


@pytest.mark.parametrize(
    ("name", "per", "formula", "substituted"),
    [
        ("W_Q", "head", r"n_{\mathrm{layers}} \cdot n_{\mathrm{heads}}", r"96 \cdot 96"),
        ("b_O", "layer", r"n_{\mathrm{layers}}", "96"),
        ("W_E", "model", "1", "1"),
    ],
)
def test_how_often_a_matrix_occurs_is_a_formula_too(gpt3, name, per, formula, substituted):
    part = gpt3[name]
    assert (part["per"], part["times_formula"], part["times_substituted"]) == (
        per,
        formula,
        substituted,
    )


def test_a_value_width_of_its_own_has_its_own_symbol():
    assert parts(d_v=2)["W_V"]["formula"] == r"d_v \cdot d_{\mathrm{model}}"


def test_grouped_heads_share_keys_and_values():
    grouped = parts(n_heads=6, n_kv_heads=2)
    assert [grouped[name]["times"] for name in ("W_Q", "W_K", "W_V", "W_O")] == [18, 6, 6, 18]


def test_grouped_heads_share_key_and_value_biases():
    grouped = parts(n_heads=6, n_kv_heads=2)
    assert [grouped[name]["times"] for name in ("b_Q", "b_K", "b_V", "b_O")] == [18, 6, 6, 3]


def test_a_gated_mlp_has_three_matrices():
    gated = parts(mlp="gated")
    assert [gated[name]["count"] for name in ("W_gate", "W_up", "W_down")] == [30, 30, 30]


def test_a_gated_mlp_has_three_biases():
    gated = parts(mlp="gated")
    assert [gated[name]["count"] for name in ("b_gate", "b_up", "b_down")] == [5, 5, 6]


@pytest.mark.parametrize(
    ("switches", "biases"),
    [
        ({"biases": True}, ["b_Q", "b_K", "b_V", "b_O", "b_up", "b_down"]),
        ({"biases": False}, []),
        ({"biases": False, "mlp_biases": True}, ["b_up", "b_down"]),
        ({"biases": False, "attention_biases": True}, ["b_Q", "b_K", "b_V", "b_O"]),
        ({"biases": True, "attention_biases": False}, ["b_up", "b_down"]),
    ],
)
def test_biases_of_attention_and_mlp_are_switched_apart(switches, biases):
    assert [name for name in parts(**switches) if name.startswith("b_")] == biases


@pytest.mark.parametrize(
    ("switches", "norms"),
    [
        (
            {"norm": "layer"},
            ["attention_norm.gamma", "attention_norm.beta", "mlp_norm.gamma", "mlp_norm.beta"],
        ),
        ({"norm": "layer", "norm_beta": False}, ["attention_norm.gamma", "mlp_norm.gamma"]),
        ({"norm": "rms"}, ["attention_norm.gamma", "mlp_norm.gamma"]),
        ({"norm": "none"}, []),
    ],
)
def test_a_layer_has_these_norms(switches, norms):
    found = parts(final_norm=False, **switches)
    assert [name for name in found if "norm" in name] == norms


def test_a_final_norm_occurs_once():
    final = parts(final_norm=True)["final_norm.gamma"]
    assert (final["per"], final["times"], final["total"]) == ("model", 1, 6)


def test_without_norms_a_final_norm_is_not_counted():
    assert not [name for name in parts(norm="none", final_norm=True) if "norm" in name]


@pytest.mark.parametrize("positions", ["sinusoidal", "rotary", "alibi", "none"])
def test_only_learned_positions_have_weights(positions):
    assert "W_P" not in parts(positions=positions)


def test_a_tied_model_has_no_unembedding_of_its_own():
    assert "W_U" not in parts(tied=True)


def test_an_untied_model_has_an_unembedding_as_large_as_the_embedding():
    untied = parts(tied=False)
    assert untied["W_U"]["total"] == untied["W_E"]["total"] == 42


def test_a_decoder_layer_over_an_encoder_has_a_second_attention():
    pair = parts(architecture="encoder_decoder")
    assert [name for name in pair if "W_Q" in name] == [
        "encoder.W_Q",
        "decoder.W_Q",
        "decoder.cross.W_Q",
    ]


def test_a_decoder_layer_over_an_encoder_has_a_third_norm():
    pair = parts(architecture="encoder_decoder", final_norm=False)
    assert [name for name in pair if name.startswith("decoder.") and "gamma" in name] == [
        "decoder.attention_norm.gamma",
        "decoder.cross.attention_norm.gamma",
        "decoder.mlp_norm.gamma",
    ]


def test_the_stacks_may_differ_in_depth():
    pair = parts(architecture="encoder_decoder", n_encoder_layers=5, n_decoder_layers=1)
    assert (pair["encoder.W_up"]["times"], pair["decoder.W_up"]["times"]) == (5, 1)


def test_an_untied_encoder_decoder_has_three_tables():
    pair = parts(architecture="encoder_decoder", tied=False)
    assert [name for name in pair if name.endswith(("W_E", "W_U"))] == [
        "encoder.W_E",
        "decoder.W_E",
        "W_U",
    ]


def test_learned_positions_are_one_table_a_stack():
    pair = parts(architecture="encoder_decoder")
    assert [name for name in pair if name.endswith("W_P")] == ["encoder.W_P", "decoder.W_P"]


def test_an_encoder_alone_has_no_cross_attention():
    assert not [name for name in parts(architecture="encoder_only") if "cross" in name]


def test_an_encoder_alone_has_as_many_weights_as_a_decoder_alone():
    # The mask is the only difference, and it has no weights: 42 + 24 tables, 3 layers of
    # 144 + 24 attention, 60 + 11 mlp, 24 norms, and a final norm of 12.
    encoder = count(Configuration(**TINY, architecture="encoder_only"))
    assert encoder["totals"]["total"] == 42 + 24 + 3 * (168 + 71 + 24) + 12


@pytest.mark.parametrize(
    ("name", "stack", "group", "kind", "per"),
    [
        ("encoder.W_E", "encoder", "embedding", "weight", "model"),
        ("decoder.W_P", "decoder", "positions", "weight", "model"),
        ("encoder.W_Q", "encoder", "attention", "weight", "head"),
        ("encoder.W_K", "encoder", "attention", "weight", "head"),
        ("decoder.cross.W_V", "decoder", "attention", "weight", "head"),
        ("decoder.cross.W_O", "decoder", "attention", "weight", "head"),
        ("decoder.b_V", "decoder", "attention", "bias", "head"),
        ("decoder.b_O", "decoder", "attention", "bias", "layer"),
        ("encoder.W_up", "encoder", "mlp", "weight", "layer"),
        ("encoder.b_down", "encoder", "mlp", "bias", "layer"),
        ("decoder.attention_norm.beta", "decoder", "norm", "norm", "layer"),
        ("decoder.mlp_norm.gamma", "decoder", "norm", "norm", "layer"),
        ("decoder.final_norm.beta", "decoder", "norm", "norm", "model"),
        ("W_U", "model", "unembedding", "weight", "model"),
    ],
)
def test_a_component_says_where_it_belongs(name, stack, group, kind, per):
    part = parts(architecture="encoder_decoder", tied=False)[name]
    assert (part["stack"], part["group"], part["kind"], part["per"]) == (stack, group, kind, per)


def test_a_shared_table_belongs_to_the_model():
    shared = parts(architecture="encoder_decoder")["W_E"]
    assert (shared["stack"], shared["group"], shared["per"]) == ("model", "embedding", "model")


@pytest.mark.parametrize(
    ("name", "times_formula"),
    [
        ("encoder.W_K", r"n_{\mathrm{encoder\,layers}} \cdot n_{\mathrm{kv\,heads}}"),
        ("decoder.W_Q", r"n_{\mathrm{decoder\,layers}} \cdot n_{\mathrm{heads}}"),
    ],
)
def test_each_stack_and_grouped_heads_have_their_own_symbol(name, times_formula):
    pair = parts(architecture="encoder_decoder", n_kv_heads=1)
    assert pair[name]["times_formula"] == times_formula


def test_the_formula_of_a_position_table_names_the_context():
    assert parts()["W_P"]["formula"] == r"n_{\mathrm{context}} \cdot d_{\mathrm{model}}"
