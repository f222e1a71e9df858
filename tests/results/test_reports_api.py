"""Results reported, confirmed and disputed by programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.quick import examples
from tests.support.caller import Caller, problem
from tournaments.core.permissions import Actor
from tournaments.domain.scores import Score
from tournaments.models import ApiToken, Dispute, Match, Result
from tournaments.results.services.reports import report_result

if TYPE_CHECKING:
    from tests.conftest import Issue
    from tests.support.scenes import Scene

WON = {"home_hands": 3, "away_hands": 1}


@pytest.fixture
def match(scene: Scene) -> Match:
    """The match of the first round that is still to be played."""
    return scene.matches()[1]


def say(caller: Caller, match: Match, verb: str, body: object, key: str = "one") -> Any:
    return caller.submit(f"matches/{match.pk}/{verb}/", json.dumps(body), key=key)


def state(match: Match) -> str:
    return Match.objects.get(pk=match.pk).state


def reported(match: Match, home: int = 3, away: int = 1) -> Result:
    by = Actor.for_entry(match.home)
    return report_result(by, match, score=Score(home, away, 0, 0)).result


def test_the_clubs_report_counts_at_once(organiser: Caller, match: Match) -> None:
    response = say(organiser, match, "report", WON)
    body = json.loads(response.content)
    assert (response.status_code, body["outcome"], body["version"]) == (201, "accepted", 1)
    page = organiser.read(f"matches/{match.pk}/")
    assert page["match"]["state"] == "accepted"
    assert [(r["depth"], r["counts"]) for r in page["results"]] == [("score", True)]


def test_hands_are_added_up(organiser: Caller, match: Match) -> None:
    hands = [{"home": 90, "away": 40}, {"home": 130, "away": 20}, {"home": 100, "away": 30}]
    assert say(organiser, match, "report", {"hands": hands}).status_code == 201
    (result,) = organiser.read(f"matches/{match.pk}/")["results"]
    assert (result["score"]["home_hands"], result["hands"]) == (3, [[90, 40], [130, 20], [100, 30]])
    impossible = {"hands": [{"home": 90, "away": 41}]}
    problem(say(organiser, match, "report", impossible, key="two"), 422, "impossible_hand")


def test_a_report_sent_twice_is_one_report(organiser: Caller, match: Match) -> None:
    first = say(organiser, match, "report", WON)
    second = say(organiser, match, "report", WON)
    assert (second.status_code, second.content) == (first.status_code, first.content)
    assert second.headers["Idempotency-Replayed"] == "true"
    other = say(organiser, match, "report", WON, key="two")
    assert json.loads(other.content)["outcome"] == "duplicate"
    assert match.results.count() == 1
    used = say(organiser, match, "report", {"home_hands": 0, "away_hands": 3})
    problem(used, 422, "idempotency_mismatch")


def test_what_contradicts_a_report_opens_a_dispute(organiser: Caller, match: Match) -> None:
    reported(match)
    response = say(organiser, match, "report", {"home_hands": 1, "away_hands": 3})
    problem(response, 409, "conflicting_report")
    assert state(match) == "disputed"
    assert Dispute.objects.get().result is not None


def test_the_version_that_was_seen_is_confirmed_and_no_other(
    organiser: Caller, match: Match
) -> None:
    reported(match)
    reported(match, 3, 2)
    problem(say(organiser, match, "confirm", {"version": 1}), 409, "report_changed")
    assert state(match) == "reported"
    assert say(organiser, match, "confirm", {"version": 2}, key="two").status_code == 200
    assert state(match) == "accepted"


def test_a_result_is_disputed_with_a_reason(organiser: Caller, match: Match) -> None:
    reported(match)
    problem(say(organiser, match, "dispute", {"reason": "  "}), 422, "reason_missing")
    response = say(organiser, match, "dispute", {"reason": "Fue al revés."}, key="two")
    assert json.loads(response.content)["dispute"] == Dispute.objects.get().pk
    assert state(match) == "disputed"


def test_a_result_that_counts_does_so_until_its_dispute_is_ruled_on(
    organiser: Caller, match: Match
) -> None:
    say(organiser, match, "report", WON)
    response = say(organiser, match, "dispute", {"reason": "Fue al revés."}, key="two")
    assert response.status_code == 201
    page = organiser.read(f"matches/{match.pk}/")
    assert page["match"]["state"] == "disputed"
    assert [result["counts"] for result in page["results"]] == [True]


def test_a_token_without_the_scope_reports_nothing(issue: Issue, match: Match) -> None:
    for role in ("arbiter", "player", "outsider"):
        reader = issue(role, (ApiToken.Scope.READ,)) if role != "outsider" else None
        if reader is not None:
            problem(say(reader, match, "report", WON), 403, "forbidden")
            problem(say(reader, match, "dispute", {"reason": "No."}), 403, "forbidden")
    problem(say(Caller(), match, "report", WON), 401, "sign_in")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "score_missing"),
        ({"home_hands": 3}, "score_missing"),
        ({**WON, "hands": [{"home": 1, "away": 2}]}, "score_missing"),
        ({**WON, "third_hands": 0}, "impossible_score"),
        ({**WON, "third_points": 0}, "score_missing"),
        ({"home_hands": 2, "away_hands": 1}, "score_unfinished"),
        ({"home_hands": -3, "away_hands": 1}, "impossible_score"),
        ({"home_hands": "3", "away_hands": 1}, "bad_parameter"),
        ({"home_hands": True, "away_hands": 1}, "bad_parameter"),
        ({**WON, "winner": "home"}, "bad_parameter"),
        ({"hands": "3-1"}, "bad_parameter"),
        ({"hands": [[3, 1]]}, "bad_parameter"),
        ([], "bad_request"),
    ],
)
def test_what_is_no_report_is_refused_and_changes_nothing(
    organiser: Caller, match: Match, body: object, code: str
) -> None:
    response = say(organiser, match, "report", body)
    problem(response, response.status_code, code)
    assert 400 <= response.status_code <= 422
    assert not match.results.exists()


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["\x00", "\ud800", "home", "third"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["home", "away", "third", "winner", "board", "x"]), inner, max_size=4
        )
    ),
    max_leaves=6,
)
FIELDS = st.sampled_from(
    ["home_hands", "away_hands", "third_hands", "home_points", "hands", "reason", "version", "x"]
)


@settings(
    max_examples=examples(60),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    verb=st.sampled_from(["report", "confirm", "dispute"]),
    body=st.dictionaries(FIELDS, ANYTHING, max_size=4) | ANYTHING,
)
def test_whatever_is_said_is_answered(
    organiser: Caller, match: Match, verb: str, body: object
) -> None:
    key = f"k{hash((verb, json.dumps(body)))}"
    response = say(organiser, match, verb, body, key=key)
    assert response.status_code in {200, 201, 400, 409, 422}
