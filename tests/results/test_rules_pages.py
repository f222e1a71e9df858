"""The rules to be read, and a position that an arbiter asks about."""

from __future__ import annotations

import re

import pytest
from django.template.loader import render_to_string
from django.test import Client

import engine
from tournaments.domain.rulebook import CHAPTERS, ROWS, RULES
from tournaments.environment import ROOT

pytestmark = pytest.mark.django_db

HEADING = {"Accept-Language": "es"}
ASKED = {"ruleset": "parejas-online", "trump": "o", "turn": "B"}


def try_page(**position: str) -> str:
    return Client(headers=HEADING).get("/rules/try/", {**ASKED, **position}).content.decode()


def answer(**position: str) -> object:
    return Client(headers=HEADING).get("/rules/try/", {**ASKED, **position}).context["answer"]


def test_every_rule_of_the_documents_can_be_read_here_under_its_number() -> None:
    text = (ROOT / "docs" / "programs" / "rules.md").read_text(encoding="utf-8")
    numbers = set(re.findall(r"\*\*(R\d+\.\d+)\*\*", text))
    assert numbers <= set(RULES)
    assert set(re.findall(r"^## (R\d+)", text, re.MULTILINE)) == set(CHAPTERS)
    page = Client().get("/rules/").content.decode()
    for number in {*numbers, *CHAPTERS}:
        assert f'id="{number}"' in page


def test_every_rule_that_the_game_cites_has_words() -> None:
    cited = {
        rule
        for path in (ROOT / "engine").glob("*.py")
        for rule in re.findall(r'"(R\d+(?:\.\d+[a-d]?)?)"', path.read_text(encoding="utf-8"))
    }
    assert cited <= {*RULES, *CHAPTERS}


def test_the_table_of_rulesets_says_what_each_value_says() -> None:
    page = Client(headers=HEADING).get("/rules/").context["rows"]
    table = {row: dict(zip(engine.RULESETS, cells, strict=True)) for row, cells in page}
    assert len(table) == len(ROWS)
    assert table["Pisar un triunfo"]["parejas"] == "con cualquiera"
    assert table["Cartas a cada uno"]["arrastrado"] == "13; quedan 1"
    assert table["Cambio"]["mano-a-mano"] == "con una baza ganada"


def test_each_card_that_may_not_be_played_names_the_rule_that_forbids_it() -> None:
    page = try_page(B="1c 2c 4e", trick="3c")
    assert "B jugó 2c, pero debe montar sobre 3c: 1c" in page
    assert "B jugó 4e, pero debe asistir a 3c: 1c" in page
    assert '/rules/#R4.2"' in page
    assert "Se asiste al palo de salida" in page


def test_who_leads_plays_what_they_like() -> None:
    assert "Aquí no hay obligación" in try_page(B="1c 2c 4e")


def test_cards_are_understood_as_people_type_them() -> None:
    verdict = answer(B="1C, rC,4E", trick="3C")
    assert getattr(verdict, "hand", None) == ("1c", "Rc", "4e")


def test_what_may_be_declared_is_said_and_what_not_with_its_rule() -> None:
    page = try_page(turn="A", A="Ro Co Rc Cc 2b", last="A")
    assert "A: las cuarenta" in page
    assert "las veinte en copas" in page
    assert '/rules/#R6.5c"' in page


@pytest.mark.parametrize(
    ("position", "text"),
    [
        ({"B": "1x"}, "«1x» no es una carta"),
        ({"B": "1c 1c"}, "Una carta está dos veces."),
        ({"B": "1c", "trick": "1c"}, "1c está también en otro sitio."),
        ({"A": "1c"}, "Faltan las cartas de aquel a quien le toca."),
        ({"B": "1c", "trick": "2c 3c 4c 5c"}, "La baza ya está completa"),
        ({"B": "1c", "A": "2c 3c 4c"}, "Las manos no casan"),
        ({"B": "1c", "declared": "A:50"}, "Escribe quién cantó y qué"),
        ({"ruleset": "habanero", "turn": "C", "C": "1c"}, "ahí no se sienta nadie"),
        ({"ruleset": "habanero", "B": "1c", "C": "2c"}, "ahí no se sienta nadie"),
        ({"B": "1c", "upcard": "2c 3c"}, "Una sola carta."),
    ],
)
def test_a_position_that_cannot_be_says_what_is_wrong(position: dict[str, str], text: str) -> None:
    assert text in try_page(**position)


def test_the_examples_answer_and_refuse_something() -> None:
    page = Client(headers=HEADING).get("/rules/try/")
    for _words, query in page.context["examples"]:
        verdict = Client(headers=HEADING).get(f"/rules/try/?{query}").context["answer"]
        assert verdict.refused or verdict.may_not_say or verdict.legal


def test_a_fault_that_is_shown_leads_to_its_rule() -> None:
    fault = engine.Fault("play.must_head", "R4.2", hand=1)
    html = render_to_string("ui/fault.html", {"fault": fault, "words": "…"})
    assert 'href="/rules/#R4.2"' in html
    of_the_format = render_to_string(
        "ui/fault.html", {"fault": engine.Fault("record.syntax", "F1"), "words": "…"}
    )
    assert "/rules/" not in of_the_format, "the notation is no rule of the game"
