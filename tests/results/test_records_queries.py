"""A record's page: the verdict, and the moment of each fault."""

import json
from datetime import UTC, datetime
from functools import partial

import pytest
from django.test import Client
from django.utils import translation

from tests.clubs import (
    CLUB_NIGHT,
    NOBODY,
    SYSTEM,
    arbiter,
    club_night_lines,
    disputed_lines,
    organiser,
    program,
    record,
    text,
    the_liguilla,
    the_match,
)
from tests.support.counting import count_queries
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.models import Record, Tournament
from tournaments.results.queries.records import RecordPage, record_page, records_after
from tournaments.results.services.submit import submit_record, submit_to_tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def liguilla(db: None) -> Tournament:
    """The club night with its rounds published."""
    return the_liguilla()


def page_of(tournament: Tournament, body: str) -> RecordPage:
    stored_record = submit_record(SYSTEM, the_match(tournament, 1, 1), body).record
    assert stored_record is not None
    return record_page(stored_record.pk, SYSTEM)


def test_an_accepted_record_shows_what_was_sent_and_its_verdict(liguilla: Tournament) -> None:
    page = page_of(liguilla, club_night_lines()[0])
    assert page.text == club_night_lines()[0]
    assert page.verdict["valid"]
    assert (page.faults, page.code, page.message, page.dispute) == ((), "", "", None)
    assert page.record.state == "accepted"
    assert page.verdict["hands"][0]["points"] == {"AC": 54, "BD": 96}
    assert len(page.verdict["hands"][0]["tricks"]) == 10


@pytest.mark.parametrize("line", range(24))
def test_each_disputed_record_shows_its_fault_where_it_happened(
    liguilla: Tournament, line: int
) -> None:
    expected = json.loads(
        (CLUB_NIGHT / "disputed.expected.ndjson").read_text("utf-8").splitlines()[line]
    )
    stored_record = submit_to_tournament(SYSTEM, liguilla, disputed_lines()[line]).record
    assert stored_record is not None
    page = record_page(stored_record.pk, SYSTEM)
    row = page.faults[0]
    fault = row.fault
    assert (page.code, fault.code, fault.rule) == (
        expected["code"],
        expected["code"],
        expected["rule"],
    )
    assert (fault.hand, fault.token, set(fault.legal)) == (
        expected["hand"],
        expected["token"],
        set(expected["legal"]),
    )
    assert page.message == row.message
    if fault.token is None:
        assert row.frame is None
    else:
        assert row.frame is not None
        if fault.seat and fault.legal:
            assert row.frame.turn == fault.seat
            assert set(fault.legal) <= set(row.frame.hands[fault.seat])
            assert set(fault.legal) == set(row.frame.legal)


def test_the_verdict_speaks_the_language_in_use(liguilla: Tournament) -> None:
    body = disputed_lines()[11]
    with translation.override("es"):
        spanish = page_of(liguilla, body)
    with translation.override("en"):
        english = page_of(liguilla, body)
    assert spanish.faults[0].message != english.faults[0].message
    assert spanish.verdict["faults"][0]["message"] == spanish.faults[0].message
    assert Record.objects.get().verdict["faults"][0]["message"] == english.faults[0].message


def test_a_refused_record_says_what_may_have_been_meant(liguilla: Tournament) -> None:
    with translation.override("en"):
        page = page_of(liguilla, disputed_lines()[1])
    assert page.faults[0].fault.code == "play.must_overtrump"
    assert page.faults[0].hints[0] == (
        "2c and Rc may have changed places (tokens 28, 34); then the stated result is true too"
    )
    assert page_of(liguilla, disputed_lines()[8]).faults[0].hints == ()


def test_a_hand_that_a_card_stopped_is_explained_trick_by_trick(liguilla: Tournament) -> None:
    stored_record = submit_record(SYSTEM, the_match(liguilla, 1, 1), disputed_lines()[1]).record
    assert stored_record is not None
    user = arbiter(liguilla.club).user
    assert user is not None
    client = Client(headers={"accept-language": "en"})
    client.force_login(user)
    html = client.get(f"/records/{stored_record.pk}/").content.decode()
    with translation.override("en"):
        page = record_page(stored_record.pk, SYSTEM)
    assert list(page.explained) == [4]
    last = page.explained[4][-1]
    assert (last.number, last.remarks[-1]) == (7, ("R4.4a", page.faults[0].message))
    assert "Hand 4 trick by trick, with the rules" in html
    for rule, sentence in last.remarks:
        assert f'href="/rules/#{rule}"' in html
        assert sentence in html


def test_a_record_without_a_fault_in_its_play_explains_no_hand(liguilla: Tournament) -> None:
    assert page_of(liguilla, club_night_lines()[0]).explained == {}


def test_a_refusal_of_the_service_is_reported_with_its_particulars(liguilla: Tournament) -> None:
    page = page_of(liguilla, club_night_lines()[1])
    assert page.code == "pairing_mismatch"
    assert page.faults == ()
    assert "Pilar Martínez" in page.message
    assert "%(" not in page.message


def test_a_refused_record_without_the_values_of_its_reason_has_a_page(
    liguilla: Tournament,
) -> None:
    page_of(liguilla, club_night_lines()[1])
    refused = Record.objects.get(state="refused")
    Record.objects.filter(pk=refused.pk).update(params={})  # as an export may have it
    assert "…" in record_page(refused.pk, SYSTEM).message


def test_a_form_at_fault_has_no_moment(liguilla: Tournament) -> None:
    page = page_of(liguilla, text({**record(0), "extra": 1}))
    (row,) = page.faults
    assert (page.code, row.fault.path, row.frame) == ("record.field", "/extra", None)
    assert page.verdict["hands"] == []


def test_a_contested_record_shows_its_dispute(liguilla: Tournament) -> None:
    submit_record(SYSTEM, the_match(liguilla, 1, 1), club_night_lines()[0])
    other = record(3)
    other["seats"] = record(0)["seats"]
    page = page_of(liguilla, text(other))
    assert page.dispute is not None
    assert (page.dispute.state, page.dispute.record_pk) == ("open", page.record.pk)
    assert (page.code, page.record.state) == ("conflicting_log", "contested")


def test_evidence_is_found_by_whom_it_concerns(liguilla: Tournament) -> None:
    scorer = program(liguilla.club, "games:submit", of="pepa")
    stored_record = submit_record(scorer, the_match(liguilla, 1, 1), disputed_lines()[0]).record
    assert stored_record is not None
    assert record_page(stored_record.pk, scorer).code == "declare.forfeited"
    assert record_page(stored_record.pk, arbiter(liguilla.club)).code == "declare.forfeited"
    with refusal(Reason.NOT_FOUND):
        record_page(stored_record.pk, NOBODY)
    with refusal(Reason.NOT_FOUND):
        record_page(987654, SYSTEM)


def test_a_record_says_when_a_name_was_taken_out_of_it(
    liguilla: Tournament, client: Client
) -> None:
    stored_record = submit_record(SYSTEM, the_match(liguilla, 1, 1), club_night_lines()[0]).record
    assert stored_record is not None
    notice = "Personal data was erased from this record"
    address = f"/records/{stored_record.pk}/"
    english = {"accept-language": "en"}
    assert notice not in client.get(address, headers=english).content.decode()
    assert record_page(stored_record.pk, NOBODY).record.redacted_at is None
    when = datetime(2026, 11, 21, 22, 30, tzinfo=UTC)
    Record.objects.filter(pk=stored_record.pk).update(redacted_at=when)
    assert notice in client.get(address, headers=english).content.decode()
    answer = client.get(f"/api/v1/records/{stored_record.pk}/").json()
    assert datetime.fromisoformat(answer["record"]["redacted_at"]) == when


def test_a_page_takes_as_many_queries_however_long_the_record(liguilla: Tournament) -> None:
    boss = organiser(liguilla.club)
    stored_record = submit_record(SYSTEM, the_match(liguilla, 1, 1), club_night_lines()[0]).record
    assert stored_record is not None
    assert count_queries(lambda: record_page(stored_record.pk, NOBODY))[1] == 6
    assert count_queries(lambda: record_page(stored_record.pk, boss))[1] == 7
    refused = submit_record(SYSTEM, the_match(liguilla, 1, 2), disputed_lines()[0]).record
    assert refused is not None
    assert count_queries(lambda: record_page(refused.pk, boss))[1] == 8


def test_a_list_of_records_takes_as_many_queries_however_many_there_are(
    liguilla: Tournament,
) -> None:
    boss, slug = organiser(liguilla.club), liguilla.slug

    def query_counts() -> list[int]:
        return [
            count_queries(partial(records_after, slug, 0, 50, actor, {}))[1]
            for actor in (NOBODY, boss)
        ]

    submit_record(SYSTEM, the_match(liguilla, 1, 1), club_night_lines()[0])
    for_one = query_counts()
    for line in disputed_lines()[:3]:
        submit_record(SYSTEM, the_match(liguilla, 1, 2), line)
    assert len(records_after(slug, 0, 50, boss, {})) == 4
    assert query_counts() == for_one == [3, 3]
