"""docs/exercises.md names every exercise, every step and every slip that there is."""

import re
from pathlib import Path

from exercise_answers import slips, stages

from service.engine.grading.exercises.bank import EXERCISES, find_exercise
from service.engine.grading.misconceptions.catalogue import MESSAGES

PAGE = (Path(__file__).parents[3] / "docs" / "exercises.md").read_text("utf-8")


def rows(after):
    """The first and second cell of each row of the table after this heading."""
    table = PAGE.partition(after)[2].strip().split("\n\n")[0].splitlines()[1:]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in table]


def test_every_exercise_is_named_with_its_steps():
    said = {name.strip("`"): steps for name, steps in rows("| exercise | steps |")}
    assert list(said) == list(EXERCISES)
    for id, steps in said.items():
        named = steps.replace(" to ", ", ").split(", ")
        there = [stage.name for stage in find_exercise(id).stages]
        assert [name for name in there if name in named] == named
        assert len(named) == len(there) or " to " in steps


def test_every_slip_is_named_and_no_other():
    named = set(
        re.findall("`([a-z_0-9]+)`", "".join(code for code, _ in rows("| code | in the steps |")))
    )
    found = {
        code for id, name in stages() for seed in range(1, 12) for code, _ in slips(id, name, seed)
    }
    assert named == found | {"sign_lost", "decimal_point_moved"}
    assert named <= set(MESSAGES)
