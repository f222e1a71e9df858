"""The entries as pages read them, and how little that costs."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.clubs import (
    NOBODY,
    SYSTEM,
    a_club,
    a_draft,
    a_swiss,
    arbiter,
    organiser,
    play_out,
    the_round,
)
from tests.support.counting import count_queries
from tests.support.day import a_day, entry, late_pair, spare
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.core.find import find_pairs
from tournaments.director.queries.desk import USUAL_MINUTES, round_clock
from tournaments.director.queries.entries import (
    check_in_page,
    entries_page,
    entry_page,
    newcomers,
    own_page,
)
from tournaments.director.queries.tournaments import lots_due, tournament_head
from tournaments.director.services.absences import check_in, request_bye, withdraw
from tournaments.director.services.entries import enter_newcomers, import_entries
from tournaments.director.services.rounds import start_clock, stop_clock
from tournaments.director.services.substitutions import substitute
from tournaments.director.services.tournaments import publish_round
from tournaments.domain.state import role
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def test_a_draft_is_not_found_by_others() -> None:
    draft = a_draft(a_club())
    for page in (entries_page, check_in_page, newcomers):
        with refusal(Reason.NOT_FOUND):
            page(draft.slug, NOBODY)


def test_more_pairs_are_entered_in_no_more_queries() -> None:
    club = a_club()
    viewer = organiser(club)

    def listed(count: int, first: int) -> tuple[str, str]:
        numbers = range(first, first + count)
        players = "".join(f"J{n}a,Ana {n}\nJ{n}b,Luis {n}\n" for n in numbers)
        pairs = "".join(f"P{n},Pareja {n},J{n}a,J{n}b\n" for n in numbers)
        return f"id,nombre\n{players}", f"pareja,nombre,jugador1,jugador2\n{pairs}"

    def imported(count: int, first: int) -> int:
        draft = a_draft(club, f"Importado {count}")
        return count_queries(
            lambda: import_entries(viewer, draft, *listed(count, first), as_written=True)
        )[1]

    def entered(count: int) -> int:
        draft = a_draft(club, f"Elegido {count}")
        codes = [f"P{10 + n}" for n in range(count)]
        return count_queries(
            lambda: enter_newcomers(viewer, draft, find_pairs(draft.slug, codes, viewer))
        )[1]

    assert imported(2, 50) == imported(6, 10)
    assert entered(2) == entered(6)


def test_those_who_left_are_neither_here_nor_missing() -> None:
    tournament = a_day(5)
    check_in(SYSTEM, entry(tournament, 1))
    check_in(SYSTEM, entry(tournament, 2))
    withdraw(SYSTEM, entry(tournament, 2))
    page = check_in_page(tournament.slug, arbiter(tournament.club))
    assert (page.come, page.away, len(page.missing)) == (1, 1, 3)


def test_a_bye_of_a_published_round_is_no_rest_to_come() -> None:
    tournament = a_day(6)
    request_bye(SYSTEM, entry(tournament, 1), 1, "zero")
    request_bye(SYSTEM, entry(tournament, 1), 3, "zero")
    publish_round(SYSTEM, the_round(tournament, 1))
    viewer = arbiter(tournament.club)
    assert entries_page(tournament.slug, viewer).entries[0].bye_rounds == (3,)
    byes = entry_page(tournament.slug, 1, viewer).byes
    assert [(bye.round, bye.is_open) for bye in byes] == [(1, False), (3, True)]
    assert own_page(entry(tournament, 1), role("player", own=True)).left == 1


def test_only_pairs_that_are_free_can_come() -> None:
    tournament = a_day(6, late=2)
    viewer = organiser(tournament.club)
    assert [newcomer.name for newcomer in newcomers(tournament.slug, viewer)] == [
        "Pareja 7",
        "Pareja 8",
    ]
    pair = late_pair(tournament)
    own_pair = entry(tournament, 1).pair
    assert own_pair is not None
    pair.second = own_pair.second
    pair.save()
    assert [newcomer.name for newcomer in newcomers(tournament.slug, viewer)] == ["Pareja 8"]


def test_substitutes_are_those_who_play_nowhere_else() -> None:
    tournament = a_day(6, late=0)
    names = {player.name for player in entry_page(tournament.slug, 1, SYSTEM).spare}
    assert names == {"Jugador 13", "Jugador 14", "Jugador 15", "Jugador 16"}


def test_what_may_be_done_depends_on_who_asks_and_how_it_stands() -> None:
    tournament = a_day(6)
    boss, judge = organiser(tournament.club), arbiter(tournament.club)
    assert entry_page(tournament.slug, 1, boss).may["expel"]
    assert not entry_page(tournament.slug, 1, judge).may["expel"]
    assert not entry_page(tournament.slug, 1, boss).may["remove"], "it is in the draw"
    withdraw(SYSTEM, entry(tournament, 1))
    may = entry_page(tournament.slug, 1, judge).may
    assert (may["withdraw"], may["readmit"], may["check_in"]) == (False, True, False)
    Tournament.objects.update(state="finished")
    over = entry_page(tournament.slug, 1, judge).may
    assert not any((over["change"], over["readmit"]))


def test_a_clock_counts_down_and_is_over() -> None:
    tournament = a_swiss(4)
    round_ = publish_round(SYSTEM, the_round(tournament, 1))
    judge = tournament_head(tournament.slug, arbiter(tournament.club))
    public = tournament_head(tournament.slug, NOBODY)
    assert round_clock(public, 1) is None
    unset = round_clock(judge, 1)
    assert unset is not None
    assert (unset.state, unset.minutes) == ("unset", USUAL_MINUTES)
    started = start_clock(SYSTEM, round_, 40).clock_started_at
    assert started is not None
    later = round_clock(public, 1, now=started + timedelta(minutes=10, seconds=1))
    assert later is not None
    assert (later.state, later.left, later.minutes_left) == ("running", 29 * 60 + 59, 30)
    over = round_clock(public, 1, now=started + timedelta(minutes=41))
    assert over is not None
    assert (over.state, over.left) == ("over", 0)
    stop_clock(SYSTEM, round_)
    stopped = round_clock(public, 1, now=timezone.now() + timedelta(hours=3))
    assert stopped is not None
    assert (stopped.state, stopped.minutes_left) == ("stopped", 40)
    play_out(round_)
    assert round_clock(public, 1) is None, "the clock goes on after the round"


def test_pages_take_as_many_queries_however_many_are_entered() -> None:
    tournament = a_day(12)
    pair = entry(tournament, 1).pair
    assert pair is not None
    substitute(
        SYSTEM, entry(tournament, 1), leaves=pair.first, comes=spare(tournament), from_round=1
    )
    viewer, slug = organiser(tournament.club), tournament.slug
    head, counts = count_queries(lambda: tournament_head(slug, viewer))
    assert count_queries(lambda: entries_page(slug, viewer))[1] == counts + 9
    assert count_queries(lambda: check_in_page(slug, viewer))[1] == counts + 19
    assert count_queries(lambda: newcomers(slug, viewer))[1] == counts + 5
    assert count_queries(lambda: entry_page(slug, 1, viewer))[1] == counts + 19
    own_role = role("player", own=True)
    assert count_queries(lambda: own_page(entry(tournament, 1), own_role))[1] == 1 + 7
    assert count_queries(lambda: round_clock(head, 1))[1] == 1
    assert count_queries(lambda: lots_due(head))[1] == 0
