"""docs/conformance.md says what runs, and nothing that runs is further off than it may be."""

import re

import pytest
from conformance import EXCLUDED, FILE, GROUPS, IN_FLOAT64, report, results
from onnx_cases import WIDTHS, short

DIFFERENCE = re.compile(r"\d\.\de[+-]\d\d")


@pytest.fixture(scope="module")
def found():
    return results()


@pytest.fixture(scope="module")
def committed():
    return FILE.read_text("utf-8")


def without_differences(page):
    """The page but for what may vary by machine: differences, and what it was written with."""
    page = re.sub(r"^Written with .*$", "", page, flags=re.MULTILINE)
    return DIFFERENCE.sub("…", page)


def test_the_page_lists_the_cases_that_run_and_no_others(found, committed):
    assert without_differences(committed) == without_differences(report(found)), (
        "docs/conformance.md is not what runs; run make conformance"
    )


def test_every_case_is_run_or_left_out_by_name():
    names = {short(case) for group in GROUPS for case in group.cases}
    assert EXCLUDED.keys() <= names


def test_so_many_cases_run(found):
    assert {title: len(rows) for title, rows in found.items()} == {
        "Attention": 93,
        "LayerNormalization": 19,
        "RMSNormalization": 19,
        "RotaryEmbedding": 8,
        "Softmax": 7,
        "Gelu": 4,
        "SwiGLU": 3,
    }


def test_no_case_is_further_off_than_it_may_be(found):
    for title, rows in found.items():
        for row in rows:
            assert row.in_float64 <= IN_FLOAT64.get(title, 1e-12), row
            assert row.in_its_width <= WIDTHS[row.width], row


def test_no_difference_on_the_page_is_larger_than_it_may_be(committed):
    cells = re.findall(r"^\| `(\w+)` \| (\S+) \| (\S+) \| (\w+) \|$", committed, re.MULTILINE)
    assert len(cells) == sum(len(group.cases) for group in GROUPS) - len(EXCLUDED)
    for name, in_float64, in_its_width, width in cells:
        assert float(in_float64) <= IN_FLOAT64.get(name.partition("_")[0].title(), 1e-12)
        assert float(in_its_width) <= WIDTHS[width]
