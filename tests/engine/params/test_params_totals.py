"""Subtotals by head, layer and group."""

import pytest

from service.engine.params import Configuration, count, count_preset


@pytest.fixture(scope="module")
def gpt3():
    return count_preset("gpt3")["totals"]


def test_gpt3_has_9216_heads(gpt3):
    assert gpt3["n_heads_total"] == 9216


def test_one_head_of_gpt3_has_6291456_weights(gpt3):
    assert gpt3["per_head"]["weights"] == 6_291_456


def test_the_attention_of_one_layer_of_gpt3_has_603979776_weights(gpt3):
    assert gpt3["per_layer"][0]["attention"]["weights"] == 603_979_776


def test_the_attention_of_gpt3_has_57982058496_weights(gpt3):
    assert gpt3["groups"]["attention"]["weights"] == 57_982_058_496


def test_the_value_map_of_gpt3_is_factored_below_its_square():
    # Down and up together, 2 · 128 · 12288, are a 48th of 12288².
    named = {part["name"]: part["count"] for part in count_preset("gpt3")["components"]}
    assert 48 * (named["W_V"] + named["W_O"]) == 150_994_944


@pytest.mark.parametrize(
    ("group", "split"),
    [
        ("embedding", (617_558_016, 0, 0)),
        ("positions", (25_165_824, 0, 0)),
        ("attention", (57_982_058_496, 4_718_592, 0)),
        ("mlp", (115_964_116_992, 5_898_240, 0)),
        ("norm", (0, 0, 4_743_168)),
        ("unembedding", (0, 0, 0)),
    ],
)
def test_a_group_of_gpt3_splits_into_weights_biases_and_norms(gpt3, group, split):
    subtotal = gpt3["groups"][group]
    assert (subtotal["weights"], subtotal["biases"], subtotal["norms"]) == split


def test_one_layer_of_gpt3_has_12_d_squared_plus_13_d_parameters(gpt3):
    assert gpt3["per_layer"][0]["layer"]["total"] == 1_812_099_072


@pytest.mark.parametrize(
    ("kind", "number"),
    [("weights", 174_588_899_328), ("biases", 10_616_832), ("norms", 4_743_168)],
)
def test_gpt3_has_this_many_of_a_kind(gpt3, kind, number):
    assert gpt3[kind] == number


def test_the_layers_and_the_final_norm_are_what_is_not_embedding(gpt3):
    assert gpt3["non_embedding"] == 96 * 1_812_099_072 + 2 * 12_288


@pytest.mark.parametrize(
    ("preset", "attention", "mlp", "norm", "layers"),
    [
        ("gpt2", 2_362_368, 4_722_432, 3072, 85_054_464),
        ("gpt2-medium", 4_198_400, 8_393_728, 4096, 302_309_376),
        ("gpt2-xl", 10_246_400, 20_488_000, 6400, 1_475_558_400),
        ("gpt3-13b", 105_287_700, 211_382_500, 20_560, 12_667_630_400),
        ("llama2-7b", 67_108_864, 135_266_304, 8192, 6_476_267_520),
    ],
)
def test_a_layer_adds_up_from_its_parts(preset, attention, mlp, norm, layers):
    totals = count_preset(preset)["totals"]
    layer = totals["per_layer"][0]
    assert [layer[part]["total"] for part in ("attention", "mlp", "norm")] == [
        attention,
        mlp,
        norm,
    ]
    assert totals["layers"]["total"] == layers


@pytest.mark.parametrize(
    ("preset", "encoder", "decoder"),
    [
        ("transformer-base", 3_145_728, 4_194_304),
        ("transformer-big", 12_582_912, 16_777_216),
    ],
)
def test_a_layer_of_each_stack_has_its_own_subtotal(preset, encoder, decoder):
    layers = count_preset(preset)["totals"]["per_layer"]
    assert [(layer["stack"], layer["layer"]["weights"]) for layer in layers] == [
        ("encoder", encoder),
        ("decoder", decoder),
    ]


def test_a_layer_of_each_stack_counts_its_biases_and_norms():
    layers = count_preset("transformer-base", biases=True)["totals"]["per_layer"]
    assert [layer["layer"]["total"] for layer in layers] == [3_152_384, 4_204_032]


def test_the_stacks_of_the_base_model_without_tables():
    totals = count_preset("transformer-base", biases=True)["totals"]
    assert totals["layers"]["total"] == 44_138_496


def test_two_final_norms_come_on_top_of_the_stacks():
    totals = count_preset("transformer-base", biases=True, final_norm=True)["totals"]
    assert totals["non_embedding"] == 44_140_544


def test_the_base_model_has_144_heads():
    # 8 heads, 6 encoder layers with one attention and 6 decoder layers with two.
    assert count_preset("transformer-base")["totals"]["n_heads_total"] == 144


def test_a_count_beyond_a_double_is_exact():
    large = Configuration(
        n_layers=1001,
        d_model=999_999,
        n_heads=999,
        d_ff=3_999_996,
        vocab_size=50_257,
        context=2049,
    )
    totals = count(large)["totals"]
    assert totals["layers"]["total"] == 12_011_988_988_998_999
    assert totals["total"] == 12_012_041_296_946_691


def test_sizes_of_a_billion_are_exact():
    g = 10**9
    # L (4 d² + 2 d · d) with one head, V d tied, nothing else.
    bare = Configuration(
        n_layers=g,
        d_model=g,
        n_heads=1,
        d_ff=g,
        vocab_size=g,
        context=g,
        biases=False,
        norm="none",
        positions="none",
    )
    assert count(bare)["totals"]["total"] == 6 * 10**27 + 10**18


def test_a_layer_subtotal_says_how_many_layers_it_stands_for():
    layers = count_preset("transformer-base", n_decoder_layers=2)["totals"]["per_layer"]
    assert [layer["n_layers"] for layer in layers] == [6, 2]
