"""Guide cards are printed from the drafts, and after a change only the changed ones again."""

import pytest
from django.test import Client

from tests.clubs import SYSTEM, organiser, the_round, user
from tests.director.test_single_substitutes import an_individual
from tests.sheets.reading import words_of
from tests.support.day import entry
from tournaments.director.services.rounds import swap
from tournaments.director.services.tournaments import publish_round

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
