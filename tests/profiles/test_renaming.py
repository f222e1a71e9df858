"""Names that were typed wrong are put right: a renamed player stays the same player."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from tests.clubs import (
    NOBODY,
    SYSTEM,
    a_club,
    a_draft,
    arbiter,
    club_night_lines,
    organiser,
    program,
    stranger,
    submitted,
    the_liguilla,
    the_match,
)
from tests.exchange.test_imports import elsewhere, exported
from tests.support.refusals import refusal
from tests.support.scene_rows import reuse_rows
from tournaments.core.errors import Reason
from tournaments.director.services.entries import enter_list, remove_entry
from tournaments.director.services.restoring import go_back
from tournaments.director.services.substitutions import substitute
from tournaments.domain.verification import all_hold, verify
from tournaments.exchange.queries.proofs import proof_of
from tournaments.exchange.services.imports import import_tournament
from tournaments.live.queries.feed import events_after, open_feed
from tournaments.models import AuditEvent, Entry, Match, Pair, Player, Record, Tournament
from tournaments.profiles.queries.players import player_page
from tournaments.profiles.services.erasing import erase_player
from tournaments.profiles.services.renaming import rename_club, rename_pair, rename_player
from tournaments.results.queries.matches import hand_page, match_page
from tournaments.results.services.submit import submit_record, submit_to_tournament
from tournaments.standings.queries.standings import standings_page

if TYPE_CHECKING:
    from tournaments.core.permissions import Actor

pytestmark = pytest.mark.django_db

WRONG, RIGHT = "Pilar Martínez", "Pilar Martín Ruiz"
PAIR = "Las Cuarenta"


@pytest.fixture
def liguilla(db: None) -> Tournament:
    cache.clear()
    return one_round_played()


@reuse_rows()
def one_round_played() -> Tournament:
    """The club night with the first round of its records, one name wrong in all of them."""
    tournament = the_liguilla(published=2)
    for index in range(4):
        assert submitted(tournament, index).outcome == "accepted"
    tournament.refresh_from_db()
    return tournament


@pytest.fixture
def boss(liguilla: Tournament) -> Actor:
    return organiser(liguilla.club)


def wrong_one() -> Player:
    return Player.objects.get(name=WRONG)


def two_friends(*lines: str) -> Tournament:
    """A draft with the pairs of a list of names."""
    tournament = a_draft(a_club())
    enter_list(SYSTEM, tournament, "\n".join(lines))
    return tournament


# --- who may, and what is refused ----------------------------------------------------------------


def test_only_organisers_and_their_programs_put_names_right(liguilla: Tournament) -> None:
    club, pair = liguilla.club, Pair.objects.get(name=PAIR)
    with refusal(Reason.SIGN_IN):
        rename_player(NOBODY, wrong_one(), RIGHT)
    for actor in (arbiter(club), stranger(), program(club, "games:read")):
        with refusal(Reason.FORBIDDEN):
            rename_player(actor, wrong_one(), RIGHT)
        with refusal(Reason.FORBIDDEN):
            rename_pair(actor, pair, "Los Oros")
        with refusal(Reason.FORBIDDEN):
            rename_club(actor, club, name="Otro", city="")
    assert rename_player(program(club, "tournaments:manage"), wrong_one(), RIGHT).name == RIGHT


@pytest.mark.parametrize("name", ["", "  ", "Ana\u202e", "Ana\n", "A" * 101])
def test_a_new_name_is_checked_as_any_other(liguilla: Tournament, boss: Actor, name: str) -> None:
    with refusal(Reason.BAD_NAME):
        rename_player(boss, wrong_one(), name)
    with refusal(Reason.BAD_NAME):
        rename_pair(boss, Pair.objects.get(name=PAIR), name)
    with refusal(Reason.BAD_NAME):
        rename_club(boss, liguilla.club, name=name, city="")


def test_nobody_gets_the_name_of_another_however_it_is_written(
    liguilla: Tournament, boss: Actor
) -> None:
    other = Player.objects.exclude(name=WRONG).order_by("pk")[0].name
    pair = Pair.objects.exclude(name=PAIR).order_by("pk")[0].name
    with refusal(Reason.NAME_TAKEN):
        rename_player(boss, wrong_one(), f"  {other.upper()} ")
    with refusal(Reason.NAME_TAKEN):
        rename_pair(boss, Pair.objects.get(name=PAIR), pair.upper())
    assert Entry.objects.filter(name=PAIR).exists()


def test_the_same_name_changes_nothing_and_is_not_reported(
    liguilla: Tournament, boss: Actor
) -> None:
    count, version = AuditEvent.objects.count(), liguilla.version
    rename_player(boss, wrong_one(), f" {WRONG} ")
    rename_pair(boss, Pair.objects.get(name=PAIR), PAIR)
    rename_club(boss, liguilla.club, name=liguilla.club.name, city=liguilla.club.city)
    liguilla.refresh_from_db()
    assert (AuditEvent.objects.count(), liguilla.version) == (count, version)
    assert wrong_one().earlier_names == ()


def test_who_was_erased_gets_no_name_again(liguilla: Tournament, boss: Actor) -> None:
    Tournament.objects.update(state=Tournament.State.FINISHED)
    erased = erase_player(boss, wrong_one())
    with refusal(Reason.ALREADY_ERASED):
        rename_player(boss, erased, RIGHT)


# --- what changes --------------------------------------------------------------------------------


def test_the_letters_may_be_made_capitals(liguilla: Tournament, boss: Actor) -> None:
    assert rename_player(boss, wrong_one(), WRONG.upper()).name == WRONG.upper()


def test_codes_and_addresses_stay(liguilla: Tournament, boss: Actor) -> None:
    before = wrong_one()
    after = rename_player(boss, before, RIGHT)
    assert (after.pk, after.code) == (before.pk, before.code)
    club = rename_club(boss, liguilla.club, name="Casino  Mercantil", city="Huesca")
    assert (club.name, club.city, club.slug) == ("Casino Mercantil", "Huesca", liguilla.club.slug)
    assert rename_club(boss, club, name="Casino Mercantil", city="").city == ""


def test_a_pair_called_after_its_players_follows_them() -> None:
    tournament = two_friends("Ana Lopes y Luis Gil", "Los Oros: Eva Sanz y Juan Gil")
    club = tournament.club
    rename_player(SYSTEM, club.players.get(name="Ana Lopes"), "Ana López")
    rename_player(SYSTEM, club.players.get(name="Eva Sanz"), "Eva Sanz Val")
    names = ["Ana López – Luis Gil", "Los Oros"]
    assert list(club.pairs.order_by("pk").values_list("name", flat=True)) == names
    assert list(tournament.entries.order_by("number").values_list("name", flat=True)) == names
    rename_player(SYSTEM, club.players.get(name="Luis Gil"), "Luis Gil Pérez")
    assert tournament.entries.get(number=1).name == "Ana López – Luis Gil Pérez"


def test_a_pair_with_a_name_of_its_own_keeps_it(liguilla: Tournament, boss: Actor) -> None:
    rename_player(boss, wrong_one(), RIGHT)
    assert Pair.objects.filter(name=PAIR).exists()
    assert Entry.objects.filter(name=PAIR).exists()


def test_a_pair_is_renamed_in_its_tournaments(liguilla: Tournament, boss: Actor) -> None:
    pair = rename_pair(boss, Pair.objects.get(name=PAIR), "Los Oros")
    entry = liguilla.entries.get(pair=pair)
    assert (entry.name, entry.folded) == ("Los Oros", "los oros")
    assert wrong_one() in (pair.first, pair.second)


def test_a_person_who_stands_in_is_renamed_in_the_line_up(liguilla: Tournament) -> None:
    entry = liguilla.entries.get(number=1)
    leaves = entry.players[0]
    comes = Player.objects.create(
        club=liguilla.club, code="J90", name="Sara Bal", folded="sara bal"
    )
    substitute(SYSTEM, entry, leaves=leaves, comes=comes, from_round=2)
    rename_player(SYSTEM, comes, "Sara Val")
    tables = (the_match(liguilla, 2, table) for table in range(1, 5))
    assert any("Sara Val" in side for match in tables for side in match.names)


def test_going_back_does_not_bring_the_wrong_name_back() -> None:
    tournament = two_friends("Ana Lopes y Luis Gil", "Eva Sanz y Juan Gil")
    entry = tournament.entries.get(number=1)
    remove_entry(SYSTEM, entry)
    rename_player(SYSTEM, tournament.club.players.get(name="Ana Lopes"), "Ana López")
    go_back(SYSTEM, tournament.restore_points.get())
    back = tournament.entries.get(number=1)
    assert (back.name, back.folded) == ("Ana López – Luis Gil", "ana lópez – luis gil")


# --- what is published ---------------------------------------------------------------------------


def test_the_history_says_who_was_renamed_by_code_and_never_by_name(
    liguilla: Tournament, boss: Actor
) -> None:
    last = AuditEvent.objects.filter(club=liguilla.club).count()
    player = rename_player(boss, wrong_one(), RIGHT)
    rename_pair(boss, Pair.objects.get(name=PAIR), "Los Oros")
    rename_club(boss, liguilla.club, name="Casino Mercantil", city="")
    audit_events = AuditEvent.objects.filter(club=liguilla.club, sequence__gt=last).order_by(
        "sequence"
    )
    renamed = ("player.renamed", "entry.renamed", "pair.renamed", "entry.renamed")
    assert [event.verb for event in audit_events] == [*renamed, "club.renamed"]
    assert audit_events[0].facts == {"code": player.code}
    numbers = [liguilla.entries.get(pair__first=player).number]
    assert audit_events[1].facts["entries"] == numbers
    assert audit_events[3].facts["entries"] == [liguilla.entries.get(name="Los Oros").number]
    for event in audit_events[:4]:
        text = json.dumps([event.subject, event.facts], ensure_ascii=False)
        assert not [name for name in (WRONG, RIGHT, PAIR, "Los Oros") if name in text]


def test_programs_that_follow_hear_that_an_entry_has_changed(
    liguilla: Tournament, boss: Actor
) -> None:
    before = open_feed(liguilla.slug, NOBODY)
    rename_pair(boss, Pair.objects.get(name=PAIR), "Los Oros")
    events = events_after(open_feed(liguilla.slug, NOBODY), before.last, 10)
    assert [event.type for event in events] == ["entry.changed"]


# --- what shows it -------------------------------------------------------------------------------


def test_every_page_shows_the_new_name_at_once(liguilla: Tournament, boss: Actor) -> None:
    anybody, player = Client(), wrong_one()
    pair = Pair.objects.get(name=PAIR)
    match = next(
        candidate for candidate in first_round(liguilla) if WRONG in sum(candidate.names, ())
    )
    paths = {
        reverse("tournament", args=[liguilla.slug]): PAIR,
        reverse("round", args=[liguilla.slug, 1]): PAIR,
        reverse("crosstable", args=[liguilla.slug]): PAIR,
        reverse("api:standings", args=[liguilla.slug]): PAIR,
        reverse("player", args=[player.pk]): WRONG,
        reverse("pair", args=[pair.pk]): WRONG,
        reverse("club", args=[liguilla.club.slug]): WRONG,
        reverse("api:entries", args=[liguilla.slug]): WRONG,
        reverse("match", args=[match.pk]): WRONG,
        reverse("hand", args=[match.pk, 1]): WRONG,
    }
    for path, old in paths.items():
        assert old in anybody.get(path).content.decode(), path
    rename_player(boss, player, RIGHT)
    rename_pair(boss, pair, "Los Oros")
    for path, old in paths.items():
        page = anybody.get(path).content.decode()
        assert ("Los Oros" if old == PAIR else RIGHT) in page, path
        assert old not in page, path


def test_what_a_program_has_read_is_no_longer_fresh(liguilla: Tournament, boss: Actor) -> None:
    path = reverse("api:standings", args=[liguilla.slug])
    tag = Client().get(path).headers["ETag"]
    assert Client().get(path, headers={"If-None-Match": tag}).status_code == 304
    rename_pair(boss, Pair.objects.get(name=PAIR), "Los Oros")
    assert Client().get(path, headers={"If-None-Match": tag}).status_code == 200


def test_pages_of_a_tournament_show_the_new_name_of_the_club(
    liguilla: Tournament, boss: Actor
) -> None:
    path = reverse("tournament", args=[liguilla.slug])
    assert "Casino de Zaragoza" in Client().get(path).content.decode()
    rename_club(boss, liguilla.club, name="Casino Mercantil", city="")
    page = Client().get(path).content.decode()
    assert "Casino Mercantil" in page
    assert "Casino de Zaragoza" not in page


# --- records -------------------------------------------------------------------------------------


def test_records_stay_accepted_and_all_is_as_it_was_played(
    liguilla: Tournament, boss: Actor
) -> None:
    before = list(Record.objects.order_by("pk").values("text", "sha256", "digest", "state"))
    table = [(row.number, row.rank) for row in standings_page(liguilla.slug, NOBODY).rows]
    rename_player(boss, wrong_one(), RIGHT)
    rename_pair(boss, Pair.objects.get(name=PAIR), "Los Oros")
    assert list(Record.objects.order_by("pk").values("text", "sha256", "digest", "state")) == before
    new_table = [(row.number, row.rank) for row in standings_page(liguilla.slug, NOBODY).rows]
    assert new_table == table
    call_command("audit")
    call_command("audit_verify")


def test_a_record_with_the_name_of_before_is_still_taken(liguilla: Tournament, boss: Actor) -> None:
    index = next(n for n in range(4, 8) if WRONG in club_night_lines()[n])
    rename_player(boss, wrong_one(), RIGHT)
    match = the_match(liguilla, 2, index - 3)
    submission_outcome = submit_record(SYSTEM, match, club_night_lines()[index])
    assert submission_outcome.outcome == "accepted"
    assert RIGHT in match_page(match.pk, NOBODY).seats
    assert WRONG in Record.objects.accepted().get(match=match).text
    call_command("audit")


def test_a_record_with_the_name_of_before_finds_its_match(
    liguilla: Tournament, boss: Actor
) -> None:
    index = next(n for n in range(4, 8) if WRONG in club_night_lines()[n])
    rename_player(boss, wrong_one(), RIGHT)
    submission_outcome = submit_to_tournament(SYSTEM, liguilla, club_night_lines()[index])
    assert submission_outcome.outcome == "accepted"
    second_outcome = submit_to_tournament(SYSTEM, liguilla, with_name(index, RIGHT))
    assert second_outcome.record == submission_outcome.record


def test_a_name_by_which_another_person_goes_now_is_theirs_alone(
    liguilla: Tournament, boss: Actor
) -> None:
    index = next(n for n in range(4, 8) if WRONG in club_night_lines()[n])
    seats = json.loads(club_night_lines()[index])["seats"]
    opponent = seats[(seats.index(WRONG) + 1) % 4]
    rename_player(boss, wrong_one(), RIGHT)
    rename_player(boss, Player.objects.get(name=opponent), WRONG)
    submission_outcome = submit_record(
        SYSTEM, the_match(liguilla, 2, index - 3), club_night_lines()[index]
    )
    assert submission_outcome.refusal is not None
    assert submission_outcome.refusal.reason is Reason.PAIRING_MISMATCH


def test_what_a_player_has_sung_is_still_theirs(liguilla: Tournament, boss: Actor) -> None:
    before = player_page(wrong_one().pk, NOBODY).history.sung
    assert before is not None
    player = rename_player(boss, wrong_one(), RIGHT)
    assert player_page(player.pk, NOBODY).history.sung == before


def test_a_hand_names_who_sat_there_as_they_are_called_now(
    liguilla: Tournament, boss: Actor
) -> None:
    match = next(
        candidate for candidate in first_round(liguilla) if WRONG in sum(candidate.names, ())
    )
    rename_player(boss, wrong_one(), RIGHT)
    assert RIGHT in hand_page(match.pk, 1, NOBODY).seats.values()


# --- being forgotten -----------------------------------------------------------------------------


def test_who_is_erased_after_it_loses_the_earlier_name_as_well(
    liguilla: Tournament, boss: Actor
) -> None:
    player = rename_player(boss, wrong_one(), RIGHT)
    Tournament.objects.update(state=Tournament.State.FINISHED)
    erased = erase_player(boss, player)
    assert erased.earlier_names == ()
    texts = [*Record.objects.values_list("text", flat=True)]
    texts += map(str, AuditEvent.objects.values_list("subject", "facts"))
    assert not [text for text in texts if WRONG in text or RIGHT in text]
    call_command("audit")
    call_command("audit_verify")


def test_an_earlier_name_that_is_another_s_now_stays_theirs(
    liguilla: Tournament, boss: Actor
) -> None:
    player = rename_player(boss, wrong_one(), RIGHT)
    other = Player.objects.exclude(pk=player.pk).order_by("pk")[0]
    rename_player(boss, other, WRONG)
    Tournament.objects.update(state=Tournament.State.FINISHED)
    erase_player(boss, player)
    assert Player.objects.get(pk=other.pk).name == WRONG


def first_round(tournament: Tournament) -> list[Match]:
    return [the_match(tournament, 1, table) for table in range(1, 5)]


def with_name(index: int, name: str) -> str:
    return club_night_lines()[index].replace(WRONG, name)


def test_earlier_names_go_with_the_tournament_to_another_club_and_its_proof_holds(
    liguilla: Tournament, boss: Actor
) -> None:
    submitted(liguilla, 0)
    rename_player(boss, wrong_one(), "Pepa Primera")
    rename_player(boss, Player.objects.get(name="Pepa Primera"), RIGHT)
    assert all_hold(verify(proof_of(liguilla)))
    document = json.loads(exported(liguilla))
    copy = import_tournament(SYSTEM, elsewhere(), json.dumps(document))
    player = Player.objects.get(club=copy.club, name=RIGHT)
    assert player.earlier_names == (WRONG, "Pepa Primera")
    assert all_hold(verify(proof_of(copy)))


def test_a_tournament_exported_before_there_were_earlier_names_is_taken(
    liguilla: Tournament,
) -> None:
    document = json.loads(exported(liguilla))
    for row in document["players"]:
        del row["earlier"]
    copy = import_tournament(SYSTEM, elsewhere(), json.dumps(document))
    assert set(Player.objects.filter(club=copy.club).values_list("earlier", flat=True)) == {""}


def test_an_earlier_name_in_a_file_is_checked_as_any_other(liguilla: Tournament) -> None:
    document = json.loads(exported(liguilla))
    document["players"][0]["earlier"] = "Pepe\n \u202e"
    with refusal(Reason.BAD_EXPORT) as refused:
        import_tournament(SYSTEM, elsewhere(), json.dumps(document))
    assert refused.value.params["where"] == "/players/0/earlier"
