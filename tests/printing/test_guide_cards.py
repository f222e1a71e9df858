"""Guide cards are printed from the drafts, and after a change only the changed ones again."""

import pytest
from django.test import Client

from tests.clubs import SYSTEM, organiser, the_round, user
from tests.director.test_single_substitutes import an_individual
from tests.director.test_tables import begin, enter, tables
from tests.sheets.reading import words_of
from tests.support.day import entry
from tournaments.director.services.absences import withdraw
from tournaments.director.services.rounds import swap
from tournaments.director.services.tournaments import publish_round
from tournaments.models import Round
from tournaments.printing.queries.stages import guides_paper
from tournaments.sheets.rows import GuideCards

pytestmark = pytest.mark.django_db

GUIDES = "/t/individual/print/guides.pdf"


def test_before_publication_and_only_the_changed_ones_again() -> None:
    tournament = an_individual(12, rounds=4)
    organiser(tournament.club)
    client = Client(headers={"accept-language": "es"})
    assert client.get(GUIDES).status_code == 404, "strangers see no drafts"
    client.force_login(user("olga"))
    page = client.get("/t/individual/print/").content.decode()
    assert "Solo las guías que han cambiado" not in page, "nothing was printed yet"
    printed = client.get(GUIDES)
    assert sum(text.count("Asiento") for text in words_of(printed.content)) == 12

    tables = list(the_round(tournament, 4).matches.with_names().order_by("table"))
    one, other = tables[0].home, tables[1].home
    swap(
        SYSTEM,
        the_round(tournament, 4),
        entry(tournament, one.number),
        entry(tournament, other.number),
    )
    changed = {e.number for match in tables[:2] for side in match.sides for e in side}
    page = client.get("/t/individual/print/").content.decode()
    numbers = ",".join(map(str, sorted(changed)))
    assert f"Solo las guías que han cambiado: {numbers}" in page
    again = client.get(f"{GUIDES}?stage=1&entries={numbers}")
    assert sum(text.count("Asiento") for text in words_of(again.content)) == len(changed) == 8

    for number in (1, 2, 3, 4):
        publish_round(SYSTEM, the_round(tournament, number))
    page = client.get("/t/individual/print/").content.decode()
    assert "Solo las guías que han cambiado" not in page, "all that is printed holds"
    assert Client().get(GUIDES).status_code == 200


def test_people_at_tables_that_are_planned_know_all_their_rounds_before_the_first() -> None:
    tournament = enter(tables("cuatro", typed_only=True, rounds=3), 8)
    begin(tournament)
    printed = guides_paper(tournament.slug, organiser(tournament.club), None, "es")
    (sheet,) = printed.sheets
    assert isinstance(sheet, GuideCards)
    assert [len(card.turns) for card in sheet.cards] == [3] * 8
    # Who leaves is in no later round, as at tables of three.
    withdraw(SYSTEM, entry(tournament, 8))
    drafts = Round.objects.filter(stage__tournament=tournament, state=Round.State.DRAFT)
    assert [sorted(len(m.sides) for m in round_.matches.all()) for round_ in drafts] == [[3, 4]] * 2
