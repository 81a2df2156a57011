"""The numbers put in: hand sums and printed sizes (Vaswani et al. 2017, Table 3; Brown et al. 2020,
Table 2.1), and the totals of the parameter counter."""

import pytest
from drawn_graphs import FIGURE, GPT, MODEL, by_id

from service.engine.params import count_preset

KINDS = ("weights", "biases", "norms")
ATTENTION_OF_GPT3 = 4 * 96 * 128 * 12_288

each_model = pytest.mark.parametrize("id", ["transformer-base", "transformer-big", "gpt3"])


def split(counts):
    return tuple(counts[kind] for kind in KINDS)


@pytest.mark.parametrize(
    ("id", "block", "one", "repeats"),
    [
        ("transformer-base", "encoder_attention", (1_048_576, 0, 0), 6),
        ("transformer-base", "decoder_attention", (1_048_576, 0, 0), 6),
        ("transformer-base", "cross_attention", (1_048_576, 0, 0), 6),
        ("transformer-base", "encoder_feed_forward", (2_097_152, 2560, 0), 6),
        ("transformer-base", "decoder_feed_forward", (2_097_152, 2560, 0), 6),
        ("transformer-base", "encoder_attention_norm", (0, 0, 1024), 6),
        ("transformer-base", "encoder_feed_forward_norm", (0, 0, 1024), 6),
        ("transformer-base", "decoder_attention_norm", (0, 0, 1024), 6),
        ("transformer-base", "cross_attention_norm", (0, 0, 1024), 6),
        ("transformer-base", "decoder_feed_forward_norm", (0, 0, 1024), 6),
        ("transformer-base", "encoder_embedding", (18_944_000, 0, 0), 1),
        ("transformer-base", "encoder_positions", (0, 0, 0), 1),
        ("transformer-base", "softmax", (0, 0, 0), 1),
        ("transformer-big", "cross_attention", (4_194_304, 0, 0), 6),
        ("transformer-big", "decoder_feed_forward", (8_388_608, 5120, 0), 6),
        ("transformer-big", "encoder_embedding", (37_888_000, 0, 0), 1),
        ("gpt3", "decoder_attention", (603_979_776, 49_152, 0), 96),
        ("gpt3", "decoder_feed_forward", (1_207_959_552, 61_440, 0), 96),
        ("gpt3", "decoder_attention_norm", (0, 0, 24_576), 96),
        ("gpt3", "decoder_attention_sum", (0, 0, 0), 96),
        ("gpt3", "final_norm", (0, 0, 24_576), 1),
        ("gpt3", "decoder_embedding", (617_558_016, 0, 0), 1),
        ("gpt3", "decoder_positions", (25_165_824, 0, 0), 1),
    ],
)
def test_one_block_has_this_many_parameters_and_all_have_them_this_often(id, block, one, repeats):
    found = by_id(MODEL[id])[block]
    assert split(found["one"]) == one
    assert found["repeats"] == repeats
    assert split(found["in_all"]) == tuple(repeats * count for count in one)


def test_the_attention_of_a_layer_of_gpt3_is_its_96_heads():
    assert by_id(MODEL["gpt3"])["decoder_attention"]["one"]["weights"] == ATTENTION_OF_GPT3


def test_the_attention_of_gpt3_is_a_third_of_it():
    attention = by_id(MODEL["gpt3"])["decoder_attention"]["in_all"]["weights"]
    assert attention == 57_982_058_496
    assert 0.33 < attention / MODEL["gpt3"]["parameters"]["total"] < 0.34


@pytest.mark.parametrize(
    ("id", "group", "one", "repeats"),
    [
        ("transformer-base", "encoder_layer", 3_145_728, 6),
        ("transformer-base", "decoder_layer", 4_194_304, 6),
        ("transformer-big", "encoder_layer", 12_582_912, 6),
        ("transformer-big", "decoder_layer", 16_777_216, 6),
        ("gpt3", "decoder_layer", 1_811_939_328, 96),
    ],
)
def test_a_layer_has_this_many_weights_and_the_stack_has_this_many_layers(id, group, one, repeats):
    (found,) = [g for g in MODEL[id]["groups"] if g["id"] == group]
    assert (found["one"]["weights"], found["repeats"]) == (one, repeats)
    assert found["in_all"]["weights"] == one * repeats


@pytest.mark.parametrize(
    ("id", "weights"), [("transformer-base", 44_040_192), ("transformer-big", 176_160_768)]
)
def test_six_layers_of_each_stack_have_this_many_weights(id, weights):
    layers = [g for g in MODEL[id]["groups"] if g["id"].endswith("_layer")]
    assert sum(layer["in_all"]["weights"] for layer in layers) == weights


@pytest.mark.parametrize(
    ("id", "total"),
    [
        ("transformer-base", 63_045_632),
        ("transformer-big", 214_171_648),
        ("gpt3", 174_604_259_328),
    ],
)
def test_the_model_has_this_many_parameters(id, total):
    assert MODEL[id]["parameters"]["total"] == total


@each_model
def test_blocks_and_outer_groups_add_up_to_what_the_counter_says(id):
    totals = count_preset(id)["totals"]
    drawing = FIGURE if MODEL[id]["drawing"] == "figure_1" else GPT
    outer = {group["id"] for group in drawing["groups"] if "parent" not in group}
    for kind in (*KINDS, "total"):
        assert MODEL[id]["parameters"][kind] == totals[kind]
        assert sum(block["in_all"][kind] for block in MODEL[id]["blocks"]) == totals[kind]
        parts = [g["in_all"][kind] for g in MODEL[id]["groups"] if g["id"] in outer]
        assert sum(parts) == totals[kind]


@each_model
def test_every_component_belongs_to_one_block(id):
    own = [
        name
        for block in MODEL[id]["blocks"]
        if "shared_with" not in block
        for name in block["components"]
    ]
    assert sorted(own) == sorted(part["name"] for part in count_preset(id)["components"])


@each_model
def test_components_bear_the_names_of_their_block(id):
    for block in MODEL[id]["blocks"]:
        ends = {name.rpartition(".")[2].partition("_")[0] for name in block["components"]}
        if block["id"].endswith("attention"):
            assert "W" in ends
            assert all(name[-1] in "QKVO" for name in block["components"])
        if block["id"].endswith("feed_forward"):
            assert all(name.endswith(("up", "down")) for name in block["components"])
        if block["id"].endswith("_norm"):
            assert ends == {"gamma", "beta"}
        crosses = [".cross." in f".{name}" for name in block["components"]]
        assert all(crosses) if block["id"].startswith("cross") else not any(crosses)


@pytest.mark.parametrize(
    ("id", "sharers", "table"),
    [
        ("transformer-base", {"decoder_embedding", "linear"}, "encoder_embedding"),
        ("gpt3", {"linear"}, "decoder_embedding"),
    ],
)
def test_one_table_is_shared_and_counted_once(id, sharers, table):
    blocks = by_id(MODEL[id])
    found = {block["id"]: block for block in MODEL[id]["blocks"] if "shared_with" in block}
    assert found.keys() == sharers
    for block in found.values():
        assert block["shared_with"] == table
        assert block["one"] == blocks[table]["one"]
        assert block["components"] == blocks[table]["components"] == ["W_E"]
        assert split(block["in_all"]) == (0, 0, 0)


def test_the_printed_totals_stand_beside():
    printed = {id: model["published"]["text"] for id, model in MODEL.items()}
    assert printed == {"transformer-base": "65M", "transformer-big": "213M", "gpt3": "175.0B"}
