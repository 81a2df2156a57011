"""Sizes, heads and shapes of published models (Vaswani et al. 2017, Table 3; Brown et al. 2020,
Table 2.1)."""

import pytest
from drawn_graphs import FIGURE, GPT, MODEL, by_id


@pytest.mark.parametrize(
    ("id", "sizes"),
    [
        (
            "transformer-base",
            {"d_model": 512, "d_ff": 2048, "d_k": 64, "d_v": 64, "n_heads": 8, "n_layers": 6,
             "n_context": 512, "n_source": 512, "n_target": 512, "n_vocab": 37_000},
        ),
        (
            "transformer-big",
            {"d_model": 1024, "d_ff": 4096, "d_k": 64, "d_v": 64, "n_heads": 16, "n_layers": 6,
             "n_context": 512, "n_source": 512, "n_target": 512, "n_vocab": 37_000},
        ),
        (
            "gpt3",
            {"d_model": 12_288, "d_ff": 49_152, "d_k": 128, "d_v": 128, "n_heads": 96,
             "n_layers": 96, "n_context": 2048, "n_target": 2048, "n_vocab": 50_257},
        ),
    ],
)  # fmt: skip
def test_the_sizes_are_those_that_the_papers_print(id, sizes):
    assert MODEL[id]["sizes"] == sizes


@pytest.mark.parametrize(
    ("id", "heads"),
    [
        (
            "transformer-base",
            {"encoder_attention": 8, "decoder_attention": 8, "cross_attention": 8},
        ),
        (
            "transformer-big",
            {"encoder_attention": 16, "decoder_attention": 16, "cross_attention": 16},
        ),
        ("gpt3", {"decoder_attention": 96}),
    ],
)
def test_attentions_alone_have_heads(id, heads):
    found = {b["id"]: b["n_heads"] for b in MODEL[id]["blocks"] if "n_heads" in b}
    assert found == heads


@pytest.mark.parametrize(
    ("id", "block", "inputs", "output"),
    [
        ("transformer-base", "encoder_embedding", [("tokens", [512])], [512, 512]),
        (
            "transformer-big",
            "cross_attention",
            [("queries", [512, 1024]), ("keys_and_values", [512, 1024])],
            [512, 1024],
        ),
        ("transformer-base", "linear", [("x", [512, 512])], [512, 37_000]),
        ("gpt3", "decoder_embedding", [("tokens", [2048])], [2048, 12_288]),
        ("gpt3", "decoder_attention", [("x", [2048, 12_288])], [2048, 12_288]),
        ("gpt3", "softmax", [("logits", [2048, 50_257])], [2048, 50_257]),
    ],
)
def test_shapes_have_numbers_put_in(id, block, inputs, output):
    found = by_id(MODEL[id])[block]
    assert [(one["name"], one["shape"]) for one in found["inputs"]] == inputs
    assert found["output"] == output


@pytest.mark.parametrize("id", ["transformer-base", "transformer-big", "gpt3"])
def test_a_model_has_the_blocks_and_groups_of_its_drawing(id):
    drawing = FIGURE if MODEL[id]["drawing"] == "figure_1" else GPT
    for kind in ("blocks", "groups"):
        assert [one["id"] for one in MODEL[id][kind]] == [one["id"] for one in drawing[kind]]
