"""The questions on where a token stands."""

from service.engine.grading.bank.positions_told import TOLD
from service.engine.grading.bank.positions_waves import WAVES
from service.engine.grading.questions.question import Bank

PLACES: Bank = {**TOLD, **WAVES}
