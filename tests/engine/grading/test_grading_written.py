"""Laws of the reader, held against numbers that written_numbers.py writes."""

from fractions import Fraction

import pytest
from contested_numbers import FORMS as CONTESTED
from hypothesis import given, settings
from hypothesis import strategies as st
from written_numbers import FORMS, HABITS, SETTLED, written

from service.engine.grading.reading.locales import LOCALES
from service.engine.grading.reading.plain import plain_number
from service.engine.grading.reading.read import _read, read

MIXTURE = "0123456789.,' -+*/^eExX()√%½²⁻∞kMG_\u066b\u066c\u0663\u00a0\u2013·="
# One of each kind: the marks between thousands and before decimals, digits, long scale, percent.
KINDS = ("en", "en-in", "hi", "th", "es", "de", "tr", "fr", "sv", "de-ch", "it-ch", "ar", "km")
ANY_LOCALE = st.sampled_from([None, *sorted(LOCALES)])


def values(text: str) -> set[Fraction | float]:
    """What the text means in the locales that settle it."""
    readings = [read(text, locale) for locale in KINDS]
    return {reading.value for reading in readings if reading.value is not None}


def test_the_writer_knows_every_locale_of_the_reader():
    assert HABITS.keys() == LOCALES


@pytest.mark.parametrize("locale", SETTLED)
@settings(max_examples=25)
@given(st.data())
def test_every_number_in_every_notation_of_its_locale_reads_back(locale, data):
    text, value = data.draw(written(locale))
    assert read(text, locale).value == value


@given(st.sampled_from(sorted(HABITS)), st.booleans(), st.data())
@settings(max_examples=250)
def test_without_a_locale_a_number_is_itself_or_shown_among_the_readings(locale, arithmetic, data):
    text, value = data.draw(written(locale))
    reading = read(text, None, arithmetic)
    shown = [alternative.value for alternative in reading.alternatives]
    needs_locale = reading.problem and (
        reading.problem.code == "digits_need_locale" or text.lstrip("+-−–\uff0d ").startswith("%")
    )
    assert reading.value == value or (reading.value is None and (value in shown or needs_locale))


@given(st.sampled_from(sorted(HABITS)), st.data())
@settings(max_examples=300)
def test_what_two_locales_read_differently_is_unreadable_without_one(locale, data):
    text, _ = data.draw(written(locale))
    meanings = values(text)
    if len(meanings) > 1:
        reading = read(text)
        assert reading.value is None
        assert meanings <= {alternative.value for alternative in reading.alternatives}


@pytest.mark.parametrize(("form", "tags"), CONTESTED, ids=[form.__name__ for form, _ in CONTESTED])
@settings(max_examples=150)
@given(st.data())
def test_one_schools_notation_is_itself_or_shown_wherever_another_reads_it_otherwise(
    form, tags, data
):
    text, value = form(data.draw)
    reading = read(text, data.draw(st.sampled_from(tags)), True)
    shown = [alternative.value for alternative in reading.alternatives]
    assert reading.value == value or (reading.value is None and value in shown)


@given(st.text(MIXTURE, max_size=10) | st.text(max_size=10))
@settings(max_examples=300)
def test_no_text_at_all_has_two_meanings_silently(text):
    meanings = values(text)
    if len(meanings) > 1:
        assert read(text).value is None


@given(
    st.from_regex(r"[-+]?[0-9]{0,22}\.?[0-9]{0,22}", fullmatch=True)
    | st.from_regex(r"[-+]?[0-9]{1,4}([,. '_][0-9]{3}){1,3}", fullmatch=True)
    | st.from_regex(r"[-+]?[0-9]{1,3}(,[0-9]{3}|\.[0-9]{3}| [0-9]{3}){1,3}", fullmatch=True)
    | st.from_regex(r"[-+]?[0-9]{1,4}/[0-9]{1,4}", fullmatch=True),
    ANY_LOCALE,
    st.booleans(),
)
@settings(max_examples=300)
def test_the_short_way_reads_as_the_long_way_does(text, locale, arithmetic):
    short = plain_number(text)
    if short is not None:
        assert short == _read(text, locale, arithmetic)


@given(st.text(MIXTURE, max_size=12), ANY_LOCALE)
@settings(max_examples=300)
def test_arithmetic_changes_nothing_that_is_read_without_it(text, locale):
    without = read(text, locale)
    if without.value is not None:
        assert read(text, locale, True) == without


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.__name__)
def test_every_form_is_written(form):
    """The writer draws from all of its forms; a law that never sees one would hold of it."""

    @settings(max_examples=5, database=None)
    @given(st.data())
    def some(data):
        text, value = form(data.draw, HABITS["en"])
        assert read(text, "en").value == value

    some()
