"""Taking a name out of what was written."""

import json
import unicodedata

import pytest

from tournaments.domain.pseudonyms import Renaming, names_containing, pseudonym, shared_name

NAME = "Zoltán Xylánder"
GONE = Renaming({NAME: "NN 1001"})


def test_an_erased_player_has_a_name_that_is_no_language_s() -> None:
    assert pseudonym(1001) == "NN 1001"


@pytest.mark.parametrize(
    "text",
    [
        NAME,
        NAME.upper(),
        NAME.casefold(),
        unicodedata.normalize("NFD", NAME),
        "Zoltán   Xylánder",
        "Zoltán\nXylánder",
    ],
)
def test_a_name_is_found_however_it_is_written(text: str) -> None:
    assert GONE.text(text) == "NN 1001"
    assert GONE.text(f"dice «{text}», y se va") == "dice «NN 1001», y se va"


def test_a_text_that_names_nobody_stays_as_it_is_even_in_its_unicode_form() -> None:
    name = unicodedata.normalize("NFD", "Begoña  Úbeda")
    assert GONE.text(name) is name


def test_a_name_within_a_longer_word_is_another_word() -> None:
    assert Renaming({"Ana": "NN 1"}).text("Anabel y Mariana") == "Anabel y Mariana"


def test_a_person_whose_name_holds_the_one_that_goes_keeps_theirs() -> None:
    renaming = Renaming({"Ana": "NN 1"}, frozenset({"Ana López"}))
    assert renaming.text("Ana López habló con Ana") == "Ana López habló con NN 1"


def test_a_name_of_two_letters_goes_only_where_it_stands_alone() -> None:
    renaming = Renaming({"Jo": "NN 1"})
    assert renaming.text("jo") == "NN 1"
    assert renaming.text("Jo come") == "Jo come"


def test_a_name_that_is_longer_when_folded_is_found_in_both_forms() -> None:
    renaming = Renaming({"Weiß": "NN 1"})
    assert renaming.text("der Weiß") == renaming.text("der weiss") == "der NN 1"


def test_the_names_of_a_record_go_and_its_hands_stay() -> None:
    text = json.dumps({"seats": [NAME, "Begoña"], "tags": {"by": NAME}, "hands": [{"x": NAME}]})
    left = json.loads(GONE.record(text))
    assert left == {
        "seats": ["NN 1001", "Begoña"],
        "tags": {"by": "NN 1001"},
        "hands": [{"x": NAME}],
    }
    assert NAME not in GONE.record(text, hands=True)


def test_a_record_that_names_nobody_keeps_every_byte() -> None:
    text = '{ "seats" : ["Bego\\u00f1a"] }'
    assert GONE.record(text) == text


def test_what_is_no_object_is_no_record() -> None:
    with pytest.raises(ValueError, match="object"):
        GONE.record("[]")


def test_what_is_looked_for_in_the_database_is_in_every_spelling() -> None:
    (mark,) = GONE.marks
    spellings = [json.dumps(NAME), NAME, unicodedata.normalize("NFD", NAME), NAME.casefold()]
    assert len(mark) >= 2
    assert all(mark.casefold() in spelling.casefold() for spelling in spellings)
    assert Renaming({"Ωμέγα": "NN 1"}).marks == ("",)


@pytest.mark.parametrize(
    ("pair", "left"),
    [
        ("Zoltán Xylánder – Begoña Úbeda", "NN 7 – Begoña Úbeda"),
        ("Xylánder – Úbeda", "NN 7 – Úbeda"),
        ("Los de Zoltán", "Los de NN 7"),
        ("Los Ases", "Los Ases"),
    ],
)
def test_the_name_of_a_pair_loses_one_of_the_two(pair: str, left: str) -> None:
    assert shared_name(pair, NAME, "NN 7") == left


def test_the_names_of_others_that_hold_a_name_are_found() -> None:
    assert names_containing(["Ana"], ["Ana", "ana lópez", "Anabel", "José Ana"]) == {
        "ana lópez",
        "José Ana",
    }
