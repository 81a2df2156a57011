import time
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.engine.grading.reading.locales import LOCALES, known_locale
from service.engine.grading.reading.read import Reading, read, read_cell, read_number
from service.engine.grading.reading.values import Digits

NBSP, NARROW, THIN = "\u00a0", "\u202f", "\u2009"

GROUPS = {
    **dict.fromkeys(("en", "en-US", "en-IN"), (",", ".")),
    **dict.fromkeys(("de", "de-AT", "es", "it", "nl", "pt", "da"), (".", ",")),
    **dict.fromkeys(("fr", "sv", "nb", "pl", "fi", "cs", "ru"), (NBSP, ",")),
    "de-CH": ("'", "."),
}
EVERYWHERE = (" ", NBSP, NARROW, THIN, "'", "\u2019")


def outcome(reading: Reading) -> str | Fraction | float | None:
    return f"unreadable:{reading.problem.code}" if reading.problem else reading.value


def grouped(digits: str, mark: str) -> str:
    return f"{int(digits):,}".replace(",", mark) if digits else ""


@given(st.text(), st.sampled_from([None, "xx", *sorted(LOCALES)]))
def test_no_text_raises(text, locale):
    reading = read(text, locale)
    assert (reading.value is None) == (reading.problem is not None)


@given(st.text(alphabet="0123456789.,' -+*/^eExX()√%½²⁻∞kMsqrt_\u066b\u066c\u00a0", max_size=14))
def test_no_mixture_of_signs_and_digits_raises_or_is_read_without_being_shown(text):
    reading = read(text)
    assert (reading.value is None) == (reading.normal_form == "")


@pytest.mark.parametrize("unit", ["9^", "1e9", "1 ", "1,", "(", "√", "1/", "e", "k ", "10^9*"])
def test_the_longest_texts_answer_at_once(unit):
    text = (unit * 200)[:200]
    start = time.perf_counter()
    read(text)
    assert time.perf_counter() - start < 0.5


@given(st.integers(-(10**15), 10**15), st.sampled_from(sorted(GROUPS)), st.data())
def test_every_grouped_integer_reads_back_in_every_locale(number, locale, data):
    quotes = ("'", "\u2019") if locale == "es" else ()  # before decimals there, too
    marks = [mark for mark in ("", GROUPS[locale][0], *EVERYWHERE) if mark not in quotes]
    mark = data.draw(st.sampled_from(marks))
    minus = data.draw(st.sampled_from(["-", "\u2212", "- ", "\u2013"]))
    text = (minus if number < 0 else "") + grouped(str(abs(number)), mark)
    assert read(text, locale).value == number


@given(
    st.integers(0, 10**12),
    st.from_regex("[0-9]{1,9}", fullmatch=True),
    st.sampled_from(sorted(GROUPS)),
    st.data(),
)
def test_every_decimal_reads_back_in_every_locale(whole, decimals, locale, data):
    group, decimal = GROUPS[locale]
    mark = data.draw(st.sampled_from(["", group, *EVERYWHERE]))
    text = grouped(str(whole), mark) + decimal + decimals
    assert read(text, locale).value == Fraction(f"{whole}.{decimals}")


@given(st.integers(0, 10**12), st.sampled_from([",", ".", *EVERYWHERE]))
def test_without_a_locale_a_grouped_integer_is_itself_or_ambiguous(number, mark):
    reading = read(grouped(str(number), mark))
    values = [alternative.value for alternative in reading.alternatives]
    assert reading.value == number or (reading.value is None and number in values)


@given(
    st.integers(-(10**6), 10**6),
    st.integers(-200, 200),
    st.sampled_from(["{}e{}", "{} e{}", "{}E{}", "{}*10^{}", "{}×10^({})", "{} · 10^{{{}}}"]),
)
def test_every_power_of_ten_reads_back(mantissa, exponent, form):
    text = form.format(mantissa, exponent)
    assert read(text).value == mantissa * Fraction(10) ** exponent


@given(st.floats(allow_nan=False, allow_infinity=False).filter(lambda x: 1e-290 < abs(x) < 1e290))
def test_a_json_number_is_read_by_its_shortest_decimal(number):
    reading = read_number(number)
    assert reading.value == Fraction(repr(number))
    assert reading.alternatives == ()


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (9216, Fraction(9216)),
        (9216.0, Fraction(9216)),
        (2.828, Fraction(2828, 1000)),
        (0.1, Fraction(1, 10)),
        (1e22, Fraction(10**22)),
        (True, "unreadable:not_a_number"),
        (float("nan"), "unreadable:not_a_number"),
        (float("-inf"), "unreadable:not_a_number"),
        ([], "unreadable:not_a_number"),
        (10**5000, "unreadable:out_of_range"),
        (None, "unreadable:blank"),
    ],
    ids=lambda value: str(value)[:20] if not isinstance(value, int) or value < 10**9 else "huge",
)
def test_a_json_value_is_read_only_if_it_is_a_finite_number(number, expected):
    assert outcome(read_number(number)) == expected


def test_a_cell_reads_text_as_a_lone_answer_does():
    assert read_cell("1/2") == read("1/2")
    assert read_cell("9,216", "de").value == Fraction(9216, 1000)
    assert read_cell(0.5).value == Fraction(1, 2)


def test_an_ambiguous_text_shows_both_values_and_why():
    alternatives = read("9,216").alternatives
    assert set(alternatives) == {
        (Fraction(9216), "comma between thousands"),
        (Fraction(9216, 1000), "comma before the decimals"),
    }


def test_a_locale_settles_a_text_and_the_other_reading_stays_visible():
    reading = read("9,216", "en")
    assert reading.value == 9216
    assert reading.alternatives == ((Fraction(9216, 1000), "comma before the decimals"),)


def test_a_text_with_one_reading_has_no_alternatives():
    assert read("57,982,058,496").alternatives == ()


def test_groups_of_two_show_what_they_would_be():
    assert [value for value, _ in read("1,00,000").alternatives] == [100000]


def test_a_german_billion_shows_both_scales():
    values = {value for value, _ in read("2 Billion", "de").alternatives}
    assert values == {2 * 10**9, 2 * 10**12}


@pytest.mark.parametrize(
    ("text", "locale", "expected"),
    [
        ("6.10^23", "en", {Fraction(61, 10) ** 23, Fraction(6 * 10**23)}),
        ("2.10^-3", None, {Fraction(1000, 9261), Fraction(2, 1000)}),
        ("2,10^3", "de", {Fraction(9261, 1000), Fraction(2000)}),
        ("\u06f3/\u06f1\u06f4", "fa", {Fraction(3, 14), Fraction(314, 100)}),
        ("1'234", "es", {Fraction(1234), Fraction(1234, 1000)}),
        ("5 K", None, {Fraction(5), Fraction(5000)}),
        ("7 B", "en", {Fraction(7), Fraction(7 * 10**9)}),
    ],
)
def test_what_no_locale_settles_shows_every_reading(text, locale, expected):
    assert {alternative.value for alternative in read(text, locale).alternatives} == expected


def test_a_letter_that_may_be_a_unit_is_named_as_both():
    problem = read("5 K").problem
    assert problem is not None
    assert "K for thousand, or K for the unit kelvin" in problem.message


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("80", Digits(0, 1, 2)),
        ("80.", Digits(0, 2, 2)),
        ("8.0e1", Digits(0, 2, 2)),
        ("0.050", Digits(3, 2, 2)),
        ("1.27", Digits(2, 3, 3)),
        ("138*10^-3", Digits(3, 3, 3)),
        ("47.2%", Digits(3, 3, 3)),
        ("58 billion", Digits(0, 2, 2)),
        ("0", Digits(0, 0, 0)),
        ("1/2", None),
        ("2^10", None),
        ("√2", None),
    ],
)
def test_the_typed_precision_is_kept(text, digits):
    assert read(text).digits == digits


@pytest.mark.parametrize(
    ("text", "nearly", "form", "latex"),
    [
        ("√2", 1.4142135623730951, "√2", r"\sqrt{2}"),
        ("sqrt(2)", 1.4142135623730951, "√2", r"\sqrt{2}"),
        ("-√2", -1.4142135623730951, "-√2", r"-\sqrt{2}"),
        ("4/√2", 2.8284271247461903, "4/√2", r"4/\sqrt{2}"),
        ("2√2", 2.8284271247461903, "2√2", r"2\sqrt{2}"),
        ("sqrt(2)/2", 0.7071067811865476, "(√2)/2", r"\frac{\sqrt{2}}{2}"),
        ("√(1/3)", 0.5773502691896257, "√(1/3)", r"\sqrt{\frac{1}{3}}"),
        ("3*√2", 4.242640687119285, "3*√2", r"3 \cdot \sqrt{2}"),
    ],
)
def test_an_irrational_root_is_flagged_as_approximate(text, nearly, form, latex):
    reading = read(text)
    assert reading.approximate
    assert float(reading.value) == nearly
    assert (reading.normal_form, reading.latex) == (form, latex)


@pytest.mark.parametrize(("text", "form"), [("√4", "2"), ("√(9/4)", "1.5"), ("2/√4", "1")])
def test_a_root_that_comes_out_even_is_exact(text, form):
    reading = read(text)
    assert not reading.approximate
    assert (reading.normal_form, reading.latex) == (form, form)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1 \u2126", "Ω"),
        ("1 \u03a9", "Ω"),
        ("5 \u00b5s", "μs"),
        ("5 m/s\u00b2", "m/s²"),
        ("58 billion euros", "euros"),
        ("$ 5", "$"),
        ("5 " + "long" * 10, "long" * 5),
    ],
)
def test_a_unit_is_named(text, words):
    problem = read(text).problem
    assert problem is not None
    assert f"“{words}”" in problem.message


@pytest.mark.parametrize("tag", [*GROUPS, "ar", "fa", "hi", "es-MX", "fr-CA"])
def test_the_locale_is_known(tag):
    assert known_locale(tag)


def test_a_region_counts_as_its_language_and_other_tags_are_unknown():
    assert known_locale("de-AT")
    assert known_locale("en_US")
    assert known_locale("ar-EG-u-nu-arab")
    assert not known_locale("en-u-nu-runes")
    assert not known_locale("en-u-ca-thai")
    assert not known_locale("en-u-nu")
    assert not known_locale("xx")
    assert not known_locale("")
