"""A winner found out after the end is expelled: the next move up, and what was given stays."""

from datetime import datetime
from typing import Any

import pytest
from django.test import Client

from tests.clubs import SYSTEM, organiser
from tests.support.caller import Caller
from tournaments.accounts.services.invitations import issue_token
from tournaments.director.queries.finals import final_places_of
from tournaments.director.services.absences import expel, revoke_expulsion
from tournaments.director.services.tournaments import finish
from tournaments.domain.file.proofs import bundle_from_bytes
from tournaments.domain.signed_proof import SIGNED
from tournaments.domain.verification import all_hold, verify
from tournaments.exchange.queries.contradictions import check_tournament
from tournaments.exchange.queries.proofs import proof_file
from tournaments.exchange.services.checkpoints import write_checkpoint
from tournaments.models import AuditEvent, CashEntry, Entry, Rating, Season, Tournament
from tournaments.printing.queries.stages import diplomas_paper
from tournaments.ratings.services import rebuild_ratings
from tournaments.sheets.rows import Diplomas
from tournaments.standings.queries.prizes import ceremony_rows, prize_list
from tournaments.standings.queries.seasons import season_page
from tournaments.standings.queries.standings import standings_page
from tournaments.standings.services.prizes import NewPrize, hand_out, set_prizes
from tournaments.standings.services.seasons import add_tournament, close_season, create_season

pytestmark = pytest.mark.django_db


def over(night: Tournament) -> tuple[Season, Entry]:
    """Finish the night with its first prize handed out; return its closed season, its winner."""
    set_prizes(SYSTEM, night, [NewPrize(n, n, cents=cents) for n, cents in ((1, 60000), (2, 300))])
    first = prize_list(night).recipients[0]
    winner = night.entries.get(number=first.number)
    hand_out(SYSTEM, winner, cents=60000)
    finish(SYSTEM, night)
    season = create_season(SYSTEM, night.club, name="Temporada")
    add_tournament(SYSTEM, season, night)
    close_season(SYSTEM, season)
    night.refresh_from_db()
    return season, night.entries.get(pk=winner.pk)


def seen(night: Tournament, season: Season) -> dict[str, Any]:
    """Return who is first, by number or name, wherever somebody is."""
    night.refresh_from_db()
    (sheet,) = diplomas_paper(night.slug, SYSTEM, None, (1,), "es").sheets
    assert isinstance(sheet, Diplomas)
    podium = standings_page(night.slug, SYSTEM).podium
    return {
        "final": [place.who for place in final_places_of([night])[night.pk] if place.rank == 1],
        "prize": [one.number for one in prize_list(night).recipients if one.place == 1],
        "podium": [(row.number, row.rank) for row in podium],
        "diploma": [one.name for one in sheet.winners],
        "season": [line.name for line in season_page(night.club.slug, season.slug, SYSTEM).lines],
    }


def test_the_next_move_up_everywhere_and_the_way_back_restores_all(night: Tournament) -> None:
    season, winner = over(night)
    before, table = seen(night, season), standings_page(night.slug, SYSTEM).rows
    cash = list(CashEntry.objects.order_by("pk").values())
    expel(SYSTEM, winner, "Cartas marcadas")
    after, second = seen(night, season), before["podium"][1][0]
    assert (after["final"], after["prize"]) == ([second], [second])
    assert after["podium"][0] == (second, 1)
    assert after["diploma"] != before["diploma"]
    assert after["season"] == [name for name in before["season"] if name != winner.name]
    rows = [(row.number, row.rank) for row in standings_page(night.slug, SYSTEM).rows]
    assert rows == [(row.number, row.rank) for row in table]
    revoke_expulsion(SYSTEM, winner, "Fue otra pareja")
    assert not winner.absences.exists()
    assert seen(night, season) == before
    assert list(CashEntry.objects.order_by("pk").values()) == cash


def test_what_was_handed_out_stays_in_the_book_and_ratings_stay(night: Tournament) -> None:
    _, winner = over(night)
    rebuild_ratings(night.ruleset)
    ratings = list(Rating.objects.order_by("pk").values_list("player", "mu"))
    assert ratings
    expel(SYSTEM, winner, "Cartas marcadas")
    rebuild_ratings(night.ruleset)
    assert list(Rating.objects.order_by("pk").values_list("player", "mu")) == ratings
    night.refresh_from_db()
    rows = ceremony_rows(night, prize_list(night))
    (gone,) = (row for row in rows if row.recipient.number == winner.number)
    assert (gone.recipient.place, gone.cents_over, gone.is_changed) == (0, 60000, True)


def test_one_that_had_left_before_is_withdrawn_again_when_it_is_revoked(night: Tournament) -> None:
    _, winner = over(night)
    winner.absences.create(kind="withdrawn", from_round=7, made_by="Marta")
    expel(SYSTEM, winner, "Cartas marcadas")
    revoke_expulsion(SYSTEM, winner, "Fue otra pareja")
    assert list(winner.absences.values_list("kind", "from_round", "until_round")) == [
        ("withdrawn", 7, None)
    ]


def test_the_proof_is_stated_again_and_that_of_before_stays_true(night: Tournament) -> None:
    _, winner = over(night)
    write_checkpoint(night.club_id)
    before = proof_file(night)
    expel(SYSTEM, winner, "Cartas marcadas")
    night.refresh_from_db()
    checked = check_tournament(night)
    assert (checked.faults, checked.is_to_sign) == ((), True)
    write_checkpoint(night.club_id)
    after = proof_file(night)
    assert after != before
    for file in (before, after):
        findings = verify(bundle_from_bytes(file))
        assert all_hold(findings)
        assert "signed" in {finding.code for finding in findings}
    verbs = list(night.events.order_by("sequence").values_list("verb", flat=True))
    assert verbs[-3:] == [SIGNED, "entry.expelled", SIGNED]


def test_a_closed_season_says_that_it_was_corrected(night: Tournament) -> None:
    season, winner = over(night)
    boss, scopes = organiser(night.club).user, ["games:read", "tournaments:manage"]
    assert boss is not None
    marta = Client(headers={"accept-language": "es"})
    marta.force_login(boss)
    api = Caller(issue_token(SYSTEM, night.club, boss, name="caja", scopes=scopes)[1])
    place, page = f"clubs/{night.club.slug}/seasons/{season.slug}/", "Corregida después de cerrarse"
    assert api.read(place)["corrected_at"] is None
    assert page not in marta.get(f"/{place}").content.decode()
    form = marta.get(f"/t/{night.slug}/entries/{winner.number}/").content.decode()
    assert "Pierde su puesto y sus premios" in form
    answer = api.submit(
        f"tournaments/{night.slug}/entries/{winner.number}/expel/", '{"reason": "Cartas marcadas"}'
    )
    assert answer.status_code == 201
    event = AuditEvent.objects.get(verb="entry.expelled")
    assert datetime.fromisoformat(api.read(place)["corrected_at"]) == event.at
    assert page in marta.get(f"/{place}").content.decode()
