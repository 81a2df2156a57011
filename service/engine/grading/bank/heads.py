"""The questions on many heads."""

from service.engine.grading.bank.heads_apart import APART
from service.engine.grading.bank.heads_shares import SHARES
from service.engine.grading.bank.heads_updates import UPDATES
from service.engine.grading.bank.heads_weights import WEIGHTS
from service.engine.grading.questions.question import Bank

MANY_HEADS: Bank = {**WEIGHTS, **SHARES, **UPDATES, **APART}
