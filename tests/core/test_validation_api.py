"""Bodies are validated by strict serializers: wrong types, unknown fields and where they are."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import RequestFactory
from django.utils import translation
from rest_framework.request import Request

from tournaments.core.api.requests import read_body, validate
from tournaments.core.api.serializers import Nothing, StrictSerializer
from tournaments.core.errors import Reason, Refusal
from tournaments.director.serializers import directing
from tournaments.people import serializers as people_serializers
from tournaments.results import serializers as results_serializers


def read(serializer: type[StrictSerializer], **body: Any) -> dict[str, Any]:
    return validate(serializer, json.dumps(body).encode())


def wrong_place(serializer: type[StrictSerializer], **body: Any) -> str:
    with pytest.raises(Refusal) as refused:
        read(serializer, **body)
    assert refused.value.reason is Reason.BAD_PARAMETER
    return str(refused.value.params["name"])


@pytest.mark.parametrize("minutes", ["7", 7.0, True, None, [7], {"7": 7}, 0, 2**31])
def test_what_is_no_integer_within_the_limits_is_refused(minutes: object) -> None:
    assert wrong_place(directing.Minutes, minutes=minutes) == "minutes"


@pytest.mark.parametrize("value", ["yes", 1, None, []])
def test_what_is_no_flag_is_refused(value: object) -> None:
    assert wrong_place(directing.Finish, early=value) == "early"


@pytest.mark.parametrize("value", [7, True, None, ["Eva"]])
def test_what_is_no_text_is_refused(value: object) -> None:
    assert wrong_place(people_serializers.NameChange, name=value) == "name"


def test_texts_are_left_as_they_are() -> None:
    assert read(people_serializers.NameChange, name="  ") == {"name": "  "}
    assert read(people_serializers.NameChange, name="") == {"name": ""}


def test_what_is_left_out_is_left_out_and_what_is_required_is_asked_for() -> None:
    assert read(people_serializers.ClubChange) == {}
    assert wrong_place(directing.TwoEntries, one=1) == "other"
    with pytest.raises(Refusal) as refused:
        read(directing.TwoEntries, one=1)
    with translation.override("en"):
        assert "“other” is missing or not possible" in refused.value.message


def test_an_unknown_field_is_named_before_a_wrong_one_and_no_longer_than_it_helps() -> None:
    assert wrong_place(directing.Minutes, minutes="x", nota=1) == "nota"
    assert wrong_place(Nothing, **{"n" * 100: 1}) == "n" * 60


def test_a_wrong_row_of_a_list_is_named_by_its_index() -> None:
    good = {"players": ["Eva Pina", "Leo Mur"]}
    for bad in ({}, {"players": [7]}, {**good, "nota": 1}, {**good, "rating": -1}, "Eva"):
        assert wrong_place(directing.EntryList, entries=[good, bad]) == "entries/1"
    assert wrong_place(directing.EntryList, entries="Eva") == "entries"
    assert wrong_place(directing.EntryList) == "entries"
    assert wrong_place(directing.EntryList, csv="", entries=[good]) == "entries"


def test_services_judge_what_is_only_documented() -> None:
    assert read(results_serializers.Report, home_hands=-1) == {"home_hands": -1}
    assert read(results_serializers.Report, hands=[{"home": "x"}]) == {"hands": [{"home": "x"}]}
    assert wrong_place(results_serializers.Report, hands=[7]) == "hands"
    assert read(directing.Visibility, visibility="x") == {"visibility": "x"}


@pytest.mark.parametrize("to", ["2026-11-28", "2026-11-28T20:00:00", "tomorrow", 7])
def test_a_moment_needs_its_offset(to: object) -> None:
    assert wrong_place(results_serializers.Postponement, to=to) == "to"


def test_a_moment_is_read_in_utc() -> None:
    assert read(results_serializers.Postponement, to="2026-11-28T20:00:00+01:00") == {
        "to": datetime(2026, 11, 28, 19, tzinfo=UTC)
    }
    assert read(results_serializers.Postponement, to=None) == {"to": None}


def request_with(body: bytes = b"", kind: str = "") -> Request:
    request = RequestFactory().generic("POST", "/", body, kind)
    if kind:  # Django's factory leaves it out where there is no body
        request.META["CONTENT_TYPE"] = kind
    return Request(request)


def test_no_body_needs_no_media_type() -> None:
    assert read_body(request_with()) == b""
    assert validate(Nothing, b"") == {}


@pytest.mark.parametrize(
    "request_",
    [request_with(b"{}"), request_with(kind="text/plain"), request_with(b"{}", kind="text/plain")],
)
def test_a_body_or_a_media_type_is_held_to_json(request_: Request) -> None:
    with pytest.raises(Refusal) as refused:
        read_body(request_)
    assert refused.value.reason is Reason.UNSUPPORTED_MEDIA_TYPE


def test_a_record_is_never_empty() -> None:
    with pytest.raises(Refusal):
        read_body(request_with(), may_be_empty=False)
