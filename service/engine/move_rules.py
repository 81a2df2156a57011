"""An embedding moved by weighted values, as rules. Source: Vaswani et al. 2017, section 3.2.1 (the
weighted sum of values) with the residual connection of section 3.1."""

from service.engine.trace import UNIT, Read, Rule, given

UNIT_MODEL = (UNIT, "d_model")
UNIT_KEY = (UNIT, "key")
KEY_MODEL = ("key", "d_model")

X = given("x", "x", "The embedding", UNIT_MODEL)
V = given("V", "V", "Values", KEY_MODEL)
WEIGHTS = given("weights", "w", "Weights", UNIT_KEY)
TARGET = given("target", "t", "The target", UNIT_MODEL)

CONTRIBUTIONS = Rule(
    "contributions",
    "What each value contributes",
    "C",
    r"C_{ij} = w_i V_{ij}",
    r"C_{ji} = w_i V_{ji}",
    "multiply",
    KEY_MODEL,
    (Read("weights", UNIT_KEY), Read("V", KEY_MODEL)),
)
UPDATE = Rule(
    "update",
    "Update: the weighted sum of values",
    r"\Delta",
    r"\Delta_j = \sum_i C_{ij}",
    r"\Delta_j = \sum_i C_{ji}",
    "sum",
    UNIT_MODEL,
    (Read("contributions", KEY_MODEL),),
)
MOVED = Rule(
    "moved",
    "The embedding, moved",
    "y",
    r"y = x + \Delta",
    r"y = x + \Delta",
    "add",
    UNIT_MODEL,
    (Read("x", UNIT_MODEL), Read("update", UNIT_MODEL)),
)
