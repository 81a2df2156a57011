"""Two requests of one operation, and only what changed."""

import pytest
from refusals import assert_problem

PATH = "/v1/compare"


@pytest.fixture
def calculator(client):
    return client.get("/v1/examples/calculator").get_json()["body"]


def differ(ask, before, after, operation="attention"):
    return ask("compare", {"operation": operation, "before": before, "after": after})


def by_step(reply, trace=0):
    return {one["step"]: one for one in reply["traces"][trace]["changed"]}


def test_a_request_compared_with_itself_has_changed_nothing(ask, calculator):
    reply = differ(ask, calculator, calculator)
    assert reply["traces"][0]["changed"] == reply["conventions"] == []
    assert reply["traces"][0]["unchanged"][0] == "X"
    assert len(reply["traces"][0]["unchanged"]) == 11


def test_the_mask_off_changes_just_the_hidden_scores_and_what_follows(ask, calculator):
    reply = differ(ask, calculator, {**calculator, "mask": None})
    cells = [(c["row"], c["column"], c["before"]) for c in by_step(reply)["masked"]["cells"]]
    assert cells == [(i, j, None) for i in range(4) for j in range(i + 1, 4)]
    assert reply["traces"][0]["unchanged"] == ["X", "Q", "K", "scores", "scaled", "V"]
    assert reply["conventions"] == [
        {"trace": "", "name": "mask.causal", "before": "true", "after": "false"}
    ]


def test_a_change_to_or_from_minus_infinity_has_no_largest(ask, calculator):
    steps = by_step(differ(ask, calculator, {**calculator, "mask": None}))
    assert "largest" not in steps["masked"]
    assert steps["weights"]["largest"] == 0.75  # 1 becomes 1/4


def test_fluffiness_2_moves_values_and_not_weights(ask, client, calculator):
    fluffier = client.get("/v1/examples/calculator-fluffier").get_json()["body"]
    reply = differ(ask, calculator, fluffier)
    assert {"Q", "K", "scores", "weights"} <= set(reply["traces"][0]["unchanged"])
    creature = by_step(reply)["head"]["cells"][-1]
    assert (creature["row"], creature["column"]) == (3, 0)
    assert creature["before"] == pytest.approx(0.4721, abs=1e-4)
    assert creature["after"] == pytest.approx(0.9442, abs=1e-4)


def test_another_convention_is_named_with_both_values(ask):
    body = {"x": [[3, 4]]}
    reply = differ(ask, body, {**body, "norm": "rms"}, "layernorm")
    assert reply["conventions"] == [
        {"trace": "", "name": "norm", "before": '"layer"', "after": '"rms"'}
    ]
    trace = reply["traces"][0]
    assert (trace["only_before"], trace["only_after"]) == (["mean", "variance"], ["mean_square"])


def test_each_head_is_compared_with_itself(ask, client):
    body = client.get("/v1/examples/two-heads").get_json()["body"]
    second = {**body["heads"][1], "W_V": [[0, 0, 0, 2]]}
    reply = differ(ask, body, {**body, "heads": [body["heads"][0], second]}, "multihead")
    changed = {one["trace"]: [step["step"] for step in one["changed"]] for one in reply["traces"]}
    assert changed == {
        "heads/0": [],
        "heads/1": ["V", "head", "update"],
        "combined": ["concat", "update", "output"],
    }


def test_only_the_steps_that_are_asked_for_are_compared(ask, calculator):
    body = {**calculator, "steps": ["weights"]}
    reply = differ(ask, body, {**body, "mask": None})
    assert list(by_step(reply)) == ["weights"]
    assert reply["traces"][0]["unchanged"] == []


def test_another_number_of_tokens_reshapes_steps(ask, calculator):
    shorter = {**calculator, "tokens": calculator["tokens"][:3], "X": calculator["X"][:3]}
    trace = differ(ask, calculator, shorter)["traces"][0]
    assert trace["changed"] == []
    assert "weights" in trace["reshaped"]


def test_a_fault_in_one_body_is_said_by_its_place_in_the_request(client, calculator):
    body = {"operation": "attention", "before": calculator, "after": {"Q": [["1"]]}}
    response = client.post(PATH, json=body)
    assert response.status_code == 422
    assert response.get_json()["errors"][0]["pointer"] == "#/after/Q/0/0"


def test_bodies_that_do_not_fit_are_said_with_the_one_that_does_not(client, calculator):
    body = {"operation": "attention", "before": {"Q": [[1]]}, "after": calculator}
    assert_problem(
        client.post(PATH, json=body),
        422,
        "#/before/K",
        "before: K is missing; Q, K and V are sent together.",
    )


def test_more_cells_than_can_be_read_are_refused(client):
    before = {"Q": [[0]] * 150, "K": [[1]] * 150, "V": [[1]] * 150}
    body = {"operation": "attention", "before": before, "after": {**before, "Q": [[1]] * 150}}
    response = client.post(PATH, json=body)
    assert response.status_code == 422
    assert "More than 10,000 cells differ" in response.get_json()["detail"]


def test_a_head_of_several_blocks_names_rows_from_the_first_token(ask):
    before = {"Q": [[0]] * 300, "K": [[0]] * 300, "V": [[1]] * 300, "steps": ["scores"]}
    after = {**before, "Q": [[0]] * 299 + [[1]], "K": [[0]] * 299 + [[1]]}
    cells = by_step(differ(ask, before, after))["scores"]["cells"]
    assert [(c["row"], c["column"], c["after"]) for c in cells] == [(299, 299, 1)]


def test_a_matrix_of_more_cells_than_a_block_is_compared_once(ask):
    before = {"x": [[1, 2] * 32] * 1_100, "steps": ["x"]}
    after = {**before, "x": [*before["x"][:-1], [1, 2] * 31 + [1, 3]]}
    cells = by_step(differ(ask, before, after, "layernorm"))["x"]["cells"]
    assert cells == [{"row": 1_099, "column": 63, "before": 2, "after": 3}]


def test_all_rows_of_a_head_of_several_blocks_are_compared(ask):
    before = {"Q": [[0]] * 300, "K": [[0]] * 300, "V": [[1]] * 300, "steps": ["head"]}
    cells = by_step(differ(ask, before, {**before, "V": [[2]] * 300}))["head"]["cells"]
    assert [cell["row"] for cell in cells] == list(range(300))


def test_heads_whose_blocks_are_of_other_rows_are_compared_row_by_row(ask):
    before = {"Q": [[0]] * 300, "K": [[0]] * 300, "V": [[1]] * 300, "steps": ["head"]}
    after = {**before, "K": [[0]] * 400, "V": [[2]] * 400}
    cells = by_step(differ(ask, before, after))["head"]["cells"]
    assert [(c["row"], c["before"], c["after"]) for c in cells] == [
        (i, pytest.approx(1), pytest.approx(2)) for i in range(300)
    ]


def test_minus_zero_is_no_change_from_zero_and_is_shown_as_zero(ask):
    before = {"Q": [[0.0, -0.0]], "K": [[1, 1]], "V": [[1]], "steps": ["Q"]}
    same = differ(ask, before, {**before, "Q": [[-0.0, -0.0]]})
    assert same["traces"][0]["unchanged"] == ["Q"]
    cells = by_step(differ(ask, before, {**before, "Q": [[0.0, 1.0]]}))["Q"]["cells"]
    assert str(cells[0]["before"]) == "0.0"


@pytest.mark.parametrize(
    ("n", "few", "steps"),
    [(80, 40, ["scores", "scaled"]), (300, 20, ["scores"])],
    ids=["two steps", "two blocks"],
)
def test_the_cells_of_all_steps_and_blocks_are_counted(client, n, few, steps):
    before = {"Q": [[0]] * n, "K": [[1]] * n, "V": [[1]] * n, "steps": steps}
    # At each end a few rows change, in all 6,400 cells of each step or 6,000 of each block.
    after = {**before, "Q": [[1]] * few + [[0]] * (n - 2 * few) + [[1]] * few}
    body = {"operation": "attention", "before": before, "after": after}
    assert "More than 10,000 cells differ" in client.post(PATH, json=body).get_json()["detail"]
