"""Two players or two pairs that are the same are merged, read as one, and separated again."""

from __future__ import annotations

import io
import json

import pytest
from django.core.cache import cache
from django.core.management import call_command

from tests.clubs import (
    NOBODY,
    SYSTEM,
    a_club,
    a_draft,
    arbiter,
    link_player,
    organiser,
    program,
    stranger,
    the_round,
    user,
)
from tests.support.refusals import refusal
from tests.support.scene_rows import reuse_rows
from tournaments.core.errors import Reason
from tournaments.core.permissions import Actor, own_players, takes_part
from tournaments.director.queries.cards import club_page
from tournaments.director.queries.entries import newcomers
from tournaments.director.services.draws import draw
from tournaments.director.services.entries import enter_list, enter_newcomers
from tournaments.director.services.substitutions import substitute
from tournaments.director.services.tournaments import close_round, finish, publish_round
from tournaments.domain.file.proofs import bundle_from_bytes
from tournaments.domain.roster import Reading
from tournaments.domain.scores import Score
from tournaments.domain.verification import all_hold, verify
from tournaments.exchange.queries.proofs import proof_file
from tournaments.exchange.services.checkpoints import write_checkpoint
from tournaments.models import AuditEvent, Club, Pair, Player, RatedMatch, Rating, Tournament
from tournaments.people.queries import players_after
from tournaments.people.services.clubs import import_pairs
from tournaments.profiles.queries.meetings import head_to_head
from tournaments.profiles.queries.merging import MergedPair, candidates, merge_preview
from tournaments.profiles.queries.person import player_document
from tournaments.profiles.queries.players import pair_page, player_page
from tournaments.profiles.queries.statistics import statistics_page
from tournaments.profiles.services.erasing import erase_player
from tournaments.profiles.services.merging import (
    merge_pair,
    merge_player,
    separate_pair,
    separate_player,
)
from tournaments.ratings.queries.pages import match_ratings, player_rating
from tournaments.ratings.services import rebuild_ratings, refresh_ratings
from tournaments.results.queries.own_table import own_entry
from tournaments.results.services.reports import confirm_result, report_result
from tournaments.standings.queries.seasons import season_page
from tournaments.standings.services.seasons import add_tournament, create_season

pytestmark = pytest.mark.django_db

NEW = Reading(is_new_in_doubt=True)
"""Names that are nearly those of others are new persons, who are merged here."""
NAMED = "pareja;jugador1;jugador2\n"
OTHERS = ("Eva Pons / Raúl Mora", "Iris Vega / Noé Lara", "Sara Cid / Teo Rey")


def played(club: Club, name: str, *lines: str, rounds: int = 3) -> Tournament:
    """A finished liguilla of a list of pairs."""
    tournament = a_draft(club, name)
    enter_list(SYSTEM, tournament, "\n".join(lines), NEW)
    draw(SYSTEM, tournament)
    for number in range(1, rounds + 1):
        round_ = publish_round(SYSTEM, the_round(tournament, number))
        for match in round_.matches.with_names():
            report_result(SYSTEM, match, score=Score(3, match.table, 310, 200))
            confirm_result(SYSTEM, match)
        close_round(SYSTEM, round_)
    finish(SYSTEM, tournament)
    return tournament


@reuse_rows()
def three_nights() -> Club:
    """Three finished tournaments of a season, signed; Ana is Anna in the second of them."""
    club = a_club()
    first = played(club, "Enero", "Ana Gil / Luis Sanz", *OTHERS)
    second = played(club, "Febrero", "Anna Gil / Luis Sanz", *OTHERS)
    third = played(club, "Marzo", *OTHERS, "Ana Gil / Luis Sanz")
    season = create_season(SYSTEM, club, name="Temporada")
    alone = create_season(SYSTEM, club, name="Personas", by="person")
    for tournament in (first, second, third):
        add_tournament(SYSTEM, season, tournament)
        add_tournament(SYSTEM, alone, tournament)
    refresh_ratings(first.pk)
    write_checkpoint(club.pk)
    return club


@pytest.fixture
def club(db: None) -> Club:
    cache.clear()
    return three_nights()


@pytest.fixture
def boss(club: Club) -> Actor:
    return organiser(club)


def player(name: str) -> Player:
    return Player.objects.select_related("club").get(name=name)


def pair_with(name: str) -> Pair:
    return Pair.objects.select_related("club", "first", "second").get(first__name=name)


def ratings() -> dict[str, tuple[float, float, int]]:
    """The stored ratings, to the last bit."""
    return {
        rating.player.name: (rating.mu, rating.variance, rating.matches)
        for rating in Rating.objects.select_related("player")
        if rating.player is not None
    }


def rated_sides() -> list[str]:
    return list(RatedMatch.objects.order_by("number").values_list("sides", flat=True))


def refreshed() -> dict[str, tuple[float, float, int]]:
    """The ratings after an update, which are those that computing everything again gives."""
    tournament = Tournament.objects.order_by("pk")[0]
    refresh_ratings(tournament.pk)
    updated, sides = ratings(), rated_sides()
    rebuild_ratings(tournament.ruleset)
    assert (ratings(), rated_sides()) == (updated, sides)
    return updated


def season_lines(club: Club, slug: str) -> dict[str, tuple[int, float]]:
    lines = season_page(club.slug, slug, NOBODY).lines
    return {line.name: (line.rank, line.total) for line in lines}


# --- what is read as one -------------------------------------------------------------------------


def test_a_merge_and_its_undoing_in_all_that_is_read(club: Club, boss: Actor) -> None:
    second = Tournament.objects.get(name="Febrero")
    before = refreshed(), season_lines(club, "temporada"), season_lines(club, "personas")
    proof = proof_file(second)
    ana, anna = player("Ana Gil"), player("Anna Gil")
    expected = merge_preview(anna, ana)

    merge_player(boss, anna, ana)

    after = refreshed()
    assert "Anna Gil" not in after
    assert after["Ana Gil"][2] == before[0]["Ana Gil"][2] + before[0]["Anna Gil"][2] == 9
    page = player_page(ana.pk, boss)
    assert page.history.tally.matches == 9
    assert {event.name for event in page.history.events} == {"Enero", "Febrero", "Marzo"}
    assert [one.name for one in page.merged] == ["Anna Gil"]
    assert len(page.pairs) == 1
    assert player_page(anna.pk, boss).who == page.who
    assert player_rating(anna.pk).player == ana.pk
    met = {
        one.person.name: one.tally.matches
        for one in player_page(player("Eva Pons").pk, boss).history.opponents
    }
    assert met["Ana Gil"] == 3
    assert "Anna Gil" not in met
    assert (
        head_to_head(
            club.slug, f"player-{anna.pk}", f"player-{player('Eva Pons').pk}"
        ).tally.matches
        == 3
    )
    lines, people = season_lines(club, "temporada"), season_lines(club, "personas")
    assert "Anna Gil – Luis Sanz" not in lines
    name = "Ana Gil – Luis Sanz"
    assert lines[name][1] == before[1][name][1] + before[1]["Anna Gil – Luis Sanz"][1]
    assert people["Ana Gil"][1] == people["Luis Sanz"][1] == before[2]["Luis Sanz"][1]
    assert [one.name for one in club_page(club.slug, NOBODY).players].count("Anna Gil") == 0
    busiest = {bar.label: bar.count for bar in statistics_page(club.slug).statistics.busiest}
    assert busiest[name] == 9
    assert "Anna Gil – Luis Sanz" not in busiest

    # the preview said so
    shown = {change.name: change.after for change in expected.ratings}
    rating = player_rating(ana.pk).rating
    assert rating is not None
    assert shown["Anna Gil"] is None
    assert shown["Ana Gil"] is not None
    assert (shown["Ana Gil"].rating, shown["Ana Gil"].matches) == (rating.rating, 9)
    assert expected.pairs == (MergedPair("Anna Gil – Luis Sanz", name),)
    (season,) = [change for change in expected.seasons if change.slug == "temporada"]
    assert {line.name for line in season.before} == {name, "Anna Gil – Luis Sanz"}
    assert [(line.name, line.rank, line.total) for line in season.after] == [(name, *lines[name])]

    # the history and the proofs stand
    write_checkpoint(club.pk)
    call_command("audit_verify", stdout=io.StringIO())
    assert all_hold(verify(bundle_from_bytes(proof)))
    assert all_hold(verify(bundle_from_bytes(proof_file(second))))

    separate_player(boss, anna)

    assert (refreshed(), season_lines(club, "temporada"), season_lines(club, "personas")) == before
    assert player_page(anna.pk, boss).who.name == "Anna Gil"
    assert not Pair.objects.exclude(same_as=None).exists()
    verbs = AuditEvent.objects.filter(verb__startswith="player.").order_by("sequence")
    facts = [(event.verb, event.facts) for event in verbs if "imported" not in event.verb]
    for _, of_event in facts:
        del of_event["rows"]
    assert facts == [
        (
            "player.merged",
            {"code": anna.code, "into": ana.code, "pairs": [pair_with("Anna Gil").code]},
        ),
        (
            "player.separated",
            {"code": anna.code, "from": ana.code, "pairs": [pair_with("Anna Gil").code]},
        ),
    ]
    call_command("audit_verify", stdout=io.StringIO())


# --- who may, and what is refused ----------------------------------------------------------------


def test_who_manages_the_club_merges(club: Club) -> None:
    anna, ana = player("Anna Gil"), player("Ana Gil")
    for actor in (NOBODY, stranger(), arbiter(club)):
        with refusal(Reason.SIGN_IN if actor is NOBODY else Reason.FORBIDDEN):
            merge_player(actor, anna, ana)
    merge_player(program(club, "tournaments:manage"), anna, ana)
    with refusal(Reason.FORBIDDEN):
        separate_player(arbiter(club), anna)


def test_two_who_sat_in_one_round_or_are_a_pair_are_not_the_same(club: Club, boss: Actor) -> None:
    ana = player("Ana Gil")
    for name in ("Eva Pons", "Luis Sanz"):
        preview = merge_preview(player(name), ana)
        assert preview.refusal is not None
        assert preview.refusal.reason == Reason.PLAYED_TOGETHER
        with refusal(Reason.PLAYED_TOGETHER):
            merge_player(boss, player(name), ana)
    both = a_draft(club, "Abril")
    enter_list(SYSTEM, both, "Anna Gil / Pau Rius\nAna Gil / Ona Mas", NEW)
    with refusal(Reason.PLAYED_TOGETHER):
        merge_player(boss, player("Anna Gil"), ana)


def test_who_is_merged_with_whom(club: Club, boss: Actor) -> None:
    ana, anna = player("Ana Gil"), player("Anna Gil")
    other = a_draft(a_club("Peña"), "Otro")
    enter_list(SYSTEM, other, "Ana Gil Sanz / Pau Rius\nIvo Ruiz / Ona Mas", NEW)
    draft = a_draft(club, "Abril")
    enter_list(SYSTEM, draft, "Anita Gil / Pau Rius\nIvo Ruiz / Ona Mas", NEW)
    anita = player("Anita Gil")
    with refusal(Reason.MERGED_WITH_ITSELF):
        merge_player(boss, ana, ana)
    with refusal(Reason.OTHER_CLUB):
        merge_player(boss, anna, player("Ana Gil Sanz"))
    with refusal(Reason.NOT_MERGED):
        separate_player(boss, anna)
    merge_player(boss, anna, ana)
    with refusal(Reason.MERGED_ALREADY):  # also what would be a circle
        merge_player(boss, ana, anna)
    with refusal(Reason.MERGED_ALREADY):
        merge_player(boss, anita, anna)
    with refusal(Reason.OTHERS_MERGED):
        merge_player(boss, ana, anita)
    merge_player(boss, anita, ana)
    assert {one.name for one in player_page(ana.pk, boss).merged} == {"Anna Gil", "Anita Gil"}


def test_pairs_are_merged_that_are_of_the_same_two_people(club: Club, boss: Actor) -> None:
    draft = a_draft(club, "Abril")
    enter_list(SYSTEM, draft, NAMED + "Los Oros;Luis Sanz;Ana Gil\n;Ivo Ruiz;Ona Mas", NEW)
    oros, pair = Pair.objects.get(name="Los Oros"), Pair.objects.get(name="Ana Gil – Luis Sanz")
    with refusal(Reason.OTHER_PAIR):
        merge_pair(boss, oros, pair_with("Anna Gil"))
    with refusal(Reason.PLAYED_TOGETHER):
        merge_pair(boss, *entered_twice(club))
    merge_pair(boss, oros, pair)
    page = pair_page(oros.pk, boss)
    assert (page.who.pk, [one.name for one in page.merged]) == (pair.pk, ["Los Oros"])
    assert {row.name for row in page.ahead} == {"Abril"}
    separate_pair(boss, oros)
    assert pair_page(oros.pk, boss).who.name == "Los Oros"
    with refusal(Reason.NOT_MERGED):
        separate_pair(boss, oros)


def entered_twice(club: Club) -> tuple[Pair, Pair]:
    """Two pairs of the same two people, each entered by a substitution in one tournament."""
    draft = a_draft(club, "Mayo")
    enter_list(SYSTEM, draft, NAMED + "Uno;Rita Ros;Pol Mir\nTres;Lea Soto;Gil Roca", NEW)
    two = "pareja,nombre,jugador1,jugador2\nX1,Dos,{0},{1}\n"
    people = [player(name).code for name in ("Rita Ros", "Pol Mir")]
    import_pairs(SYSTEM, club, two.format(*people))
    one, other = Pair.objects.get(name="Uno"), Pair.objects.get(name="Dos")
    draft.entries.create(number=9, name="Dos", folded="dos", pair=other)
    return one, other


# --- accounts, codes and lists -------------------------------------------------------------------


def test_the_account_of_the_one_who_stays_is_the_account_of_both(club: Club, boss: Actor) -> None:
    ana, anna = player("Ana Gil"), player("Anna Gil")
    account = user("ana")
    link_player(boss, ana, account)
    second = Tournament.objects.get(name="Febrero")
    actor = Actor.for_user(account)
    assert not takes_part(actor, second)
    with refusal(Reason.ACCOUNT_STAYS):
        merge_player(boss, ana, anna)
    merge_player(boss, anna, ana)
    assert takes_part(actor, second)
    assert own_players(actor) == {ana.pk, anna.pk}
    entry = second.entries.get(pair__first=anna)
    assert own_entry(second, actor) == entry
    separate_player(boss, anna)
    assert not takes_part(actor, second)


def test_names_and_codes_of_both_enter_the_one_who_stays(club: Club, boss: Actor) -> None:
    ana, anna = player("Ana Gil"), player("Anna Gil")
    code = pair_with("Anna Gil").code
    merge_player(boss, anna, ana)
    by_list = a_draft(club, "Abril")
    (entry,) = enter_list(SYSTEM, by_list, "ANNA GIL / Luis Sanz", NEW)
    assert (entry.pair, entry.name) == (pair_with("Ana Gil"), "Ana Gil – Luis Sanz")
    assert code not in [one.key for one in newcomers(by_list.slug, boss)]
    with refusal(Reason.ALREADY_ENTERED):
        enter_newcomers(SYSTEM, by_list, [pair_with("Anna Gil")])
    assert "Anna Gil" not in [one.name for one in players_after(club.slug, "", 50)]
    names = [one.name for one in candidates(player("Luis Sanz"), "gil")]
    assert names == ["Ana Gil"]
    enter_list(SYSTEM, by_list, "Pau Rius / Ona Mas", NEW)
    other = by_list.entries.with_players().select_related("tournament__club").get(number=2)
    leaves = other.players[0]
    with refusal(Reason.PLAYER_TWICE):
        substitute(SYSTEM, other, leaves=leaves, comes=anna, from_round=1)


def test_the_rating_of_both_is_shown_before_a_match(club: Club, boss: Actor) -> None:
    draft = a_draft(club, "Abril")
    enter_list(SYSTEM, draft, "Anna Gil / Luis Sanz\nEva Pons / Raúl Mora", NEW)
    draw(SYSTEM, draft)
    match = publish_round(SYSTEM, the_round(draft, 1)).matches.with_names().get()
    ana = player("Ana Gil")
    merge_player(boss, player("Anna Gil"), ana)
    refreshed()
    shown, rating = match_ratings(match), player_rating(ana.pk).rating
    assert shown is not None
    assert rating is not None
    assert {effect.name: effect.before for effect in shown.people}["Anna Gil"] == rating.rating


# --- personal data -------------------------------------------------------------------------------


def test_export_and_erasure_take_both(club: Club, boss: Actor) -> None:
    ana, anna = player("Ana Gil"), player("Anna Gil")
    merge_player(boss, anna, ana)
    document = json.loads(player_document(ana))
    assert [row["name"] for row in document["players"]] == ["Ana Gil", "Anna Gil"]
    assert document["players"][1]["same_as"] == ana.pk
    erase_player(SYSTEM, anna)
    assert not Player.objects.filter(name__endswith="a Gil").exists()
    assert not Pair.objects.filter(name__contains="Gil").exists()
    call_command("audit_verify", stdout=io.StringIO())
    with refusal(Reason.ALREADY_ERASED):
        merge_player(boss, player("Eva Pons"), Player.objects.select_related("club").get(pk=ana.pk))
