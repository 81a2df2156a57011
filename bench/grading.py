"""Grading: what it costs, and its verdicts beside those of others.

    python -m bench.grading              CPU times and ratios, then verdicts beside the peers
    python -m bench.grading --http       also single requests and batches through gunicorn
    python -m bench.grading --write      only the verdicts, as docs/grading.md

The peers are those of the extra `bench` that are installed. A single answer is compared with a
Flask endpoint that returns constant bytes, as in bench/small.py; an answer of a batch with a single
request that carries it; an exercise is a full answer to the calculator in which one step is wrong
and the rest follows from it.
"""

import sys
from pathlib import Path

from bench.grading_cases import CASES
from bench.grading_page import counted, page
from bench.grading_peers import by_us, installed
from bench.grading_speed import TEXTS, batch, exercises, over_http, single

PAGE = Path(__file__).parents[1] / "docs" / "grading.md"


def print_verdicts() -> None:
    """A line for each case, and how often each grader is right, refuses and is wrong."""
    peers = installed()
    graders = [("this service", by_us), *((peer.label, peer.verdict) for peer in peers)]
    row = "{:22} {:24}" + " {:>22}" * len(graders)
    print(row.format("typed", "right", *(name for name, _ in graders)))
    for case in CASES:
        verdicts = [grade(case) for _, grade in graders]
        shown = [said if said in case.right else f"({said})" for said in verdicts]
        print(row.format(case.typed[:22], " or ".join(case.right), *shown))
    for name, grade in graders:
        right, refused, wrong = counted([(grade(case), case.right) for case in CASES])
        print(f"{name}: {right} right, {refused} refused, {wrong} wrong")


def print_costs(through_http: bool) -> None:
    """CPU times and their ratios."""
    row = "{:28} {:>10} {:>10} {:>7}"
    print(row.format("one answer, in process", "ours µs", "const µs", "ratio"))
    for name, texts in TEXTS.items():
        ours, constant, ratio = single(texts())
        print(row.format(name, f"{ours:.0f}", f"{constant:.0f}", f"{ratio:.2f}"), flush=True)
    print(row.format("10,000 answers, in process", "alone µs", "batch µs", "ratio"))
    for name, texts in TEXTS.items():
        alone, each = batch(texts())
        print(row.format(name, f"{alone:.1f}", f"{each:.1f}", f"{alone / each:.1f}"), flush=True)
    if through_http:
        print(row.format("10,000 answers, gunicorn", "alone µs", "batch µs", "ratio"))
        for name, texts in TEXTS.items():
            alone, each = over_http(texts())
            print(
                row.format(name, f"{alone:.1f}", f"{each:.1f}", f"{alone / each:.1f}"), flush=True
            )
    print(f"a full calculator answer with follow-through: {exercises():.2f} ms")


def main() -> None:
    if "--write" in sys.argv:
        PAGE.write_text(page(installed()))
        return
    print_costs("--http" in sys.argv)
    print_verdicts()


if __name__ == "__main__":
    main()
