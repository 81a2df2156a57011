"""A key as students might type it: answers, each with the locale that it is typed in."""

from decimal import Context, Decimal
from fractions import Fraction
from itertools import zip_longest

from service.engine.grading.marking.rules import (
    Cells,
    Choice,
    DecimalPlaces,
    Expression,
    Integer,
    Ordering,
    ShortText,
    SignificantFigures,
    Tensor,
)

NARROW = "\u202f"
ARABIC = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")
PLAIN = Context(prec=15)


def answers(task):
    """(answer, locale) pairs, all of which are right."""
    rule, key = task.rule, task.key
    match rule:
        case Choice():
            ids = sorted(key)
            return [(chosen(ids), None), (chosen(ids[::-1]), None), (chosen(ids * 2), "de")]
        case Ordering():
            return [(chosen(key), None)]
        case ShortText():
            texts = [key, *rule.accepted]
            return [(typed(f"  {text} "), None) for text in texts]
        case Expression():
            return [(typed(key), None), (typed(f"1·({key})"), None), (typed(f"({key}) + 0"), None)]
        case Cells():
            return [({"kind": "matrix", "matrix": rows}, lang) for rows, lang in tables(rule, key)]
        case Tensor():
            heads = [tables(rule.cells, head) for head in key]
            return [
                ({"kind": "tensor", "heads": [rows for rows, _ in same]}, same[0][1])
                for same in zip(*heads, strict=True)
            ]
        case _:
            found = [(typed(text), locale) for text, locale in texts_of(rule, key)]
            return found if asks_for_digits(rule) else [*found, (number(key), None)]


def exactly(task, key):
    """The one answer that is `key` and nothing else."""
    match task.rule:
        case Choice() | Ordering():
            return chosen(key)
        case ShortText() | Expression():
            return typed(key)
        case Cells():
            return {"kind": "matrix", "matrix": exact_rows(key)}
        case Tensor():
            return {"kind": "tensor", "heads": [exact_rows(head) for head in key]}
        case _:
            return typed(fraction(key))


def typed(text):
    return {"kind": "text", "text": text}


def number(key):
    whole = isinstance(key, Fraction) and key.denominator == 1
    return {"kind": "number", "number": int(key) if whole else float(key)}


def chosen(ids):
    return {"kind": "choice", "choices": list(ids)}


def asks_for_digits(rule):
    return getattr(rule, "written_so", False)


def exact_rows(rows):
    return [[fraction(cell) for cell in row] for row in rows]


def fraction(value):
    if isinstance(value, float):
        return "−∞" if value < 0 else "∞"
    return str(value)


def tables(rule, rows):
    """A matrix in the notations of its cells; a cell with fewer of them repeats its first."""
    cells = [cell_texts(rule.each, cell) for row in rows for cell in row]
    for same in zip_longest(*cells):
        full = [one or own[0] for one, own in zip(same, cells, strict=True)]
        (locale,) = {one[1] for one in full}
        texts = iter([one[0] for one in full])
        yield [[next(texts) for _ in row] for row in rows], locale


def cell_texts(each, value):
    """Those in English notation, so that the cells of a matrix share a locale."""
    return [(text, locale) for text, locale in texts_of(each, value) if locale == "en"]


def texts_of(rule, value):
    """(text, locale) pairs of one number."""
    if isinstance(value, float):
        sign = "-" if value < 0 else ""
        return [(f"{sign}∞", "en"), (f"{sign.replace('-', '−')}∞", "en")]
    match rule:
        case DecimalPlaces(places, written_so=True):
            return decimals(f"{decimal(value):.{places}f}")
        case SignificantFigures(figures, written_so=True):
            return decimals(str(Context(prec=figures).create_decimal(decimal(value))))
    if value.denominator == 1:
        return whole(int(value))
    assert not isinstance(rule, Integer), "the key of an integer is one"
    size = decimal(value)
    found = [*decimals(f"{size:f}"), (f"{size:e}", "en"), (f"{size * 100:f} %", "en")]
    return [*found, (str(value), "en")] if value.denominator < 10**6 else found


def whole(value):
    mantissa, _, exponent = f"{Decimal(value).normalize():e}".partition("e")
    english = f"{value:,}"
    return [
        (str(value), None),
        (str(value), "en"),
        (english, "en"),
        (english.replace("-", "−"), "en"),
        (f"{value}.0", "en"),
        (f"{mantissa}×10^{int(exponent or 0)}", "en"),
        (f"{mantissa}e{int(exponent or 0)}", "en"),
        (f"{2 * value}/2", "en"),
        (f"{100 * value} %", "en"),
        (english.replace(",", "."), "de"),
        (english.replace(",", NARROW), "fr"),
        (english.replace(",", "’"), "de-CH"),
        (str(value).translate(ARABIC), "ar"),
    ]


def decimals(text):
    return [
        (text, "en"),
        (text.replace("-", "−"), "en"),
        (f" +{text}" if text[0] != "-" else text, "en"),
        (text.replace(".", ","), "de"),
        (text.replace(".", ","), "fr"),
    ]


def decimal(value):
    return PLAIN.divide(Decimal(value.numerator), Decimal(value.denominator))
