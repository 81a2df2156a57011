"""The questions on what attention buys, and its price."""

from service.engine.grading.bank.cost_counts import COUNTS
from service.engine.grading.bank.cost_paths import PATHS
from service.engine.grading.bank.cost_work import WORK
from service.engine.grading.questions.question import Bank

PRICE: Bank = {**COUNTS, **PATHS, **WORK}
