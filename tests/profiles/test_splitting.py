"""A player who was two persons is split: events, ratings, seasons and meetings go apart."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from tests import clubs
from tests.clubs import NOBODY, SYSTEM, a_club, a_draft, stranger, the_round
from tests.support.caller import Caller, problem
from tests.support.refusals import refusal
from tests.support.scene_rows import reuse_rows
from tournaments.core.errors import Reason
from tournaments.director.services.draws import draw
from tournaments.director.services.entries import enter_list
from tournaments.director.services.tournaments import close_round, finish, publish_round
from tournaments.domain.file.proofs import bundle_from_bytes
from tournaments.domain.roster import Reading
from tournaments.domain.scores import Score
from tournaments.domain.verification import all_hold, verify
from tournaments.exchange.queries.proofs import proof_file
from tournaments.exchange.services.checkpoints import write_checkpoint
from tournaments.models import Club, Entry, Pair, Player, Rating, Tournament
from tournaments.profiles.queries.meetings import head_to_head
from tournaments.profiles.queries.players import player_page
from tournaments.profiles.services.erasing import erase_player
from tournaments.profiles.services.merging import merge_player
from tournaments.profiles.services.splitting import split_player
from tournaments.ratings.services import rebuild_ratings
from tournaments.results.services.reports import confirm_result, report_result
from tournaments.standings.queries.seasons import season_page
from tournaments.standings.services.seasons import add_tournament, create_season

if TYPE_CHECKING:
    from tests.support.scenes import Scene

pytestmark = pytest.mark.django_db

OTHERS = ("Eva Pons / Raúl Mora", "Iris Vega / Noé Lara", "Sara Cid / Teo Rey")
MARKED = "María García (Oliver)"


def played(club: Club, name: str, *lines: str) -> Tournament:
    """A finished liguilla of a list of pairs."""
    tournament = a_draft(club, name)
    enter_list(SYSTEM, tournament, "\n".join(lines), Reading(is_new_in_doubt=True))
    draw(SYSTEM, tournament)
    for number in range(1, 4):
        round_ = publish_round(SYSTEM, the_round(tournament, number))
        for match in round_.matches.with_names():
            report_result(SYSTEM, match, score=Score(3, match.table % 3, 310, 200))
            confirm_result(SYSTEM, match)
        close_round(SYSTEM, round_)
    finish(SYSTEM, tournament)
    tournament.refresh_from_db()
    return tournament


def nights(name: str, other: str) -> tuple[Club, list[Tournament]]:
    """A club of three nights of a season, in the second of which ``other`` plays for María."""
    club = a_club(name)
    Player.objects.create(club=club, code="J90", name=other, folded=other.casefold())
    events = [
        played(club, "Enero", "María García / Luis Sanz", *OTHERS),
        played(club, "Febrero", f"{other} / Luis Sanz", *OTHERS),
        played(club, "Marzo", *OTHERS, "María García / Luis Sanz"),
    ]
    for by in ("entry", "person"):
        season = create_season(SYSTEM, club, name=f"Temporada {by}", by=by)
        for tournament in events:
            add_tournament(SYSTEM, season, tournament)
    return club, events


def of_club(club: Club) -> dict[str, Any]:
    """Ratings, seasons and meetings of a club, by names."""
    cache.clear()
    rebuild_ratings("parejas-online")
    ratings = Rating.objects.filter(player__club=club).select_related("player")
    seasons = [
        [(line.name, line.rank, line.total) for line in season_page(club.slug, slug, SYSTEM).lines]
        for slug in club.seasons.order_by("pk").values_list("slug", flat=True)
    ]
    people = {player.name: f"player-{player.pk}" for player in club.players.filter(same_as=None)}
    marias = [name for name in sorted(people) if name.startswith("María")]
    return {
        "ratings": sorted((str(row.player), row.estimate, row.matches) for row in ratings),
        "seasons": seasons,
        "meetings": {
            name: head_to_head(club.slug, people[name], people["Eva Pons"]).tally for name in marias
        },
    }


def test_after_a_split_all_is_as_in_a_club_that_never_joined_them() -> None:
    apart, _ = nights("Aparte", MARKED)
    joined, events = nights("Junto", "María García")
    before = of_club(joined)
    assert before != of_club(apart)
    old = joined.players.get(name="María García")
    new = split_player(SYSTEM, old, [events[1]], "Oliver")
    assert new.name == MARKED
    assert of_club(joined) == of_club(apart)
    merge_player(SYSTEM, new, old)
    assert of_club(joined) == before, "merging is the way back"


@reuse_rows()
def joined_nights() -> Club:
    """María García is one player in all three nights."""
    return nights("Junto", "María García")[0]


@pytest.fixture
def joined(db: None) -> tuple[Club, list[Tournament], Player]:
    cache.clear()
    club = joined_nights()
    return club, list(club.tournaments.order_by("pk")), club.players.get(name="María García")


def test_entries_pairs_and_profile_have_the_mark_and_proof_and_history_hold(
    joined: tuple[Club, list[Tournament], Player],
) -> None:
    club, events, old = joined
    write_checkpoint(club.pk)
    new = split_player(SYSTEM, old, [events[1]], "(Oliver)")
    entry = events[1].entries.with_players().get(pair__first=new)
    assert (entry.name, entry.seat_names) == (f"{MARKED} – Luis Sanz", (MARKED, "Luis Sanz"))
    assert Pair.objects.filter(club=club, first=old).count() == 1
    assert player_page(new.pk, NOBODY).who.name == MARKED
    write_checkpoint(club.pk)
    call_command("audit_verify", stdout=io.StringIO())
    for event in events:
        assert all_hold(verify(bundle_from_bytes(proof_file(event))))


def test_a_pair_whose_entries_all_go_keeps_its_own_name(
    joined: tuple[Club, list[Tournament], Player],
) -> None:
    club, events, old = joined
    new = split_player(SYSTEM, old, events, "Oliver")
    assert [pair.first for pair in Pair.objects.filter(club=club, second__name="Luis Sanz")] == [
        new
    ]
    assert not Pair.objects.filter(club=club, first=old).exists()


def test_what_is_not_over_or_not_the_players_is_no_part_of_it(
    joined: tuple[Club, list[Tournament], Player],
) -> None:
    club, events, old = joined
    open_one = a_draft(club, "Abril")
    enter_list(SYSTEM, open_one, "María García / Luis Sanz")
    for chosen, mark, reason in (
        ([open_one], "Oliver", Reason.SPLIT_UNFINISHED),
        ([a_draft(club, "Mayo")], "Oliver", Reason.UNKNOWN_CHOICE),
        ([], "Oliver", Reason.NOTHING_LISTED),
        ([events[1]], "", Reason.NAME_TAKEN),
    ):
        with refusal(reason):
            split_player(SYSTEM, old, chosen, mark)
    with refusal(Reason.FORBIDDEN):
        split_player(stranger(), old, [events[1]], "Oliver")
    new = split_player(SYSTEM, old, [events[1]], "Oliver")
    merge_player(SYSTEM, new, old)
    with refusal(Reason.MERGED_ALREADY):
        split_player(SYSTEM, new, [events[1]], "Casetas")
    eva = club.players.get(name="Eva Pons")
    Entry.objects.filter(tournament=open_one).delete()
    erase_player(SYSTEM, eva)
    with refusal(Reason.ALREADY_ERASED):
        split_player(SYSTEM, eva, [events[1]], "Casetas")


def test_the_organiser_chooses_the_tournaments_on_a_page(
    joined: tuple[Club, list[Tournament], Player],
) -> None:
    club, events, old = joined
    boss = clubs.organiser(club)
    assert boss.user is not None
    page = Client(headers={"accept-language": "en"})
    page.force_login(boss.user)
    at = reverse("split-player", args=[old.pk])
    assert at in page.get(reverse("player", args=[old.pk])).content.decode()
    assert "Febrero · Luis Sanz" in page.get(at).content.decode()
    assert page.post(at, {"tournaments": [], "mark": "Oliver"}).status_code == 422
    done = page.post(at, {"tournaments": [events[1].slug], "mark": "Oliver"})
    new = club.players.get(name=MARKED)
    assert (done.status_code, done["location"]) == (302, reverse("player", args=[new.pk]))


def test_a_program_splits_a_player(organiser: Caller, scene: Scene) -> None:
    slug = scene.tournament.slug
    path = f"clubs/{scene.club.slug}/players/J01/split/"
    body = {"tournaments": [slug], "mark": "Oliver"}
    problem(organiser.submit(path, json.dumps(body), "k"), 409, "split_unfinished")
    Tournament.objects.update(state=Tournament.State.FINISHED)
    answer = organiser.submit(path, json.dumps(body), "k")
    assert answer.status_code == 201
    assert json.loads(answer.content)["name"].endswith("(Oliver)")
