"""What may be a name, and when two names are the same."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.domain.names import MAX_NAME_LENGTH, BadNameError, clean_name, fold_name


def test_a_name_is_stored_composed() -> None:
    decomposed = unicodedata.normalize("NFD", "Begoña Úbeda")
    assert clean_name(decomposed) == "Begoña Úbeda"


def test_blanks_at_the_ends_and_doubled_are_dropped() -> None:
    assert clean_name("  Ana   María ") == "Ana María"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "name_missing"),
        ("   ", "name_missing"),
        ("x" * (MAX_NAME_LENGTH + 1), "name_too_long"),
        ("Ana\x00", "bad_character"),
        ("Ana\nBea", "bad_character"),
        ("Ana\u202eaeB", "bad_character"),
        ("An\u200ba", "bad_character"),
        ("\ufeffAna", "bad_character"),
        ("Ana\u2028", "bad_character"),
        ("Ana\ue000", "bad_character"),
        ("\u3164", "bad_character"),
        ("Ana\u115fGil", "bad_character"),
        ("\u2800\u2800", "bad_character"),
        ("\u034f", "name_missing"),
        ("\ufe0f \u0301", "name_missing"),
    ],
)
def test_what_is_no_name_is_refused_with_its_code(text: str, code: str) -> None:
    with pytest.raises(BadNameError) as refused:
        clean_name(text)
    assert refused.value.code == code


def test_names_are_compared_composed_and_without_case() -> None:
    assert fold_name(unicodedata.normalize("NFD", "ÁNGEL  PÉREZ")) == fold_name("Ángel Pérez")
    assert fold_name("Ángel") != fold_name("Angel")


@given(st.text(max_size=MAX_NAME_LENGTH))
def test_cleaning_twice_changes_nothing_more(text: str) -> None:
    try:
        name = clean_name(text)
    except BadNameError:
        return
    assert clean_name(name) == name
    assert fold_name(name) == fold_name(text)
