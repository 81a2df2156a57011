"""Every question of the bank tests itself, in 200 variants."""

import re
from functools import cache

import pytest
from key_notations import answers, exactly
from written_arithmetic import plain as readable
from written_arithmetic import sides, value

from service.engine.arithmetic import Cells as Wanted
from service.engine.arithmetic import Spent, explain
from service.engine.blocks import whole
from service.engine.grading.bank.whole import BANK
from service.engine.grading.marking.answers import graded
from service.engine.grading.marking.rules import Choice, Expression, Ordering, ShortText
from service.engine.grading.marking.rules import Tensor as TensorRule
from service.engine.grading.questions.chapters import CHAPTERS
from service.engine.grading.questions.question import find_question
from service.engine.grading.questions.wording import latex, plain

SEEDS = [None, *range(1, 200)]
FEW = SEEDS[:12]
TEXTUAL = (Choice, Ordering, ShortText, Expression)
PICKED_FROM_THE_PROMPT = {"next-token"}
OUTSIDE = re.compile(r"\$[^$]*\$|`[^`]*`")
NUMBERS = re.compile(r"[-−]?\d+(?:,\d{3})*(?:\.\d+)?")

questions = pytest.mark.parametrize("id", BANK)


@cache
def variant(id, seed):
    return BANK[id](seed)


@cache
def misconceptions(id, seed):
    return variant(id, seed).task.misconceptions()


def is_numeric(id):
    return not isinstance(variant(id, None).task.rule, TEXTUAL)


numeric = pytest.mark.parametrize("id", [id for id in BANK if is_numeric(id)])
choices = pytest.mark.parametrize(
    "id", [id for id in BANK if isinstance(variant(id, None).task.rule, Choice)]
)


def texts(question):
    """All that a student may see before answering."""
    options = [option.text for option in question.task.choices]
    return [question.title, question.prompt, *question.hints, *options]


def numbers(text):
    return {float(found.replace("−", "-").replace(",", "")) for found in NUMBERS.findall(text)}


def cells(key):
    """The numbers of a key, be it one, rows, or heads of rows."""
    return [cell for part in key for cell in cells(part)] if isinstance(key, tuple) else [key]


# The bank as a whole


def test_there_are_at_least_thirty_questions():
    assert len(BANK) >= 30


def test_every_chapter_has_a_question():
    assert {variant(id, None).chapter for id in BANK} == set(CHAPTERS)


@questions
def test_an_id_is_in_kebab_case_and_the_questions_own(id):
    assert re.fullmatch(r"[a-z]+(-[a-z0-9]+)*", id)
    assert all(variant(id, seed).id == id for seed in FEW)


def test_a_code_means_one_thing():
    said = {
        (mistake.code, mistake.message)
        for id in BANK
        for seed in FEW
        for mistake in misconceptions(id, seed)
    }
    assert len(said) == len({code for code, _ in said})


# What a question says


@questions
def test_a_question_is_complete(id):
    for seed in FEW:
        question = variant(id, seed)
        assert question.difficulty in (1, 2, 3)
        assert len(question.hints) >= 2
        assert all([question.title, question.prompt, question.explanation, *question.hints])


@questions
def test_plain_text_has_no_markup_left(id):
    for seed in SEEDS:
        question = variant(id, seed)
        for text in (*texts(question), question.explanation):
            assert not set("\\$`*{}") & set(plain(text)), plain(text)


@questions
def test_latex_closes_what_it_opens(id):
    for seed in FEW:
        question = variant(id, seed)
        for text in (*texts(question), question.explanation):
            written = latex(text).replace(r"\{", "").replace(r"\}", "")
            assert written.count("{") == written.count("}")
            assert len(re.findall(r"(?<!\\)\$", written)) % 2 == 0


@questions
def test_mathematics_stands_between_dollars(id):
    for seed in FEW:
        question = variant(id, seed)
        for text in (*texts(question), question.explanation):
            outside = OUTSIDE.sub("", text)
            assert not re.search("[−∞√·×≈≤≥²³ᵀ^_\\\\]", outside), text


@questions
def test_the_misconceptions_teach(id):
    for seed in SEEDS:
        mistakes = misconceptions(id, seed)
        assert len({mistake.code for mistake in mistakes}) == len(mistakes)
        for mistake in mistakes:
            assert re.fullmatch(r"[a-z0-9]+(_[a-z0-9]+)*", mistake.code)
            assert mistake.message.endswith((".", "?"))
            assert len(mistake.message.split()) >= 4
            assert not set("\\$") & set(mistake.message)


# Nothing gives the key away


@questions
def test_hints_hold_no_key(id):
    for seed in SEEDS:
        question = variant(id, seed)
        said = " ".join(plain(hint) for hint in question.hints)
        assert not given_away(question, said), said


@questions
def test_the_prompt_holds_no_key(id):
    for seed in SEEDS:
        question = variant(id, seed)
        if is_numeric(id) and not is_telling(question.task.key):
            continue  # a small number stands in many a prompt for another reason
        if id in PICKED_FROM_THE_PROMPT:
            continue
        assert not given_away(question, plain(question.prompt)), plain(question.prompt)


@questions
def test_misconceptions_hold_no_key(id):
    for seed in SEEDS:
        question = variant(id, seed)
        for mistake in misconceptions(id, seed):
            assert not given_away(question, mistake.message), mistake


def is_telling(key):
    return any(abs(cell) >= 100 or cell % 1 for cell in cells(key))


def given_away(question, said):
    """Does a text name the key? Of a matrix, that is all of its cells but 0 and 1."""
    rule, key = question.task.rule, question.task.key
    if isinstance(rule, Choice | Ordering):
        chosen = [plain(option.text) for option in question.task.choices if option.id in key]
        return any(text in said for text in chosen)
    if isinstance(rule, ShortText | Expression):
        return key.lower() in said.lower().split()
    found = numbers(said)
    due = [float(cell) for cell in cells(key)]
    if len(due) > 1:
        due = [cell for cell in due if cell not in (0, 1)]
    return bool(due) and all(any(abs(cell - one) < 1e-9 for one in found) for cell in due)


# Marking


@questions
def test_the_key_is_right_in_many_notations(id):
    for turn, seed in enumerate(SEEDS):
        task = variant(id, seed).task
        written = list(answers(task))
        for place in range(turn, turn + 4):
            answer, locale = written[place % len(written)]
            mark = graded(task, answer, locale).mark
            assert (mark.verdict, mark.score) == ("correct", 1), (seed, answer, locale, mark)


@questions
def test_no_misconception_is_right(id):
    for seed in SEEDS:
        task = variant(id, seed).task
        for mistake in misconceptions(id, seed):
            mark = graded(task, exactly(task, mistake.key), "en").mark
            allowed = ("incorrect",) if is_scalar(task.key) else ("incorrect", "partial")
            assert mark.verdict in allowed, (seed, mistake, mark)
            assert mark.score < 1


def is_scalar(key):
    return not isinstance(key, tuple | frozenset | str)


@numeric
def test_a_number_has_at_least_two_misconceptions(id):
    assert all(len(misconceptions(id, seed)) >= 2 for seed in SEEDS)


@choices
def test_choosing_everything_scores_nothing(id):
    for seed in SEEDS[:20]:
        task = variant(id, seed).task
        everything = [option.id for option in task.choices]
        if task.rule.several:
            answer = {"kind": "choice", "choices": everything}
            assert graded(task, answer).mark.score == 0


@choices
def test_every_wrong_option_has_a_misconception_of_its_own(id):
    for seed in FEW:
        task = variant(id, seed).task
        offered = {option.id for option in task.choices}
        reached = [mistake.key - task.key for mistake in misconceptions(id, seed)]
        assert sorted(map(sorted, reached)) == [[id] for id in sorted(offered - task.key)]


# Variants


@numeric
def test_numbers_have_at_least_twenty_variants(id):
    drawn = {(variant(id, seed).prompt, str(variant(id, seed).task.key)) for seed in SEEDS}
    assert len(drawn) >= 20


@questions
def test_a_seed_always_draws_the_same_variant(id):
    for seed in FEW:
        one, again = variant(id, seed), BANK[id](seed)
        assert (one.prompt, one.task.key, one.task.choices) == (
            again.prompt,
            again.task.key,
            again.task.choices,
        )


@questions
def test_no_seed_and_zero_are_the_same(id):
    assert find_question(BANK, id, 0) == find_question(BANK, id, None)


# Worked solutions


@questions
def test_the_worked_solution_ends_in_the_key(id):
    for seed in SEEDS:
        task = variant(id, seed).task
        last = whole(variant(id, seed).solution().steps[-1].value)
        if isinstance(task.rule, TEXTUAL):
            assert_names_the_key(task, last)
            continue
        key = task.key
        if isinstance(task.rule, TensorRule):
            key = tuple(row for head in key for row in head)
        rows = key if isinstance(key, tuple) else ((key,),)
        assert last.shape == (len(rows), len(rows[0]))
        for found, due in zip(last.flatten(), cells(rows), strict=True):
            assert found == pytest.approx(float(due), rel=1e-12, abs=1e-15), seed


def assert_names_the_key(task, last):
    """A choice is a row of 0 and 1, an order a row of places; a text has no numbers to compare."""
    ids = [option.id for option in task.choices]
    if isinstance(task.rule, Choice):
        assert last.tolist() == [[float(id in task.key) for id in ids]]
    if isinstance(task.rule, Ordering):
        assert last.tolist() == [[1.0 + task.key.index(id) for id in ids]]


@questions
def test_every_step_of_a_solution_explains_itself(id):
    for seed in FEW:
        trace = variant(id, seed).solution()
        names = [step.rule.name for step in (*trace.inputs, *trace.steps)]
        assert len(set(names)) == len(names) == len({*names} | trace.elsewhere.keys())
        for one in explain(trace, {0: Wanted("*")}, None, Spent()):
            for written in (one.text, readable(one.latex)):
                left, right = sides(written)
                found, due = value(left), value(right)
                close = found == due or abs(found - due) <= 1e-12 * abs(due)
                assert close, (seed, one)


@questions
def test_a_solution_reads_only_what_comes_before(id):
    for seed in FEW:
        trace = variant(id, seed).solution()
        known = {step.rule.name: step for step in trace.inputs} | trace.elsewhere
        for step in trace.steps:
            for read in step.rule.reads:
                assert known[read.name].rule.axes == read.axes or "*" in read.axes
            known[step.rule.name] = step
