"""The questions on cross-attention."""

from service.engine.grading.bank.cross_shapes import SHAPES
from service.engine.grading.bank.cross_weights import ALIGNMENT
from service.engine.grading.questions.question import Bank

TWO_TEXTS: Bank = {**SHAPES, **ALIGNMENT}
