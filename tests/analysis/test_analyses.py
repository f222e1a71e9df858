"""Records are analysed after they were accepted: hand by hand, once, also after an interruption."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings

import engine
from tests.clubs import (
    NOBODY,
    SYSTEM,
    a_bot_liguilla,
    arbiter,
    record,
    stranger,
    submitted,
    text,
    the_liguilla,
    the_match,
)
from tests.support.refusals import refusal
from tournaments.analysis import services as analysis_services
from tournaments.analysis.services import (
    AnalysisOutcome,
    analyse_record,
    request_analysis,
    wake_due,
)
from tournaments.arena.services.dispatch import play_round
from tournaments.arena.services.playing import play_match
from tournaments.core import jobs
from tournaments.core.errors import Reason
from tournaments.models import (
    AnalysedHand,
    AnalysedSeat,
    Analysis,
    HandAnalysis,
    Record,
    Tournament,
)
from tournaments.models.analyses import ATTEMPTS
from tournaments.results.services.matches import dispute_result, rule_on_dispute
from tournaments.results.services.submit import submit_record

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.django_db

State = Analysis.State
Messages = list[tuple[Any, ...]]


@pytest.fixture
def liguilla(db: None) -> Tournament:
    return the_liguilla()


@pytest.fixture
def messages(monkeypatch: pytest.MonkeyPatch) -> Messages:
    """The messages that would have gone to the broker."""
    messages: Messages = []
    monkeypatch.setattr(jobs, "_send", lambda job, arguments, _: messages.append((job, *arguments)))
    return messages


@pytest.fixture
def analyse_hands(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The hands that were solved, by their index; each takes a tenth of what it does in life."""
    solved: list[int] = []
    real = engine.analyse_hand

    def analyse_hand(
        parsed: engine.Record, index: int, *, judged: bool = True
    ) -> engine.HandAnalysis:
        solved.append(index)
        return real(parsed, index, engine.Terms(worlds=3, fair_from=8), judged=judged)

    monkeypatch.setattr(engine, "analyse_hand", analyse_hand, raising=False)
    return solved


def accepted(tournament: Tournament, index: int = 0) -> Record:
    result = submitted(tournament, index).record
    assert result is not None
    return result


def test_an_accepted_record_waits_for_the_sweep_and_one_who_submits_sends_no_message(
    liguilla: Tournament,
    messages: Messages,
    django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        row = accepted(liguilla)
    assert row.analysis.state == State.WAITING
    assert messages == []


def test_a_refused_record_is_not_analysed(liguilla: Tournament) -> None:
    answer = submit_record(SYSTEM, the_match(liguilla, 1, 1), text({"format": "baza/1"}))
    assert answer.record is not None
    assert not Analysis.objects.exists()


def test_each_hand_of_a_record_gets_the_engines_answer(
    liguilla: Tournament, analyse_hands: list[int]
) -> None:
    row = accepted(liguilla)
    assert analyse_record(row.pk) is AnalysisOutcome.FINISHED
    analysis = Analysis.objects.get(record=row)
    count = row.hands.count()
    assert (analysis.state, analysis.done, analysis.hands) == (State.DONE, count, count)
    assert analyse_hands == list(range(count))
    parsed = engine.parse_record(row.text)
    for hand in AnalysedHand.objects.filter(hand__record=row).select_related("analysis", "hand"):
        hand_analysis = hand.analysis.hand_analysis
        assert hand_analysis.digest == engine.hand_digest(parsed, hand.hand.number - 1)
        assert (hand.analysis.luck, hand.analysis.skill) == (
            hand_analysis.luck,
            hand_analysis.skill,
        )
        assert hand.analysis.result == hand_analysis.luck + hand_analysis.skill
        assert [seat.seat for seat in hand.seats.all()] == ["A", "B", "C", "D"]


def test_hands_are_judged_only_when_no_other_record_waits_for_a_first_look(
    liguilla: Tournament, analyse_hands: list[int]
) -> None:
    first, second = accepted(liguilla), accepted(liguilla, 1)
    assert analyse_record(first.pk) is AnalysisOutcome.GOES_ON
    assert Analysis.objects.get(record=first).done == first.hands.count()
    assert HandAnalysis.objects.filter(answer__judged=False).exists()
    assert analysis_services.next_record(first.pk) == second.pk
    assert analyse_record(second.pk) is AnalysisOutcome.FINISHED
    assert analysis_services.next_record(second.pk) == first.pk
    assert analyse_record(first.pk) is AnalysisOutcome.FINISHED
    assert not HandAnalysis.objects.filter(answer__judged=False).exists()
    for hand in AnalysedHand.objects.select_related("analysis"):
        counted = [seat.judgements for seat in hand.seats.order_by("seat")]
        assert counted == [seat.judgements for seat in hand.analysis.hand_analysis.seats]


def test_equal_hands_are_judged_once_and_counted_for_all_that_played_them(
    liguilla: Tournament, analyse_hands: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = accepted(liguilla), accepted(liguilla, 1)
    for row in (first, second):
        analyse_record(row.pk, gives_way=False)
    stored = HandAnalysis.objects.get(hands__hand__record=first, hands__hand__number=1)
    AnalysedHand.objects.filter(hand__record=second, hand__number=1).update(analysis=stored)
    expected = [seat.judgements for seat in stored.hand_analysis.seats]
    assert any(expected)
    stored.answer["judged"] = False
    stored.save()
    AnalysedSeat.objects.filter(hand__analysis=stored).update(judgements=None)
    Analysis.objects.update(state=State.WAITING)
    judged_hands: list[int] = []
    judge_hand = engine.judge_hand

    def note(
        record: engine.Record, index: int, analysis: engine.HandAnalysis
    ) -> engine.HandAnalysis:
        judged_hands.append(index)
        return judge_hand(record, index, analysis)

    monkeypatch.setattr(engine, "judge_hand", note)
    for row in (first, second):
        assert analyse_record(row.pk) is AnalysisOutcome.FINISHED
    assert judged_hands == [0]
    for hand in stored.hands.all():
        assert [seat.judgements for seat in hand.seats.order_by("seat")] == expected


def test_who_sat_at_a_seat_is_the_player_that_the_record_names(
    liguilla: Tournament, analyse_hands: list[int]
) -> None:
    row = accepted(liguilla)
    analyse_record(row.pk)
    parsed = engine.parse_record(row.text)
    for seat, name in zip("ABCD", parsed.seats, strict=True):
        players = AnalysedSeat.objects.filter(seat=seat).values_list("player__name", flat=True)
        assert set(players) == {name}


def test_equal_hands_are_analysed_once(liguilla: Tournament, analyse_hands: list[int]) -> None:
    row = accepted(liguilla)
    analyse_record(row.pk)
    Analysis.objects.all().delete()
    AnalysedHand.objects.all().delete()
    analyse_hands.clear()
    analysis_services.queue_analysis(row)
    assert analyse_record(row.pk) is AnalysisOutcome.FINISHED
    assert analyse_hands == []
    assert AnalysedHand.objects.filter(hand__record=row).count() == row.hands.count()


def test_when_its_time_is_over_a_task_sends_itself_a_message_and_the_next_goes_on(
    liguilla: Tournament,
    analyse_hands: list[int],
    messages: Messages,
    django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:
    row = accepted(liguilla)
    with django_capture_on_commit_callbacks(execute=True):
        assert analyse_record(row.pk, budget=0) is AnalysisOutcome.GOES_ON
    assert messages == [(jobs.Job.ANALYSE, row.pk)]
    assert analyse_record(row.pk) is AnalysisOutcome.FINISHED
    assert analyse_hands == list(range(row.hands.count()))


def test_what_was_found_before_a_crash_stays(
    liguilla: Tournament, analyse_hands: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    row = accepted(liguilla)
    working = engine.analyse_hand

    def crashes_at_the_second(
        parsed: engine.Record, index: int, *, judged: bool
    ) -> engine.HandAnalysis:
        if index == 1:
            raise MemoryError
        return working(parsed, index, judged=judged)

    with monkeypatch.context() as patch:
        patch.setattr(engine, "analyse_hand", crashes_at_the_second, raising=False)
        with pytest.raises(MemoryError):
            analyse_record(row.pk)
    assert Analysis.objects.get(record=row).done == 1
    Analysis.objects.update(lease_until=None)  # as when the lease has run out
    assert analyse_record(row.pk) is AnalysisOutcome.FINISHED
    assert analyse_hands == list(range(row.hands.count()))


def test_a_record_on_which_every_worker_breaks_off_is_given_up(
    liguilla: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = accepted(liguilla)

    def crashes(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(engine, "analyse_hand", crashes, raising=False)
    for _ in range(ATTEMPTS):
        with pytest.raises(MemoryError):
            analyse_record(row.pk)
        Analysis.objects.update(lease_until=None)
    assert analyse_record(row.pk) is AnalysisOutcome.SKIPPED
    analysis = Analysis.objects.get(record=row)
    assert (analysis.state, analysis.code) == (State.FAILED, analysis_services.GIVEN_UP)


def test_a_record_in_another_workers_hands_is_left_to_them(
    liguilla: Tournament, analyse_hands: list[int]
) -> None:
    row = accepted(liguilla)
    assert analysis_services._claim(row.pk) is not None
    assert analyse_record(row.pk) is AnalysisOutcome.SKIPPED
    assert analyse_hands == []


def test_a_record_that_was_superseded_loses_its_place(
    liguilla: Tournament, analyse_hands: list[int]
) -> None:
    row = accepted(liguilla)
    dispute = dispute_result(SYSTEM, row.match, "Faltó una baza.")
    rule_on_dispute(SYSTEM, dispute, "void", reason="Se repite.")
    assert analyse_record(row.pk) is AnalysisOutcome.SKIPPED
    assert wake_due() == 0


def test_the_figures_of_a_disputed_match_count_as_long_as_its_result_does(
    liguilla: Tournament, analyse_hands: list[int]
) -> None:
    row = accepted(liguilla)
    analyse_record(row.pk)
    assert AnalysedHand.objects.counting().count() == row.hands.count()
    dispute = dispute_result(SYSTEM, row.match, "Faltó una baza.")
    assert AnalysedHand.objects.counting().count() == row.hands.count()
    rule_on_dispute(SYSTEM, dispute, "void", reason="Se repite.")
    assert not AnalysedHand.objects.counting().exists()


def test_hands_of_which_only_the_result_was_written_down_leave_nothing_to_analyse(
    liguilla: Tournament,
) -> None:
    bare = record(0)
    for hand in bare["hands"]:
        hand["play"] = None
    row = submit_record(SYSTEM, the_match(liguilla, 1, 1), text(bare)).record
    assert row is not None
    assert analyse_record(row.pk) is AnalysisOutcome.FINISHED
    analysis = Analysis.objects.get(record=row)
    assert (analysis.state, analysis.code) == (State.NOTHING, "no_play")
    assert not AnalysedSeat.objects.exists()


def test_without_a_compiler_it_says_so_rather_than_search_for_minutes(
    liguilla: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = accepted(liguilla)
    monkeypatch.setattr(engine, "warm_solver", lambda: False, raising=False)
    assert analyse_record(row.pk) is AnalysisOutcome.FINISHED
    analysis = Analysis.objects.get(record=row)
    assert (analysis.state, analysis.code) == (State.NOTHING, analysis_services.NO_COMPILER)


def test_the_sweep_wakes_what_waits_and_not_twice(
    liguilla: Tournament,
    messages: Messages,
    django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:
    row = accepted(liguilla)
    with django_capture_on_commit_callbacks(execute=True):
        assert wake_due() == 1
    assert messages == [(jobs.Job.ANALYSE, row.pk)]
    assert wake_due() == 0


def test_what_an_older_version_said_is_analysed_again(
    liguilla: Tournament, analyse_hands: list[int]
) -> None:
    row = accepted(liguilla)
    analyse_record(row.pk)
    older = engine.ANALYSIS_VERSION + 1  # any other one
    HandAnalysis.objects.update(version=older)
    Analysis.objects.update(version=older)
    analyse_hands.clear()
    assert wake_due() == 1
    assert analyse_record(row.pk) is AnalysisOutcome.FINISHED
    assert analyse_hands == list(range(row.hands.count()))
    assert Analysis.objects.get(record=row).version == engine.ANALYSIS_VERSION


def test_matches_between_bots_are_analysed_only_when_a_member_asks() -> None:
    tournament = a_bot_liguilla(entries=2)
    round_ = tournament.stages.get().rounds.get(number=1)
    play_round(SYSTEM, round_)
    match = the_match(tournament, 1, 1)
    play_match(match.pk)
    row = match.records.accepted().get()
    assert not Analysis.objects.exists()
    with refusal(Reason.SIGN_IN):
        request_analysis(NOBODY, match)
    with refusal(Reason.FORBIDDEN):
        request_analysis(stranger(), match)
    assert request_analysis(arbiter(tournament.club), match) == 1
    assert Analysis.objects.get(record=row).state == State.WAITING
    assert request_analysis(arbiter(tournament.club), match) == 0


def test_switched_off_nothing_is_analysed_by_itself_or_by_the_pages(
    liguilla: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "ENVIRONMENT", replace(settings.ENVIRONMENT, analysis=False))
    row = accepted(liguilla)
    assert not Analysis.objects.exists()
    analysis_services.queue_analysis(row)
    assert wake_due() == 0
    with refusal(Reason.NOT_FOUND):
        request_analysis(SYSTEM, row.match)
