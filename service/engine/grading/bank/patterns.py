"""Questions on attention patterns: where the words look, and with what weight."""

from fractions import Fraction

from service.engine.grading.bank.patterns_lawful import lawful_rows
from service.engine.grading.marking.rules import Absolute, DecimalPlaces
from service.engine.grading.questions.chapters import PATTERNS
from service.engine.grading.questions.question import Bank, Question
from service.engine.grading.questions.solutions import computed, quantity, worked
from service.engine.grading.questions.tasks import number_task
from service.engine.grading.questions.variants import pick
from service.engine.trace import Trace

_HALF_A_PERCENT = Fraction(1, 200)
# Odd hundredths throughout: what two of them leave is even, and so none of those given.


def _rest(*parts: tuple[str, str, str, Fraction]) -> Trace:
    """1 − the sum of parts."""
    known = [quantity(name, symbol, title, float(value)) for name, symbol, title, value in parts]
    whole = quantity("whole", "s", "What a row sums to", 1)
    seen = computed("sum", "seen", "w", "The known weights together", *known)
    left = computed("difference", "rest", "r", "What is left", whole, seen)
    return worked(*known, whole, seen, left)


def missing_weight(seed: int | None = None) -> Question:
    """The last weight of a row."""
    first = Fraction(pick(55, range(13, 48, 2), seed, "first"), 100)
    second = Fraction(pick(25, range(11, 40, 2), seed, "second"), 100)
    key = 1 - first - second
    word, earlier = pick(
        ("creature", ("the", "fluffy")),
        (("forest", ("a", "green")), ("sat", ("the", "cat")), ("her", ("she", "lost"))),
        seed,
        "words",
    )
    return Question(
        id="missing-weight",
        title="The weight that was blotted out",
        chapter=PATTERNS,
        difficulty=1,
        prompt=f"In a head of GPT, the third word of a text, *{word}*, gives the weight "
        f"{float(first):.2f} to *{earlier[0]}* and {float(second):.2f} to *{earlier[1]}*. More "
        "words follow. Which weight is left for the word itself? Give it to two decimals.",
        hints=(
            "Which words may the third one look at, and which not?",
            "All that it gives away sums to one whole; nothing goes to the words that follow.",
        ),
        task=number_task(
            DecimalPlaces(2),
            key,
            lambda: {
                "rest_forgotten": first + second,
                "mean_for_itself": (first + second) / 2,
                "rest_shared_with_later_words": key / 2,
            },
        ),
        explanation="A row sums to 1 and later words get nothing, so the word keeps "
        f"$1 - {float(first):.2f} - {float(second):.2f} = {float(key):.2f}$.",
        solution=lambda: _rest(
            ("first", "w_1", "Weight of the first word", first),
            ("second", "w_2", "Weight of the second word", second),
        ),
    )


def attention_left(seed: int | None = None) -> Question:
    """What two adjectives leave, in percent."""
    blue = Fraction(pick(47, range(23, 45, 2), seed, "blue"), 100)
    fluffy = Fraction(pick(47, range(27, 49, 2), seed, "fluffy"), 100)
    key = 1 - blue - fluffy
    return Question(
        id="attention-left",
        title="What the adjectives leave over",
        chapter=PATTERNS,
        difficulty=1,
        prompt=f"*creature* looks at *fluffy* with {int(fluffy * 100)} % and at *blue* with "
        f"{int(blue * 100)} % of its attention. How much is left for all other words together? "
        "Give it as a percentage, with the percent sign.",
        hints=(
            "What do the weights of one word come to in all?",
            "Take both shares away from the whole.",
        ),
        task=number_task(
            Absolute(_HALF_A_PERCENT),
            key,
            lambda: {
                "percent_sign_missing": key * 100,
                "rest_forgotten": blue + fluffy,
                "one_weight_only": 1 - fluffy,
            },
        ),
        explanation="The weights of a row are shares of one whole: "
        rf"$100\,\% - {int(fluffy * 100)}\,\% - {int(blue * 100)}\,\% = {int(key * 100)}\,\%$.",
        solution=lambda: _rest(
            ("fluffy", "w_1", "Weight of fluffy", fluffy),
            ("blue", "w_2", "Weight of blue", blue),
        ),
    )


PATTERN_QUESTIONS: Bank = {
    "missing-weight": missing_weight,
    "attention-left": attention_left,
    "lawful-rows": lawful_rows,
}
