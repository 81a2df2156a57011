"""The scaling laboratory as rules: weights of the scores as they are, and of the scaled ones.

Sources: Vaswani et al. 2017, section 3.2.1 with its footnote 4 (why 1/√d_k); Hinton, Vinyals &
Dean 2015, section 2 (temperature).
"""

from functools import cache

from service.engine import attention_rules
from service.engine.attention_rules import QUERY_KEY
from service.engine.trace import ANY, Read, Rule, given

DRAWN_Q = given("Q", "Q", "The query, drawn", ("query", "d_k"))
DRAWN_K = given("K", "K", "The keys, drawn", ("key", "d_k"))
GIVEN_SCORES = given("scores", "S", "Scores", QUERY_KEY)

Q, K, SCORES = attention_rules.Q, attention_rules.K, attention_rules.SCORES
SCALED, SCALED_BY = attention_rules.SCALED, attention_rules.SCALED_BY


@cache
def weights(source: str, tempered: bool) -> Rule:
    """softmax of raw or of scaled scores, over the temperature if it is not 1."""
    s, symbol = ("S", r"A^\mathrm{raw}") if source == "scores" else (r"\tilde S", "A")
    over = r" / \tau" if tempered else ""
    return Rule(
        "weights_raw" if source == "scores" else "weights",
        f"Weights: softmax of the {'raw' if source == 'scores' else 'scaled'} scores",
        symbol,
        rf"{symbol}_{{ij}} = e^{{{s}_{{ij}}{over}}} / \sum_{{j'}} e^{{{s}_{{ij'}}{over}}}",
        rf"{symbol}_{{ji}} = e^{{{s}_{{ji}}{over}}} / \sum_{{j'}} e^{{{s}_{{j'i}}{over}}}",
        "softmax",
        QUERY_KEY,
        (Read(source, ("query", ANY)),),
    )
