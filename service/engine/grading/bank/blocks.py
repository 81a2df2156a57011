"""The questions on the transformer taken apart."""

from service.engine.grading.bank.blocks_parts import PARTS
from service.engine.grading.bank.blocks_weights import OF_LAYERS
from service.engine.grading.questions.question import Bank

TAKEN_APART: Bank = {**PARTS, **OF_LAYERS}
