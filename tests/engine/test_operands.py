"""How many cells a cell is made from is known without looking at them."""

import numpy as np
import pytest

from service.engine.block.given import Block, Frame, Mlp, PackedHeads, Shared
from service.engine.block.stack import stack
from service.engine.heads import Head
from service.engine.layernorm import layernorm
from service.engine.mask import Mask
from service.engine.move import move
from service.engine.multihead import multihead
from service.engine.one_head import attention
from service.engine.operands import how_many, operands_of
from service.engine.positions.alibi import Alibi
from service.engine.positions.encode import alibi, rotary, sinusoidal
from service.engine.positions.rotary import Rotary
from service.engine.scaling_experiments import scaling_experiments
from service.engine.sources import Weights
from service.engine.trace import Trace

RNG = np.random.default_rng(17)


def r(n, m):
    return RNG.normal(size=(n, m))


def traces_in(found):
    if isinstance(found, Trace):
        return [found]
    children = found.values() if isinstance(found, dict) else found
    return [t for one in children if isinstance(one, dict | list | Trace) for t in traces_in(one)]


MATRICES = {"W_Q": r(2, 4), "W_K": r(2, 4), "W_V": r(2, 4), "W_O": r(4, 2)}
ALL = Mask(keep=np.ones((3, 1), bool), block=np.zeros((1, 3), bool), bias=r(3, 3))
BLOCK = Block(PackedHeads(n_heads=2, **MATRICES), Mlp(r(5, 4), r(1, 5), None, None, r(4, 5)))
FRAME = Frame([0, 2, 0], r(3, 4), r(3, 4))
KINDS = {
    "attention": lambda: attention(
        X=r(3, 4), **MATRICES, mask=ALL, softcap=2.0, rotary=Rotary(), alibi=Alibi(0.5)
    ),
    "one token": lambda: attention(Q=r(1, 2), K=r(1, 2), V=r(1, 1)),
    "multihead": lambda: multihead(r(3, 4), heads=[Head(n, Weights(**MATRICES)) for n in "ab"]),
    "block": lambda: stack([BLOCK], Shared(), frame=FRAME),
    "layernorm": lambda: layernorm(r(2, 3), r(2, 3), 2.0, r(1, 3), r(1, 3)),
    "one number": lambda: layernorm(r(1, 1)),
    "move": lambda: move(r(1, 2), r(3, 2), r(1, 3)),
    "sinusoidal": lambda: sinusoidal(x=r(3, 4)),
    "rotary": lambda: rotary(r(3, 4), Rotary()),
    "alibi": lambda: alibi(2, 3),
    "scaling": lambda: scaling_experiments(Q=r(2, 3), K=r(4, 3)),
}


@pytest.mark.parametrize("kind", KINDS)
def test_as_many_are_counted_as_are_found(kind):
    for trace in traces_in(KINDS[kind]()):
        steps = {step.rule.name: step.value for step in (*trace.inputs, *trace.steps)}
        values = steps | {name: step.value for name, step in trace.elsewhere.items()}
        for step in trace.steps:
            n, m = step.value.shape
            for row, column in ((0, 0), (n - 1, m - 1)):
                found = operands_of(step.rule, row, column, values)
                assert how_many(step.rule, values) == sum(map(len, found)), step.rule.name
