"""Figure 1 of Vaswani et al. 2017: what stands where, and what attends to what."""

import pytest
from drawn_graphs import FIGURE, GPT, by_id, edge, into

each_drawing = pytest.mark.parametrize("drawing", [FIGURE, GPT], ids=["figure_1", "decoder_only"])


@pytest.mark.parametrize(
    ("source", "target", "shape"),
    [
        ("source_tokens", "encoder_embedding", ("n_source",)),
        ("encoder_sum", "encoder_attention", ("n_source", "d_model")),
        ("encoder_feed_forward_norm", "cross_attention", ("n_source", "d_model")),
        ("decoder_attention_norm", "cross_attention", ("n_target", "d_model")),
        ("cross_attention", "cross_attention_norm", ("n_target", "d_model")),
        ("linear", "softmax", ("n_target", "n_vocab")),
    ],
)
def test_what_flows_here_has_this_shape(source, target, shape):
    assert edge(FIGURE, source, target)["shape"] == shape


@each_drawing
def test_only_the_decoder_masks(drawing):
    masked = [block for block in drawing["blocks"] if block["kind"] == "masked_attention"]
    assert [block["group"] for block in masked] == ["decoder_layer"]
    assert masked[0]["formula"].endswith(
        r"M_{ij} = \begin{cases} 0 & j \le i \\ -\infty & j > i \end{cases}"
    )


def test_neither_encoder_nor_cross_attention_has_a_mask():
    for id, kind in [("encoder_attention", "attention"), ("cross_attention", "cross_attention")]:
        block = by_id(FIGURE)[id]
        assert block["kind"] == kind
        assert "M" not in block["formula"]


def test_cross_attention_has_keys_and_values_of_the_encoders_last_block():
    (layer,) = [group for group in FIGURE["groups"] if group["id"] == "encoder_layer"]
    found = {one["kind"]: one["source"] for one in into(FIGURE, "cross_attention")}
    assert found == {
        "keys_and_values": "encoder_feed_forward_norm",
        "queries": "decoder_attention_norm",
    }
    assert layer["last"] == "encoder_feed_forward_norm"
    assert (
        max(by_id(FIGURE)[id]["row"] for id in layer["members"])
        == by_id(FIGURE)[layer["last"]]["row"]
    )


def test_only_the_encoders_result_passes_from_encoder_to_decoder():
    encoder = {id for group in FIGURE["groups"][:2] for id in group["members"]}
    crossing = [e for e in FIGURE["edges"] if (e["source"] in encoder) != (e["target"] in encoder)]
    assert [(e["source"], e["kind"]) for e in crossing] == [
        ("encoder_feed_forward_norm", "keys_and_values")
    ]


def test_the_labels_of_the_figure_read_upwards():
    def column(number):
        blocks = [block for block in FIGURE["blocks"] if block["column"] == number]
        return [block["label"] for block in sorted(blocks, key=lambda block: block["row"])]

    assert column(1) == [
        "Inputs", "Input Embedding", "+",
        "Multi-Head Attention", "Add & Norm", "Feed Forward", "Add & Norm",
    ]  # fmt: skip
    assert column(2) == [
        "Outputs (shifted right)", "Output Embedding", "+",
        "Masked Multi-Head Attention", "Add & Norm", "Multi-Head Attention", "Add & Norm",
        "Feed Forward", "Add & Norm", "Linear", "Softmax", "Output Probabilities",
    ]  # fmt: skip
    assert column(0) == column(3) == ["Positional Encoding"]


@each_drawing
def test_what_is_repeated_is_the_layers(drawing):
    repeated = [group["id"] for group in drawing["groups"] if "repeat_symbol" in group]
    there = {"encoder_layer", "decoder_layer"} & {group["id"] for group in drawing["groups"]}
    assert set(repeated) == there
    assert all(g["repeat_symbol"] == "N" for g in drawing["groups"] if g["id"] in repeated)


def test_the_layers_hold_two_and_three_sublayers():
    members = {group["id"]: group["members"] for group in FIGURE["groups"]}
    assert members["encoder_layer"] == [
        "encoder_attention", "encoder_attention_norm",
        "encoder_feed_forward", "encoder_feed_forward_norm",
    ]  # fmt: skip
    assert members["decoder_layer"] == [
        "decoder_attention", "decoder_attention_norm", "cross_attention", "cross_attention_norm",
        "decoder_feed_forward", "decoder_feed_forward_norm",
    ]  # fmt: skip


def test_the_probabilities_are_of_the_next_token_given_the_text_before_it():
    said = {drawing["id"]: drawing["blocks"][-1]["formula"] for drawing in (FIGURE, GPT)}
    assert said == {
        "figure_1": r"P(t_i \mid t_0, \dots, t_{i-1}, \mathrm{source})",
        "decoder_only": r"P(t_{i+1} \mid t_1, \dots, t_i)",
    }
