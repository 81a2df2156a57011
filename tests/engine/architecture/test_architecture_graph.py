"""Both drawings as graphs on a grid (Vaswani et al. 2017, Figure 1; Radford et al. 2019, 2.3)."""

import re

import pytest
from drawn_graphs import DOCUMENT, FIGURE, GPT, by_id, connected, into, sinks, sources

each_drawing = pytest.mark.parametrize("drawing", [FIGURE, GPT], ids=["figure_1", "decoder_only"])


@each_drawing
def test_ids_are_unique(drawing):
    for kind in ("blocks", "edges", "groups"):
        ids = [one["id"] for one in drawing[kind]]
        assert len(set(ids)) == len(ids)


@each_drawing
def test_both_ends_of_an_edge_exist(drawing):
    for one in drawing["edges"]:
        assert {one["source"], one["target"]} <= by_id(drawing).keys()


@each_drawing
def test_every_input_gets_exactly_one_edge(drawing):
    for block in drawing["blocks"]:
        ends = sorted(one["target_input"] for one in into(drawing, block["id"]))
        assert ends == sorted(one["name"] for one in block["inputs"]), block["id"]


@each_drawing
def test_an_edge_leads_to_a_block_that_is_listed_later(drawing):
    order = list(by_id(drawing))
    for one in drawing["edges"]:
        assert order.index(one["source"]) < order.index(one["target"])


@each_drawing
def test_an_edge_leads_up_or_sideways(drawing):
    blocks = by_id(drawing)
    for one in drawing["edges"]:
        source, target = blocks[one["source"]], blocks[one["target"]]
        sideways = source["row"] == target["row"] and source["column"] != target["column"]
        assert source["row"] < target["row"] or sideways


@each_drawing
def test_no_two_blocks_stand_in_one_place(drawing):
    places = [(block["column"], block["row"]) for block in drawing["blocks"]]
    assert len(set(places)) == len(places)
    assert min(row for _, row in places) == 0


@each_drawing
def test_everything_hangs_together(drawing):
    assert connected(drawing)


@pytest.mark.parametrize(
    ("drawing", "begins"),
    [
        (FIGURE, ["source_tokens", "encoder_positions", "target_tokens", "decoder_positions"]),
        (GPT, ["target_tokens", "decoder_positions"]),
    ],
    ids=["figure_1", "decoder_only"],
)
def test_all_paths_lead_from_tokens_and_positions_to_the_probabilities(drawing, begins):
    assert sources(drawing) == begins
    assert sinks(drawing) == ["output_probabilities"]


@each_drawing
def test_what_flows_has_the_shape_that_its_source_gives_and_its_target_takes(drawing):
    blocks = by_id(drawing)
    for one in drawing["edges"]:
        taken = {i["name"]: i["shape"] for i in blocks[one["target"]]["inputs"]}
        assert one["shape"] == blocks[one["source"]]["output"]
        assert one["shape"] == taken[one["target_input"]]


@each_drawing
def test_every_size_in_a_shape_is_explained(drawing):
    known = {symbol["name"] for symbol in DOCUMENT["symbols"]}
    for block in drawing["blocks"]:
        for shape in (block["output"], *(one["shape"] for one in block["inputs"])):
            assert set(shape) <= known


@pytest.mark.parametrize(
    ("drawing", "kind", "joins"),
    [(FIGURE, "add_and_norm", 5), (GPT, "sum", 2)],
    ids=["figure_1", "decoder_only"],
)
def test_a_residual_path_joins_the_update_of_the_sublayer_that_it_passes(drawing, kind, joins):
    residual = [one for one in drawing["edges"] if one["kind"] == "residual"]
    assert len(residual) == joins
    for one in residual:
        assert by_id(drawing)[one["target"]]["kind"] == kind
        (update,) = [e for e in into(drawing, one["target"]) if e["target_input"] == "update"]
        passed = {update["source"]}
        while one["source"] not in passed:
            passed |= {e["source"] for block in passed for e in into(drawing, block)}
            assert len(passed) < 5  # the sublayer, its norm, and what they read


@each_drawing
def test_every_add_and_norm_has_a_residual_path(drawing):
    for block in drawing["blocks"]:
        if block["kind"] == "add_and_norm" or block["id"].endswith(("attention_sum", "ward_sum")):
            assert sorted(one["kind"] for one in into(drawing, block["id"])) == ["flow", "residual"]


@each_drawing
def test_a_block_stands_in_its_group_and_in_the_groups_around_it(drawing):
    groups = {group["id"]: group for group in drawing["groups"]}
    for block in drawing["blocks"]:
        group = groups[block["group"]]
        assert block["id"] in group["members"]
        if "parent" in group:
            assert block["id"] in groups[group["parent"]]["members"]
    outer = [id for group in groups.values() if "parent" not in group for id in group["members"]]
    assert sorted(outer) == sorted(by_id(drawing))


@each_drawing
def test_a_layer_gives_what_it_takes(drawing):
    blocks = by_id(drawing)
    for group in drawing["groups"]:
        if "repeat_symbol" in group:
            (taken,) = blocks[group["first"]]["inputs"]
            assert taken["shape"] == blocks[group["last"]]["output"]


@each_drawing
def test_every_block_says_what_it_does_in_words_in_a_formula_and_from_where(drawing):
    for block in drawing["blocks"]:
        assert len(block["caption"].split()) > 15
        assert block["formula"].count("{") == block["formula"].count("}")
        assert block["formula"].count(r"\left") == block["formula"].count(r"\right")
        assert re.search(r"\d{4}, (sections? \d|released code)", block["reference"])
