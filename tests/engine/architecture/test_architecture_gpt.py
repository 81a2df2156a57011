"""What GPT leaves out of Figure 1 and does otherwise.

Radford et al. 2018 and 2019; Brown et al. 2020.
"""

from collections import Counter

from drawn_graphs import (
    ABSENT,
    FIGURE,
    GPT,
    MODEL,
    by_id,
    connected,
    edge,
    into,
    sinks,
    sources,
    without_what_gpt_lacks,
)


def test_gpt_has_no_encoder_and_no_cross_attention():
    assert set(ABSENT["blocks"]) == {
        "source_tokens", "encoder_embedding", "encoder_positions", "encoder_sum",
        "encoder_attention", "encoder_attention_norm",
        "encoder_feed_forward", "encoder_feed_forward_norm",
        "cross_attention", "cross_attention_norm",
    }  # fmt: skip
    assert set(ABSENT["groups"]) == {"encoder", "encoder_layer"}


def test_the_edges_that_go_are_those_of_blocks_that_go():
    for one in FIGURE["edges"]:
        gone = {one["source"], one["target"]} & set(ABSENT["blocks"])
        assert (one["id"] in ABSENT["edges"]) == bool(gone)


def test_one_column_remains_from_tokens_to_probabilities():
    remains = without_what_gpt_lacks()
    assert connected(remains)
    assert sources(remains) == ["target_tokens", "decoder_positions"]
    assert sinks(remains) == ["output_probabilities"]
    assert {block["column"] for block in remains["blocks"] if into(remains, block["id"])} == {2}
    assert [group["id"] for group in remains["groups"]] == ["decoder", "decoder_layer", "output"]


def test_without_the_bridges_the_column_would_be_broken():
    remains = without_what_gpt_lacks()
    assert not connected({**remains, "edges": remains["edges"][: -len(ABSENT["bridges"])]})


def test_every_input_that_remains_gets_one_edge():
    remains = without_what_gpt_lacks()
    for block in remains["blocks"]:
        ends = Counter(one["target_input"] for one in into(remains, block["id"]))
        assert ends == Counter(one["name"] for one in block["inputs"])


def test_a_bridge_carries_what_its_ends_give_and_take():
    for one in ABSENT["bridges"]:
        assert one["shape"] == ("n_target", "d_model")
        assert by_id(FIGURE)[one["source"]]["output"] == one["shape"]
        assert one["id"] not in {e["id"] for e in FIGURE["edges"]}


def test_what_remains_is_in_gpts_own_drawing_under_the_same_ids():
    own = by_id(GPT).keys()
    remains = by_id(without_what_gpt_lacks()).keys()
    assert remains <= own
    assert own - remains == {"decoder_attention_sum", "decoder_feed_forward_sum", "final_norm"}


def test_what_is_the_same_in_both_stands_in_the_same_column():
    figure = by_id(FIGURE)
    for id, block in by_id(GPT).items():
        if id in figure:
            assert block["column"] == figure[id]["column"]


def test_in_gpt_a_sublayer_reads_a_norm_and_in_the_original_none_does():
    for sublayer in ("decoder_attention", "decoder_feed_forward"):
        (read,) = into(GPT, sublayer)
        assert by_id(GPT)[read["source"]]["kind"] == "norm"
        assert edge(FIGURE, sublayer, f"{sublayer}_norm")["target_input"] == "update"
    assert not [block for block in FIGURE["blocks"] if block["kind"] == "norm"]
    assert not [block for block in GPT["blocks"] if block["kind"] == "add_and_norm"]


def test_in_gpt_no_norm_stands_in_the_residual_path():
    here = "decoder_feed_forward_sum"
    path = [here]
    while here != "decoder_sum":
        (one,) = [e for e in into(GPT, here) if e["kind"] == "residual"]
        here = one["source"]
        path.append(here)
    assert path == ["decoder_feed_forward_sum", "decoder_attention_sum", "decoder_sum"]


def test_gpt_norms_once_more_after_the_last_layer():
    assert edge(GPT, "decoder_feed_forward_sum", "final_norm")
    assert edge(GPT, "final_norm", "linear")
    assert by_id(GPT)["final_norm"]["group"] == "output"
    assert edge(FIGURE, "decoder_feed_forward_norm", "linear")


def test_gpt_learns_its_positions_and_bends_with_gelu():
    figure, gpt = by_id(FIGURE), by_id(GPT)
    assert figure["decoder_positions"]["kind"] == "positional_encoding"
    assert gpt["decoder_positions"]["kind"] == "learned_positions"
    assert r"\sin" in figure["decoder_positions"]["formula"]
    assert "W_P" in gpt["decoder_positions"]["formula"]
    assert r"\max(0" in figure["decoder_feed_forward"]["formula"]
    assert "GELU" in gpt["decoder_feed_forward"]["formula"]


def test_the_differences_are_named_and_point_at_blocks_of_the_figure():
    codes = [one["code"] for one in ABSENT["differences"]]
    assert codes == [
        "no_encoder", "no_cross_attention", "pre_norm", "final_norm", "learned_positions",
        "unscaled_embedding", "gelu", "attention_biases", "sparse_attention", "depth",
    ]  # fmt: skip
    for one in ABSENT["differences"]:
        assert one["blocks"]
        assert set(one["blocks"]) <= by_id(FIGURE).keys()


def test_a_model_says_how_it_is_drawn():
    said = {
        id: (m["drawing"], m["norm_placement"], m["final_norm"], m["positions"], m["activation"])
        for id, m in MODEL.items()
    }
    original = ("figure_1", "post", False, "sinusoidal", "relu")
    assert said == {
        "transformer-base": original,
        "transformer-big": original,
        "gpt3": ("decoder_only", "pre", True, "learned", "gelu"),
    }
