"""A tournament's pages."""

import pytest
from django.core.cache import cache
from redis.exceptions import ConnectionError as NoAnswer

from tests.clubs import (
    NOBODY,
    SYSTEM,
    a_bot_liguilla,
    a_club,
    a_draft,
    a_swiss,
    arbiter,
    organiser,
    play_out,
    play_the_club_night,
    program,
    submitted,
    the_liguilla,
    the_match,
    the_round,
)
from tests.support.counting import again, count_queries
from tests.support.refusals import refusal
from tests.support.scene_rows import reuse_rows
from tournaments.arena.services.dispatch import play_round
from tournaments.arena.services.playing import play_match
from tournaments.core.errors import Reason
from tournaments.director.queries.cards import club_page, home
from tournaments.director.queries.entries import entries_page
from tournaments.director.queries.rounds import round_page, rounds_page
from tournaments.director.queries.tournaments import tournament_head
from tournaments.director.services.draws import draw_next
from tournaments.director.services.tournaments import close_round, finish, publish_round
from tournaments.domain.scores import Score
from tournaments.exchange.queries.trails import tournament_history
from tournaments.exchange.services.checkpoints import write_checkpoint
from tournaments.live.queries.screens import KINDS, screen_page
from tournaments.models import Result, Tournament
from tournaments.results.queries.what_if import choices
from tournaments.results.services.leases import claim_match
from tournaments.results.services.matches import correct_result, dispute_result
from tournaments.standings.queries.crosstables import crosstable_page
from tournaments.standings.queries.standings import standings_page

pytestmark = pytest.mark.django_db

SLUG = "liguilla-de-otono"


@pytest.fixture
def liguilla(db: None) -> Tournament:
    cache.clear()
    return one_round_played()


@reuse_rows()
def one_round_played() -> Tournament:
    """The club night with three rounds published and the first one played."""
    tournament = the_liguilla(published=3)
    for index in range(4):
        submitted(tournament, index)
    return tournament


# --- The head -----------------------------------------------------------------------------------


def test_the_head_shows_what_it_is_and_how_far_it_has_got(liguilla: Tournament) -> None:
    head = tournament_head(SLUG, NOBODY)
    assert (head.name, head.club_name, head.state) == (
        "Liguilla de otoño",
        "Casino de Zaragoza",
        "running",
    )
    assert (head.ruleset, head.options) == ("parejas-online", {"to": 3})
    assert (head.entries, head.rounds, head.rounds_closed, head.current_round) == (8, 7, 0, 2)
    assert (head.matches, head.decided, head.disputed) == (12, 4, 0)
    close_round(SYSTEM, the_round(liguilla, 1))
    open_dispute_on = the_match(liguilla, 1, 2)
    dispute_result(SYSTEM, open_dispute_on, "Mal.")
    head = tournament_head(SLUG, NOBODY)
    assert (head.rounds_closed, head.current_round) == (1, 2)
    assert (head.decided, head.disputed) == (3, 1)


def test_a_swiss_counts_the_rounds_that_it_is_to_have_and_no_drafts() -> None:
    tournament = a_swiss(entries=6, rounds=4)
    for viewer in (NOBODY, organiser(tournament.club)):
        head = tournament_head(tournament.slug, viewer)
        assert (head.rounds, head.rounds_closed, head.matches) == (4, 0, 0), "round 1 is a draft"
        assert club_page(tournament.club.slug, viewer).tournaments[0].rounds == 4
    publish_round(SYSTEM, the_round(tournament, 1))
    play_out(the_round(tournament, 1))
    draw_next(SYSTEM, tournament, after=1)
    head = tournament_head(tournament.slug, NOBODY)
    assert (head.rounds, head.rounds_closed, head.matches, head.decided) == (4, 1, 3, 3)
    assert head.rounds_known


def test_where_the_number_of_rounds_depends_on_results_those_published_are_counted() -> None:
    tournament = a_swiss(entries=6, rounds=2, then=({"format": "knockout", "rules": {"take": 4}},))
    publish_round(SYSTEM, the_round(tournament, 1))
    head = tournament_head(tournament.slug, NOBODY)
    assert (head.rounds_known, head.rounds_closed) == (False, 0)


def test_between_the_rounds_of_a_swiss_the_next_is_drawn_and_nothing_is_finished() -> None:
    tournament = a_swiss(entries=6, rounds=2)
    boss = organiser(tournament.club)
    publish_round(SYSTEM, the_round(tournament, 1))
    play_out(the_round(tournament, 1))
    may = tournament_head(tournament.slug, boss).may.verbs
    assert (may["draw_next"], may["finish"], may["finish_early"]) == (True, False, True)
    publish_round(SYSTEM, draw_next(SYSTEM, tournament, after=1))
    play_out(the_round(tournament, 2))
    may = tournament_head(tournament.slug, boss).may.verbs
    assert (may["draw_next"], may["finish"]) == (False, True)


def test_an_open_dispute_holds_nobody_in_its_round(liguilla: Tournament) -> None:
    dispute_result(SYSTEM, the_match(liguilla, 1, 2), "Mal.")
    assert tournament_head(SLUG, NOBODY).current_round == 2
    assert home(NOBODY).live[0].current_round == 2
    assert screen_page(SLUG, KINDS, 1, "", NOBODY).rounds == (2,)
    the_round(liguilla, 2).matches.update(state="reported")
    the_round(liguilla, 3).matches.update(state="reported")
    assert tournament_head(SLUG, NOBODY).current_round == 3, "else the last that is published"
    assert home(NOBODY).live[0].current_round == 3


def test_nobody_has_won_a_match_that_is_in_dispute(liguilla: Tournament) -> None:
    def won() -> list[bool]:
        return [side.won for side in round_page(SLUG, 1, NOBODY).round.matches[1].sides]

    assert sum(won()) == 1
    dispute_result(SYSTEM, the_match(liguilla, 1, 2), "Mal.")
    assert won() == [False, False]


def test_what_may_be_done_depends_on_who_and_when() -> None:
    club = a_club()
    draft = a_draft(club)
    boss = organiser(club)
    may = tournament_head(draft.slug, boss).may
    assert (may.manage, may.verbs["enter"], may.verbs["draw"], may.verbs["finish"]) == (
        True,
        True,
        False,
        False,
    )
    running = the_liguilla(club)
    may = tournament_head(running.slug, boss).may
    assert (may.manage, may.verbs["enter"], may.verbs["draw"], may.verbs["finish"]) == (
        True,
        False,
        False,
        False,
    )
    may = tournament_head(running.slug, arbiter(club)).may
    assert (may.manage, may.arbitrate, may.history) == (False, True, True)
    may = tournament_head(running.slug, NOBODY).may
    assert not any((may.manage, may.arbitrate, may.history, *may.verbs))
    play_the_club_night(running)
    for number in range(1, 8):
        close_round(SYSTEM, the_round(running, number))
    assert tournament_head(running.slug, boss).may.verbs["finish"]
    finish(SYSTEM, running)
    assert not tournament_head(running.slug, boss).may.verbs["finish"]


def test_a_draft_is_not_found_by_others() -> None:
    club = a_club()
    draft = a_draft(club)
    assert tournament_head(draft.slug, organiser(club)).state == "draft"
    for viewer in (NOBODY, organiser(a_club("Otro"), "otto"), program(club, "games:submit")):
        for page in (tournament_head, standings_page, rounds_page, crosstable_page, entries_page):
            with refusal(Reason.NOT_FOUND):
                page(draft.slug, viewer)
    with refusal(Reason.NOT_FOUND):
        tournament_head("no", NOBODY)


# --- Standings and crosstable -------------------------------------------------------------------


def test_the_standings_name_entries_and_players(liguilla: Tournament) -> None:
    page = standings_page(SLUG, NOBODY)
    first = page.rows[0]
    assert (first.rank, first.name, first.players) == (
        1,
        "Las Fuentes",
        ("Teresa Beltrán", "Julián Cortés"),
    )
    assert (first.match_points, first.hands_for, first.point_difference) == (2, 3, 172)
    assert (first.decided_by, first.direct_points, first.is_bot) == ("", None, False)
    assert not page.provisional


def test_the_standings_follow_every_change(liguilla: Tournament) -> None:
    assert standings_page(SLUG, NOBODY).rows[0].name == "Las Fuentes"
    match = the_match(liguilla, 1, 1)
    correct_result(SYSTEM, match, Score(3, 0, 400, 0), reason="Acta del revés.")
    assert standings_page(SLUG, NOBODY).rows[0].name == "Las Cuarenta"


def test_the_standings_are_computed_once_for_a_version(liguilla: Tournament) -> None:
    _, first = count_queries(lambda: standings_page(SLUG, NOBODY))
    assert again(lambda: standings_page(SLUG, NOBODY)) == first - 9


def test_a_cache_that_does_not_answer_costs_no_page(
    liguilla: Tournament, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def nobody_there(*_: object) -> None:
        raise NoAnswer

    rows = standings_page(SLUG, NOBODY).rows
    monkeypatch.setattr(type(cache._connections["default"]), "get", nobody_there)  # type: ignore[attr-defined]
    assert standings_page(SLUG, NOBODY).rows == rows
    assert "cache does not answer" in caplog.text


def test_the_crosstable_shows_each_match_from_both_sides(liguilla: Tournament) -> None:
    page = crosstable_page(SLUG, NOBODY)
    assert [row.number for row in page.rows] == [name.number for name in page.names]
    place = {name.name: n for n, name in enumerate(page.names)}
    home_place, other = place["Las Cuarenta"], place["Las Fuentes"]
    (home_cell,), (back,) = page.rows[home_place].cells[other], page.rows[other].cells[home_place]
    assert home_cell.match_pk == back.match_pk == the_match(liguilla, 1, 1).pk
    assert (home_cell.outcome, home_cell.hands_for, home_cell.hands_against) == ("lost", 0, 3)
    assert (back.outcome, back.points_for, back.points_against) == ("won", 301, 129)
    assert page.rows[home_place].cells[home_place] == ()
    assert sum(len(cell) for row in page.rows for cell in row.cells) == 8


# --- Entries and rounds -------------------------------------------------------------------------


def test_the_entries_and_the_bots_that_could_join(liguilla: Tournament) -> None:
    page = entries_page(SLUG, NOBODY)
    assert [entry.number for entry in page.entries] == list(range(1, 9))
    assert page.entries[0].players == ("Pilar Martínez", "Jesús Ibáñez")
    assert [bot.slug for bot in page.bots] == ["azar", "fuerte", "profundo", "rapido", "sencillo"]


def test_rounds_in_draft_are_for_the_clubs_people(liguilla: Tournament) -> None:
    assert [round_.number for round_ in rounds_page(SLUG, NOBODY).rounds] == [1, 2, 3]
    everything = rounds_page(SLUG, arbiter(liguilla.club)).rounds
    assert [round_.number for round_ in everything] == list(range(1, 8))
    assert all(len(round_.matches) == 4 for round_ in everything)
    assert round_page(SLUG, 3, NOBODY).next is None
    assert round_page(SLUG, 3, arbiter(liguilla.club)).next == 4
    for number in (0, 4, 8):
        with refusal(Reason.NOT_FOUND):
            round_page(SLUG, number, NOBODY)


def test_a_rounds_matches_show_who_where_and_how_it_ended(liguilla: Tournament) -> None:
    page = round_page(SLUG, 1, NOBODY)
    first = page.round.matches[0]
    assert (first.round, first.table, first.state) == (1, 1, "accepted")
    assert first.away is not None
    assert (first.home.name, first.away.name) == ("Las Cuarenta", "Las Fuentes")
    assert first.home.players == ("Pilar Martínez", "Jesús Ibáñez")
    assert first.score is not None
    assert (first.score.home_hands, first.score.away_hands, first.score.winner) == (0, 3, "away")
    waiting = round_page(SLUG, 2, NOBODY).round.matches[0]
    assert (waiting.state, waiting.score) == ("pending", None)
    assert (page.previous, page.next, page.progress) == (None, 2, None)


def test_the_seed_stays_secret_until_the_round_is_closed(liguilla: Tournament) -> None:
    round_ = the_round(liguilla, 1)
    boss = organiser(liguilla.club)
    current_round = round_page(SLUG, 1, boss).round
    assert (current_round.commitment, current_round.seed) == (round_.commitment, "")
    later_round = round_page(SLUG, 5, boss).round
    assert (later_round.commitment, later_round.seed) == ("", "")
    close_round(SYSTEM, round_)
    assert round_page(SLUG, 1, NOBODY).round.seed == round_.seed
    rows = rounds_page(SLUG, NOBODY).rounds
    assert [row.number for row in rows if row.seed] == [1]


def test_what_may_be_done_with_a_round(liguilla: Tournament) -> None:
    boss = organiser(liguilla.club)
    may = round_page(SLUG, 1, boss).may
    assert (may["publish"], may["close"], may["play"]) == (False, True, False)
    may = round_page(SLUG, 2, boss).may
    assert (may["publish"], may["close"]) == (False, False)
    may = round_page(SLUG, 4, boss).may
    assert (may["publish"], may["close"]) == (True, False)
    may = round_page(SLUG, 1, arbiter(liguilla.club)).may
    assert (may["publish"], may["close"], may["play"]) == (False, False, False)


def test_the_progress_of_a_bot_round() -> None:
    tournament = a_bot_liguilla(entries=6)
    slug, boss = tournament.slug, organiser(tournament.club)
    round_ = the_round(tournament, 1)

    def progress() -> tuple[int, int, int, int, bool, bool]:
        progress_row = round_page(slug, 1, NOBODY).progress
        assert progress_row is not None
        assert progress_row.stuck == 0
        counts = (
            progress_row.total,
            progress_row.played,
            progress_row.running,
            progress_row.waiting,
        )
        return (*counts, progress_row.asked, progress_row.finished)

    assert progress() == (3, 0, 0, 3, False, False)
    assert round_page(slug, 1, boss).may["play"]
    play_round(SYSTEM, round_)
    assert progress() == (3, 0, 0, 3, True, False)
    page = round_page(slug, 1, boss)
    assert page.may["play"], "asked again, nothing changes"
    assert page.progress is not None
    assert not page.progress.can_request_play
    first, second, third = round_.matches.order_by("pk").values_list("pk", flat=True)
    play_match(first)
    claim_match(second)
    assert progress() == (3, 1, 1, 1, True, False)
    play_match(third)
    assert progress() == (3, 2, 1, 0, True, False)


def test_a_bye_is_a_match_without_opponent() -> None:
    tournament = a_bot_liguilla(entries=3)
    page = round_page(tournament.slug, 1, NOBODY)
    bye = page.round.matches[-1]
    assert (bye.state, bye.away, bye.score) == ("bye", None, None)
    assert page.progress is not None
    assert page.progress.total == 1
    assert page.head.matches == 1, "the others are drafts"


# --- History ------------------------------------------------------------------------------------


def test_the_history_is_for_the_clubs_people_the_latest_first(liguilla: Tournament) -> None:
    publish_round(organiser(liguilla.club), the_round(liguilla, 4))
    events = [line.event for line in tournament_history(SLUG, arbiter(liguilla.club)).events]
    assert [(event.verb, event.actor) for event in events[:2]] == [
        ("round.published", "olga"),
        ("record.accepted", "system"),
    ]
    assert events[-1].verb == "tournament.created"
    reader = program(liguilla.club, "audit:read")
    assert len(tournament_history(SLUG, reader).events) == len(events)
    for viewer in (NOBODY, program(liguilla.club, "games:read", of="pepa")):
        with refusal(Reason.NOT_FOUND):
            tournament_history(SLUG, viewer)


def test_the_history_mentions_which_table_and_how_it_ended(liguilla: Tournament) -> None:
    line = tournament_history(SLUG, arbiter(liguilla.club)).events[0]
    assert line.event.verb == "record.accepted"
    assert line.meeting is not None
    assert (line.meeting.round, line.meeting.table) == (1, 4)
    result = Result.objects.live().get(match=line.meeting.pk)
    assert line.score == (result.home_hands, result.away_hands)
    assert line.record == result.record_id


def test_a_line_about_no_match_says_whom_or_which_round_it_was_about(liguilla: Tournament) -> None:
    lines = tournament_history(SLUG, arbiter(liguilla.club)).events
    created, round_ = (
        lines[-1],
        next(line for line in lines if line.event.verb == "round.published"),
    )
    assert (created.event.verb, created.meeting) == ("tournament.created", None)
    assert (created.about, created.round) == ("", None)  # the page is about the tournament
    assert (round_.about, round_.round, round_.meeting) == ("", 3, None)


# --- Queries ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("role", "head"), [("nobody", 4), ("organiser", 5)])
def test_pages_take_as_many_queries_however_much_there_is(
    liguilla: Tournament, role: str, head: int
) -> None:
    viewer = NOBODY if role == "nobody" else organiser(liguilla.club)
    assert count_queries(lambda: tournament_head(SLUG, viewer))[1] == head
    assert count_queries(lambda: standings_page(SLUG, viewer))[1] == head + 9
    assert count_queries(lambda: crosstable_page(SLUG, viewer))[1] == head + 10
    acts = 0 if role == "nobody" else 3  # mass acts that can be taken back, and clashes
    assert count_queries(lambda: entries_page(SLUG, viewer))[1] == head + 6 + acts
    own, again = (0, 0) if role == "nobody" else (1, 2)  # own entries; can it be planned again
    assert count_queries(lambda: rounds_page(SLUG, viewer))[1] == head + 4 + own
    assert count_queries(lambda: round_page(SLUG, 1, viewer))[1] == head + 4 + own + again
    assert count_queries(lambda: choices(SLUG, viewer))[1] == head + 2


def test_what_can_be_asked_about_are_the_matches_of_the_rounds_that_are_seen(
    liguilla: Tournament,
) -> None:
    for viewer in (NOBODY, organiser(liguilla.club)):
        pairs = [
            (match.round, match.table, match.pk, tuple(side.name for side in match.sides))
            for round_ in rounds_page(SLUG, viewer).rounds
            for match in round_.matches
            if match.away
        ]
        assert list(choices(SLUG, viewer)) == pairs
        assert pairs


def test_what_the_history_shows_and_proves_takes_four_queries_more(liguilla: Tournament) -> None:
    viewer = organiser(liguilla.club)
    assert count_queries(lambda: tournament_history(SLUG, viewer))[1] == 9
    write_checkpoint(liguilla.club_id)
    assert count_queries(lambda: tournament_history(SLUG, viewer))[1] == 10
