"""The page that sets our verdicts beside those of others."""

from pathlib import Path

import pytest

from bench.grading_cases import CASES, CORRECT, INCORRECT, MATRICES, UNREADABLE
from bench.grading_page import counted, page
from bench.grading_peers import PEERS, by_us

PAGE = (Path(__file__).parents[3] / "docs" / "grading.md").read_text()


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.typed} {case.key} {case.locale}")
def test_our_verdict_is_right(case):
    assert by_us(case) in case.right


@pytest.mark.parametrize("case", MATRICES, ids=str)
def test_our_verdict_on_a_matrix_is_right(case):
    assert by_us(case) in case.right


def test_the_page_has_a_row_for_each_case_with_our_verdict():
    """Of the peers it may have been written with others, or with other versions."""
    ours = [line.split(" | ") for line in page([]).splitlines() if line.startswith("| `")]
    written = [line.split(" | ") for line in PAGE.splitlines() if line.startswith("| `")]
    cases = len(CASES)
    assert [row[:5] for row in written[:cases]] == [row[:5] for row in ours[:cases]]
    assert [row[:4] for row in written[cases:]] == [row[:4] for row in ours[cases:]]


def test_the_page_names_every_peer():
    assert all(f"| {peer.name} " in PAGE for peer in PEERS)


def test_a_refusal_counts_as_such_only_where_the_answer_should_have_been_read():
    verdicts = [
        (CORRECT, (CORRECT,)),
        (UNREADABLE, (CORRECT,)),
        (UNREADABLE, (UNREADABLE,)),
        (INCORRECT, (CORRECT, UNREADABLE)),
    ]
    assert counted(verdicts) == (2, 1, 1)
