"""The arithmetic of every cell of every step of every kind of trace comes to the cell's value."""

import mpmath
import pytest
from provenance import nodes, operands, traces
from samples import SAMPLES
from written_arithmetic import numbers, plain, sides, value

OPTIONS = ("scale", "softcap", "delta_factor", "temperature")
BOTH = [(name, orientation) for name in SAMPLES for orientation in ("rows", "columns")]


@pytest.fixture(scope="module")
def explained(ask):
    """Each sample with all its arithmetic, asked once: the reply, and (node, explanation) pairs."""
    known = {}

    def of(name, orientation):
        if (name, orientation) not in known:
            path, body, _ = SAMPLES[name]
            reply = ask(path, body | {"explain": "all", "orientation": orientation})
            pairs = [
                ((path, one["step"]), one)
                for path, trace in traces(reply).items()
                for one in trace["explanations"]
            ]
            known[name, orientation] = nodes(reply), pairs
        return known[name, orientation]

    return of


def number(cell):
    return -mpmath.inf if cell is None else mpmath.mpf(cell)


def assert_comes_to(expression, cell):
    found, expected = value(expression), number(cell)
    close = found == expected or abs(found - expected) <= 1e-12 * abs(expected)
    assert close, f"{expression} is {found}, not {expected}"


@pytest.mark.parametrize(("name", "orientation"), BOTH)
def test_every_cell_of_every_step_is_explained_once(name, orientation, explained):
    known, pairs = explained(name, orientation)
    steps = {node for node in known if node[1] not in ("context", "gamma", "beta")}
    places = [(node, one["row"], one["column"]) for node, one in pairs]
    shown = {node for node, *_ in places}
    expected = [
        (node, row, column)
        for node in known
        if node in shown
        for row in range(known[node]["shape"][0])
        for column in range(known[node]["shape"][1])
    ]
    assert sorted(places) == sorted(expected)
    assert {n for n in steps if known[n]["operation"] != "input"} <= shown


@pytest.mark.parametrize(("name", "orientation"), BOTH)
def test_an_explanation_gives_the_value_that_the_step_has(name, orientation, explained):
    known, pairs = explained(name, orientation)
    for node, one in pairs:
        assert one["value"] == known[node]["value"][one["row"]][one["column"]], one


@pytest.mark.parametrize(("name", "orientation"), BOTH)
def test_operands_are_the_cells_that_the_rule_reads(name, orientation, explained):
    known, pairs = explained(name, orientation)
    for node, one in pairs:
        found = [(o["name"], o["row"], o["column"], o["value"]) for o in one["operands"]]
        read = operands(node, one["row"], one["column"], known)
        if known[node]["operation"] == "concat":
            # The heads lie beside each other, so the read cells in order are the concatenation.
            read = [read[one["row" if orientation == "columns" else "column"]]]
        if known[node]["operation"] == "lookup":
            # The token's number, and of its feature in every word the one at that number.
            read = [read[0], read[1 + int(read[0][3])]]
        assert found == read, one


@pytest.mark.parametrize(("name", "orientation"), BOTH)
def test_the_text_comes_to_the_value(name, orientation, explained):
    for _, one in explained(name, orientation)[1]:
        left, right = sides(one["text"])
        assert_comes_to(left, one["value"])
        # The result is written in full: it reads back as the same float64.
        assert one["value"] is None or float(value(right)) == one["value"], one


@pytest.mark.parametrize(("name", "orientation"), BOTH)
def test_the_latex_comes_to_the_value(name, orientation, explained):
    for _, one in explained(name, orientation)[1]:
        left, right = sides(plain(one["latex"]))
        assert_comes_to(left, one["value"])
        assert_comes_to(right, one["value"])


def of_activations(operation):
    """What the arithmetic of activations holds beside the cell."""
    if operation == "relu":
        return {0.0}
    return {0.044715, 3.0} if operation == "gelu_tanh" else set()


def of_positions(operation, body, one):
    """What the arithmetic of positions holds beside cells: sizes, places and options."""
    if operation == "frequency":
        how = body.get("rotary", {}) | body
        rows = body.get("x") or body.get("embedding")
        width = len(rows[0]) if rows else body.get("d_model", 2)
        return {how.get("base", 10_000.0), float(how.get("dims", width)), 2.0 * one["column"]}
    if operation == "slope":
        return {4.0, 8.0}  # 2^-4, 2^-8 and 2^-2 for three heads, the first two for two
    if operation == "distance":
        how = body.get("alibi", {}) | body
        slopes = {abs(how["slope"])} if "slope" in how else {1 / 4, 1 / 16, 1 / 256}
        return {float(one["row"] + how.get("offset", 0)), float(one["column"])} | slopes
    return set()


@pytest.mark.parametrize("name", SAMPLES)
def test_the_text_holds_no_number_but_operands_and_constants(name, explained):
    body = SAMPLES[name].body
    known_steps, pairs = explained(name, "rows")
    for node, one in pairs:
        known = {abs(o["value"]) for o in one["operands"] if o["value"] is not None}
        constants = {abs(body.get(key, 1.0)) for key in OPTIONS}
        constants |= {body.get("eps", 1e-5), 2.0, float(len(one["operands"]))}
        constants |= (
            {3.0, 4.0} if node[1] in ("scaled", "mean", "variance", "mean_square") else set()
        )
        operation = known_steps[node]["operation"]
        constants |= of_positions(operation, body, one) | of_activations(operation)
        if " = " not in one["text"]:
            known.add(abs(one["value"] or 0.0))
        left, _ = sides(one["text"])
        assert numbers(left) <= known | constants, one


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("2·2 + 0·0", 4),
        ("e^(-1.5) / (e^(-1.5) + e^2)", mpmath.exp(-1.5) / (mpmath.exp(-1.5) + mpmath.exp(2))),
        ("4 / √2", 4 / mpmath.sqrt(2)),
        ("(1 - (-2))^2 / 3", 3),
        ("2·tanh(3 / 2)", 2 * mpmath.tanh(1.5)),
        ("-∞", -mpmath.inf),
        ("1e-05 + 2e+3", 2000 + mpmath.mpf("1e-05")),
        ("((1 + 2) / √(0.25 + 1e-05))", 3 / mpmath.sqrt(0.25001)),
        ("-0.5·|1 - 4|", -1.5),
        ("max(0, -2)", 0),
        ("2·(1 + erf(2 / √2)) / 2", 1 + mpmath.erf(mpmath.sqrt(2))),
        ("√(2 / π)·(1 + 0.5·(-1)^3)", mpmath.sqrt(2 / mpmath.pi) / 2),
        ("100^(-2 / 4)", 0.1),
        ("2·cos(3) - (-1)·sin(3)", 2 * mpmath.cos(3) + mpmath.sin(3)),
    ],
)
def test_the_reader_of_arithmetic_can_count(text, result):
    assert value(text) == result or mpmath.almosteq(value(text), result, 1e-14)


def test_the_reader_of_latex_sees_the_same_sum():
    latex = r"\frac{e^{-1.5}}{\sqrt{2 \cdot 10^{-5}} + (-3)^2} = 1"
    assert plain(latex) == "((e^(-1.5))/(√(2 · 10^(-5)) + (-3)^2)) = 1"


def test_significant_digits_round_what_an_explanation_says(ask):
    body = {"Q": [[1, 2]], "K": [[1, 1], [0.3, 1]], "V": [[1], [2]], "significant_digits": 3}
    cells = [{"step": "scaled", "row": 0, "column": 1}]
    one = ask("attention", {**body, "explain": cells})["explanations"][0]
    # 2.3 / √2 = 1.6263…
    assert (one["value"], one["operands"][0]["value"], one["text"]) == (
        1.63,
        2.3,
        "2.3 / √2 = 1.63",
    )
