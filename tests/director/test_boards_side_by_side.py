"""Groups of sixteen pairs, then board A and board B of eight in one evening, from one table."""

import json

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.audited import assert_history_is_complete
from tests.clubs import SYSTEM, arbiter, organiser, the_round, user
from tests.support.caller import Caller
from tests.support.day import the_people
from tests.support.refusals import refusal
from tests.support.scene_rows import reuse_rows
from tournaments.accounts.services.invitations import issue_token
from tournaments.core.errors import Reason
from tournaments.director.queries.desk import desk_page
from tournaments.director.queries.drafts import next_to_draw
from tournaments.director.queries.entries import entry_page, own_page
from tournaments.director.queries.state import open_round_of, round_states, tournament_facts
from tournaments.director.queries.tournaments import open_tournament
from tournaments.director.services.absences import (
    close_check_in,
    penalise,
    request_bye,
    withdraw,
)
from tournaments.director.services.draws import draw, draw_next
from tournaments.director.services.entries import enter_late, enter_newcomers
from tournaments.director.services.restoring import go_back
from tournaments.director.services.rounds import (
    discard_round,
    pair,
    start_clock,
    stop_clock,
    swap,
    unpair,
)
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import (
    close_round,
    create_tournament,
    finish,
    publish_round,
)
from tournaments.domain.file.proofs import bundle_from_bytes
from tournaments.domain.scores import Score
from tournaments.domain.state import role
from tournaments.domain.verification import all_hold, verify
from tournaments.exchange.queries.proofs import proof_file
from tournaments.live.queries.broadcast import broadcast
from tournaments.live.queries.screens import screen_page
from tournaments.models import Absence, ApiToken, Match, Pair, Player, Round, Tournament
from tournaments.results.services.matches import correct_result
from tournaments.results.services.reports import report_result

pytestmark = pytest.mark.django_db

A, B = 2, 3


@reuse_rows({}, {"board_a": "liguilla", "board_b": "liguilla"}, {"board_a": "liguilla"})
def two_boards(board_a: str = "knockout", board_b: str = "knockout") -> Tournament:
    """Four groups of four are over; the two best of each go to board A, the others to board B."""
    club, pairs = the_people(16)
    stages = [
        {"format": "groups", "rules": {"groups": 4}},
        {"format": board_a, "rules": {"take": 2}},
        {"format": board_b, "rules": {"take_from": 2, "source": 1}},
    ]
    tournament = create_tournament(
        SYSTEM, club, "Torneo", NewTournament(GameSettings(options={"to": 3}), stages=stages)
    )
    enter_newcomers(SYSTEM, tournament, pairs)
    draw(SYSTEM, tournament)
    for number in (1, 2, 3):
        play(publish_round(SYSTEM, the_round(tournament, number)))
    tournament.refresh_from_db()
    return tournament


def play(round_: Round) -> None:
    """Let the entry with the lower number win every match, so that no place is shared."""
    for match in round_.matches.with_names().filter(state=Match.State.PENDING):
        numbers = [entry.number for side in match.sides for entry in side]
        hands = (3, 0) if numbers[0] < numbers[1] else (0, 3)
        points = tuple(100 * won + max(numbers) for won in hands)
        correct_result(SYSTEM, match, Score.of(hands, points), reason="as it was written down")
    close_round(SYSTEM, round_)


def both_drawn(tournament: Tournament) -> tuple[Round, Round]:
    after = round_states(tournament)[-1].number
    return (
        draw_next(SYSTEM, tournament, after=after, stage=A),
        draw_next(SYSTEM, tournament, after=after, stage=B),
    )


def tables(round_: Round) -> list[int]:
    return list(round_.matches.order_by("table").values_list("table", flat=True))


def entries_of(tournament: Tournament, stage: int) -> set[int]:
    return set(tournament.stages.get(number=stage).entrants)


def new_pair(tournament: Tournament) -> Pair:
    first, second = Player.objects.filter(club=tournament.club).order_by("-code")[:2]
    return Pair.objects.create(
        club=tournament.club,
        code="P99",
        name="Los nuevos",
        folded="los nuevos",
        first=first,
        second=second,
    )


def assert_proof_holds(tournament: Tournament) -> None:
    findings = verify(bundle_from_bytes(proof_file(tournament)))
    assert all_hold(findings), [finding for finding in findings if not finding.holds]


def test_the_hall_plays_as_many_rounds_as_the_longer_board_not_as_both() -> None:
    tournament = two_boards()
    at_a_time = 0
    while tournament_facts(tournament).to_draw:
        for stage in tournament_facts(tournament).to_draw:
            draw_next(SYSTEM, tournament, after=round_states(tournament)[-1].number, stage=stage)
        drafts = Round.objects.filter(stage__tournament=tournament, state="draft")
        publish_round(SYSTEM, drafts.order_by("number")[:1].get(), together=True)
        rounds = Round.objects.filter(stage__tournament=tournament, state="published")
        sitting = Match.objects.filter(round__in=rounds, away__isnull=False)
        numbers = list(sitting.values_list("table", flat=True))
        assert len(set(numbers)) == len(numbers), "two matches at one table"
        for round_ in rounds.select_related("stage__tournament__club"):
            play(round_)
        at_a_time += 1
    lengths = [tournament.stages.get(number=number).rounds.count() for number in (A, B)]
    assert lengths == [3, 3]
    assert at_a_time == max(lengths)
    assert [round_.stage for round_ in round_states(tournament)[3:]] == [A, B, A, B, A, B]
    finish(SYSTEM, tournament)
    assert_proof_holds(tournament)
    assert_history_is_complete()


def test_each_board_is_drawn_by_itself_and_an_answer_is_for_the_board_that_was_asked_for() -> None:
    tournament = two_boards()
    assert tournament_facts(tournament).to_draw == (A, B)
    first, second = both_drawn(tournament)
    assert (first.stage.number, first.number, second.stage.number, second.number) == (A, 4, B, 5)
    assert draw_next(SYSTEM, tournament, after=3, stage=B) == second
    assert draw_next(SYSTEM, tournament, after=3) == first
    assert (tables(first), tables(second)) == ([1, 2, 3, 4], [5, 6, 7, 8])
    with refusal(Reason.ROUND_UNFINISHED):
        draw_next(SYSTEM, tournament, after=5, stage=B)
    with refusal(Reason.NOT_FOUND):
        draw_next(SYSTEM, tournament, after=5, stage=9)
    publish_round(SYSTEM, first, together=True)
    play(the_round(tournament, 4))
    assert tournament_facts(tournament).to_draw == (A,)
    assert draw_next(SYSTEM, tournament, after=5).stage.number == A


def test_the_first_round_of_the_second_board_waits_for_that_of_the_first() -> None:
    """Those who are not drawn into board A yet could still come into board B."""
    tournament = two_boards(board_a="liguilla", board_b="liguilla")
    first, second = both_drawn(tournament)
    assert (first.number, second.number) == (4, 11)
    with refusal(Reason.EARLIER_DRAFT):
        publish_round(SYSTEM, second)
    publish_round(SYSTEM, first)
    publish_round(SYSTEM, second)
    play(the_round(tournament, 11))
    publish_round(SYSTEM, the_round(tournament, 12))
    assert the_round(tournament, 5).state == Round.State.DRAFT


def test_rounds_that_were_published_together_have_one_clock() -> None:
    tournament = two_boards()
    first, _ = both_drawn(tournament)
    publish_round(SYSTEM, first, together=True)
    start_clock(SYSTEM, the_round(tournament, 5), 40)
    one, other = the_round(tournament, 4), the_round(tournament, 5)
    assert (one.minutes, one.clock_started_at) == (other.minutes, other.clock_started_at)
    stop_clock(SYSTEM, one)
    assert the_round(tournament, 5).clock_stopped_at is not None
    play(the_round(tournament, 4))
    draft = draw_next(SYSTEM, tournament, after=5, stage=A)
    start_clock(SYSTEM, publish_round(SYSTEM, draft, together=True), 20)
    assert the_round(tournament, 5).minutes == 40


def test_drafts_of_the_boards_are_kept_apart() -> None:
    tournament = two_boards()
    first, second = both_drawn(tournament)
    discard_round(SYSTEM, first)
    assert Round.objects.filter(pk=second.pk).exists()
    assert draw_next(SYSTEM, tournament, after=5, stage=A).number == 4
    publish_round(SYSTEM, the_round(tournament, 4))
    leaver = tournament.entries.with_players().get(number=min(entries_of(tournament, B)))
    withdraw(SYSTEM, leaver)
    draft = Round.objects.get(stage__tournament=tournament, number=5)
    assert draft.drawn["again"] == "entry"
    assert leaver.number not in entries_of(tournament, B)
    assert not entries_of(tournament, A) & entries_of(tournament, B)


def test_who_leaves_is_away_from_the_next_round_of_their_own_board() -> None:
    tournament = two_boards(board_a="liguilla")
    first, _ = both_drawn(tournament)
    publish_round(SYSTEM, first, together=True)
    of_a, of_b = (
        tournament.entries.with_players().get(number=min(entries_of(tournament, stage)))
        for stage in (A, B)
    )
    assert (open_round_of(of_a), open_round_of(of_b)) == (5, 12)
    assert entry_page(tournament.slug, of_a.number, SYSTEM).round == 5
    assert own_page(of_a, role("player", own=True)).round == 5
    assert withdraw(SYSTEM, of_a).from_round == 5
    alone = Match.objects.filter(round__number=5, away=None)
    assert alone.count() == 1


def test_who_is_missing_at_a_check_in_is_away_from_the_next_round_of_their_own_board() -> None:
    tournament = two_boards(board_a="liguilla", board_b="liguilla")
    for round_ in both_drawn(tournament):
        publish_round(SYSTEM, round_)
    of_a, of_b = (min(entries_of(tournament, stage)) for stage in (A, B))
    others = tournament.entries.exclude(number__in=(of_a, of_b))
    others.update(checked_in_at=timezone.now())
    assert close_check_in(SYSTEM, tournament) == 2
    away = Absence.objects.filter(entry__tournament=tournament)
    assert dict(away.values_list("entry__number", "from_round")) == {of_a: 5, of_b: 12}
    next_of_a = the_round(tournament, 5)
    assert not next_of_a.matches.filter(away__isnull=False, home__number=of_a).exists()
    assert of_a not in next_of_a.drawn["here"]


def test_a_late_pair_plays_in_the_board_whose_first_round_is_still_a_draft() -> None:
    tournament = two_boards(board_a="liguilla", board_b="liguilla")
    both_drawn(tournament)
    publish_round(SYSTEM, the_round(tournament, 4))
    late = enter_late(SYSTEM, tournament, new_pair(tournament))
    assert (late.joined_round, open_round_of(late)) == (11, 11)
    assert late.number in entries_of(tournament, B)
    draft = publish_round(SYSTEM, the_round(tournament, 11))
    assert late.number in draft.drawn["here"]
    assert open_round_of(late) == 12


def test_the_other_board_s_tables_are_proved_as_they_were_before_a_late_pair_came() -> None:
    tournament = two_boards(board_a="liguilla")
    first, second = both_drawn(tournament)
    publish_round(SYSTEM, first, together=True)
    late = enter_late(SYSTEM, tournament, new_pair(tournament))
    assert late.number in entries_of(tournament, A)
    assert tables(second) == [5, 6, 7, 8]
    for round_ in (first, second):
        play(the_round(tournament, round_.number))
    again = draw_next(SYSTEM, tournament, after=second.number, stage=B)
    assert tables(again) == [6, 7]
    publish_round(SYSTEM, again)
    assert_proof_holds(tournament)


def test_penalties_and_byes_are_of_a_round_of_the_own_board() -> None:
    tournament = two_boards(board_a="swiss", board_b="swiss")
    first, second = both_drawn(tournament)
    publish_round(SYSTEM, first, together=True)
    of_a = tournament.entries.with_players().get(number=min(entries_of(tournament, A)))
    with refusal(Reason.NOT_IN_ROUND):
        penalise(SYSTEM, of_a, round_number=second.number, points=10, reason="late")
    assert penalise(SYSTEM, of_a, round_number=first.number, points=10, reason="late").points == 10
    with refusal(Reason.NOT_IN_ROUND):
        request_bye(SYSTEM, of_a, second.number, "zero")
    assert entry_page(tournament.slug, of_a.number, SYSTEM).rest == 6
    assert own_page(of_a, role("player", own=True)).rest == 6
    request_bye(SYSTEM, of_a, 6, "zero")
    play(the_round(tournament, first.number))
    draft = draw_next(SYSTEM, tournament, after=second.number, stage=A)
    assert draft.number == 6
    assert draft.matches.get(home__number=of_a.number).bye == "zero"


def test_a_table_made_by_hand_comes_after_those_of_the_other_board_too() -> None:
    tournament = two_boards()
    _, second = both_drawn(tournament)
    matches = list(second.matches.with_names())
    for match in matches:
        unpair(SYSTEM, match)
    assert pair(SYSTEM, second, matches[0].home, matches[1].home).table == 5


def test_a_board_whose_draft_is_outdated_does_not_keep_the_other_from_beginning() -> None:
    tournament = two_boards()
    first, second = both_drawn(tournament)
    one, other = second.matches.with_names().order_by("table")[:2]
    swap(SYSTEM, the_round(tournament, 5), one.home, other.home)
    withdraw(SYSTEM, tournament.entries.get(pk=other.home_id))
    assert the_round(tournament, 5).is_outdated
    publish_round(SYSTEM, first, together=True)
    assert the_round(tournament, 4).state == Round.State.PUBLISHED
    assert the_round(tournament, 5).state == Round.State.DRAFT


def test_going_back_to_before_one_board_was_drawn_keeps_what_the_other_has_played() -> None:
    tournament = two_boards()
    publish_round(SYSTEM, draw_next(SYSTEM, tournament, after=3, stage=A))
    match = Match.objects.with_names().filter(round__number=4).order_by("table")[0]
    report_result(SYSTEM, match, score=Score(3, 1, 300, 200))
    draw_next(SYSTEM, tournament, after=4, stage=B)
    point = tournament.restore_points.order_by("-pk")[0]
    go_back(SYSTEM, point)
    assert [round_.number for round_ in round_states(tournament)] == [1, 2, 3, 4]
    assert match.results.live().count() == 1
    assert draw_next(SYSTEM, tournament, after=4, stage=B).number == 5


def test_a_group_result_corrected_after_both_boards_began_moves_nobody_who_sits() -> None:
    tournament = two_boards()
    first, second = both_drawn(tournament)
    publish_round(SYSTEM, first)
    before = entries_of(tournament, A), entries_of(tournament, B)
    last = Match.objects.with_names().filter(round__number=1).order_by("table")[0]
    correct_result(SYSTEM, last, Score(0, 3, 100, 300), reason="a slip")
    # Board A is played on as it was published; board B has those who are in none.
    assert (entries_of(tournament, A), entries_of(tournament, B)) == before
    second = the_round(tournament, second.number)
    assert "outdated" not in second.drawn
    publish_round(SYSTEM, second)
    page = desk_page(tournament.slug, SYSTEM)
    assert page.shown == (4, 5)
    for number in (4, 5):
        play(the_round(tournament, number))
    while tournament_facts(tournament).to_draw:
        for round_ in both_drawn(tournament):
            publish_round(SYSTEM, round_)
            play(round_)
    finish(SYSTEM, tournament)
    assert_proof_holds(tournament)


def test_a_group_result_corrected_while_both_are_drafts_draws_both_again() -> None:
    tournament = two_boards()
    both_drawn(tournament)
    match = Match.objects.with_names().filter(round__number=1).order_by("table")[0]
    correct_result(SYSTEM, match, Score(0, 3, 100, 300), reason="a slip")
    both = Round.objects.filter(stage__tournament=tournament, state="draft")
    assert sorted(both.values_list("number", flat=True)) == [4, 5]
    assert entries_of(tournament, A) | entries_of(tournament, B) == set(range(1, 17))
    assert not entries_of(tournament, A) & entries_of(tournament, B)


def test_the_control_room_has_both_boards_on_one_desk() -> None:
    tournament = two_boards()
    assert [
        (one.number, one.stage and one.stage.number)
        for one in next_to_draw(open_tournament(tournament.slug, SYSTEM).head)
    ] == [(4, A), (4, B)]
    both_drawn(tournament)
    drafts = desk_page(tournament.slug, SYSTEM)
    assert (drafts.drafts_together, drafts.draft, len(drafts.rows)) == (4, 4, 8)
    judge = arbiter(tournament.club)
    client = Client()
    client.force_login(user("alberto"))
    publish_round(SYSTEM, the_round(tournament, 4), together=True)
    page = desk_page(tournament.slug, judge)
    assert (page.shown, page.asked, page.total) == ((4, 5), None, 8)
    assert [(step.kind, step.round) for step in page.steps] == [("results", 4), ("results", 5)]
    assert [row.match.table for row in page.rows] == list(range(1, 9))
    line = {"round": "", "table": "6", "hands": "3-1", "state": ""}
    client.post(reverse("desk-enter", args=[tournament.slug]), line)
    match = Match.objects.get(round__number=5, table=6, round__stage__tournament=tournament)
    assert match.state != Match.State.PENDING
    play(the_round(tournament, 4))
    steps = desk_page(tournament.slug, SYSTEM).steps
    assert [(step.kind, step.stage and step.stage.number) for step in steps] == [
        ("results", B),
        ("draw", A),
    ]


def test_a_stage_that_can_get_no_round_is_refused_by_the_page_and_offered_otherwise() -> None:
    tournament = two_boards()
    organiser(tournament.club)
    client = Client()
    client.force_login(user("olga"))
    rounds = reverse("rounds", args=[tournament.slug])
    text = client.get(rounds).content.decode()
    assert text.count('name="stage"') == 2
    address = reverse("draw-next", args=[tournament.slug])
    client.post(address, {"after": "3", "stage": "3"})
    assert Round.objects.filter(stage__tournament=tournament, stage__number=B).count() == 1
    assert client.post(address, {"after": "3", "stage": "x"}).status_code == 422
    text = client.get(rounds).content.decode()
    assert text.count('name="stage"') == 1


def test_papers_and_projector_have_both_boards() -> None:
    tournament = two_boards()
    first, _ = both_drawn(tournament)
    publish_round(SYSTEM, first, together=True)
    address = reverse("print-round", args=[tournament.slug, 4, "tables"])
    alone, both = (Client().get(address + query) for query in ("", "?together=1"))
    assert (alone.status_code, both.status_code) == (200, 200)
    assert "torneo-4-5-tables" in both.headers["Content-Disposition"]
    assert "torneo-4-tables" in alone.headers["Content-Disposition"]
    page = screen_page(tournament.slug, ("tables", "standings"), 1, "", SYSTEM)
    assert page.rounds == (4, 5)
    assert [match.table for match in page.slide.rows] == list(range(1, 9))
    last = screen_page(tournament.slug, ("tables", "standings"), page.count, "", SYSTEM)
    assert last.slide.stage is not None
    assert last.slide.stage.number == B
    assert broadcast(tournament.slug, SYSTEM).total == 8


def test_the_api_draws_a_board_and_publishes_both() -> None:
    tournament = two_boards()
    organiser(tournament.club)
    scopes = ApiToken.Scope.values
    _, token = issue_token(SYSTEM, tournament.club, user("olga"), name="mesa", scopes=scopes)
    caller, base = Caller(token), f"tournaments/{tournament.slug}/"
    for number, body in enumerate(({"after": 3, "stage": B}, {"after": 4})):
        response = caller.submit(f"{base}draw/", json.dumps(body), f"draw-{number}")
        assert response.status_code == 201, response.content
    assert [round_.stage for round_ in round_states(tournament)[3:]] == [B, A]
    tables_of_a = tables(the_round(tournament, 5))
    assert tables_of_a == [5, 6, 7, 8], "board A began beside board B"
    response = caller.submit(
        f"{base}rounds/4/publish/", json.dumps({"together": True}), "publish-both"
    )
    assert response.status_code == 201, response.content
    one, other = the_round(tournament, 4), the_round(tournament, 5)
    assert one.published_at == other.published_at
