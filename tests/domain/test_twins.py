"""Names that are probably those of one person."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.domain.twins import are_same_letters, find_twins

CLUB = ("Ángel Pérez", "Luisa Sanz", "Begoña de la Peña", "Ana 1")


@pytest.mark.parametrize(
    ("name", "twin"),
    [
        ("Angel Perez", "Ángel Pérez"),
        ("ÁNGEL PÉREZ.", "Ángel Pérez"),
        ("Pérez, Ángel", "Ángel Pérez"),
        ("Ángel Péres", "Ángel Pérez"),
        ("Ángel Péreez", "Ángel Pérez"),
        ("Ángl Pérez", "Ángel Pérez"),
        ("Ágnel Pérez", "Ángel Pérez"),
        ("Luis Sanz", "Luisa Sanz"),
        ("Begona dela Pena", "Begoña de la Peña"),
    ],
)
def test_a_name_a_slip_away_is_a_twin(name: str, twin: str) -> None:
    assert find_twins([name], CLUB) == {name: (twin,)}


@pytest.mark.parametrize("name", ["Ángel Pérez", "ángel pérez", "Ángela Péres", "Ana 2", "Luis"])
def test_the_name_itself_and_what_differs_by_more_is_none(name: str) -> None:
    assert find_twins([name], CLUB) == {}


def test_the_names_of_one_list_are_twins_of_each_other() -> None:
    two = ["Íñigo Buñuel", "Inigo Bunuel"]
    assert find_twins(two, two) == {two[0]: (two[1],), two[1]: (two[0],)}


def test_names_of_the_same_letters_come_before_slips() -> None:
    known = ("Angel Peres", "Ángel Pérez")
    assert find_twins(["Angel Perez"], known) == {"Angel Perez": ("Ángel Pérez", "Angel Peres")}
    assert are_same_letters("Angel Perez", "Ángel Pérez")
    assert not are_same_letters("♠", "♥"), "names without letters"


@given(st.text(max_size=30), st.lists(st.text(max_size=30), max_size=5))
def test_any_texts_are_compared(name: str, known: list[str]) -> None:
    assert set(find_twins([name], known).get(name, ())) <= set(known)
