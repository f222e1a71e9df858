"""A contradiction is not heard again after a ruling, but is when a match is played again."""

import pytest

from tests.clubs import SYSTEM, club_night_lines, record, submitted, text, the_liguilla
from tests.support.event_tables import LOST, WON, away, counting, home, now, table_1
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.domain.scores import Score
from tournaments.models import Dispute, Match, Record
from tournaments.results.queries.matches import recorder_page
from tournaments.results.services.matches import correct_result, forfeit, rule_on_dispute
from tournaments.results.services.reports import confirm_due, report_result
from tournaments.results.services.submit import submit_record

pytestmark = pytest.mark.django_db

FIRST = club_night_lines()[0]


def of_table_1(index: int) -> str:
    """Another record of the first match: the hands of another one."""
    return text({**record(index), "seats": record(0)["seats"]})


@pytest.fixture
def match(db: None) -> Match:
    """Round 1, table 1, not played."""
    return table_1(the_liguilla(published=1))


def void(match: Match) -> None:
    dispute = match.disputes.unsettled().get()
    rule_on_dispute(SYSTEM, dispute, "void", reason="Se juega otra vez.")


def test_what_a_side_took_back_opens_a_dispute_when_the_other_side_sends_it(match: Match) -> None:
    submit_record(home(match), match, FIRST)
    submit_record(home(match), match, of_table_1(3))
    answer = submit_record(away(match), match, FIRST)
    assert (answer.outcome, now(match).state) == ("contested", "disputed")
    assert Dispute.objects.get().record == answer.record
    confirm_due()
    assert counting(match) is None


def test_a_record_that_a_ruling_replaced_opens_nothing_when_it_comes_again(match: Match) -> None:
    submit_record(SYSTEM, match, FIRST)
    second_record = submit_record(SYSTEM, match, of_table_1(3)).record
    rule_on_dispute(SYSTEM, Dispute.objects.get(), "amend", reason="Así fue.", record=second_record)
    assert submit_record(home(match), match, FIRST).outcome == "contested"
    assert (now(match).state, Dispute.objects.count()) == ("accepted", 1)


def test_a_match_played_again_can_be_contradicted_by_the_same_score(match: Match) -> None:
    report_result(home(match), match, score=WON)
    report_result(away(match), match, score=LOST)
    void(match)
    report_result(home(match), match, score=WON)
    assert report_result(away(match), match, score=LOST).outcome == "contested"
    assert now(match).state == "disputed"


def test_a_match_played_again_can_be_contradicted_by_the_same_record(match: Match) -> None:
    for _ in range(2):
        submit_record(home(match), match, FIRST)
        assert submit_record(away(match), match, of_table_1(3)).outcome == "contested"
        assert now(match).state == "disputed"
        void(match)
    assert set(match.records.values_list("state", flat=True)) == {Record.State.SUPERSEDED}


@pytest.mark.parametrize("kind", ["score", "forfeit"])
def test_a_result_that_the_arbiter_gave_in_place_of_a_record_takes_no_records(
    match: Match, kind: str
) -> None:
    submitted(match.tournament, 0)
    if kind == "score":
        correct_result(SYSTEM, match, Score(3, 1, 0, 0), reason="Consta en el acta.")
    else:
        forfeit(SYSTEM, match, ["away"], reason="Se fueron.")
    answer = submit_record(away(match), match, of_table_1(3))
    assert (answer.outcome, answer.code) == ("refused", "settled")
    assert now(match).state == "accepted"
    assert submit_record(away(match), match, FIRST).outcome == "duplicate"
    with refusal(Reason.SETTLED):
        recorder_page(match.pk, away(match))
