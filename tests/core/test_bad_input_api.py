"""Bad input, by the numbers of its table: each gets its answer, and nothing changes."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest

import engine
from tests.support.caller import Caller, problem
from tests.support.scenes import Scene, record_between, records_of
from tournaments.models import Match, Record, Result

TOO_LARGE = engine.MAX_BYTES + 1


@pytest.fixture
def match(scene: Scene) -> Match:
    return scene.matches()[1]


@pytest.fixture
def path(match: Match) -> str:
    return f"matches/{match.pk}/records/"


@pytest.fixture
def record(match: Match) -> dict[str, Any]:
    fields: dict[str, Any] = json.loads(record_between(match, records_of("records")))
    return fields


@pytest.fixture(autouse=True)
def nothing_counts(match: Match) -> Any:
    """Whatever the request, the match is as it was."""
    results = Result.objects.count()
    yield
    match.refresh_from_db()
    assert match.state == Match.State.PENDING
    assert Result.objects.count() == results
    assert not Record.objects.filter(match=match).exclude(state=Record.State.REFUSED).exists()


def to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def test_input_1_a_body_beyond_the_limit(organiser: Caller, path: str) -> None:
    body = problem(organiser.submit(path, b" " * TOO_LARGE), 413, "record.limit")
    assert body["reason"] == "too_large"
    assert "record" not in body
    assert Record.objects.filter(state="refused").count() == 0


def test_input_1_no_more_than_the_limit_is_read(
    organiser: Caller, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    whole = organiser.client.generic

    def spied(*arguments: Any, **settings: Any) -> Any:
        settings["wsgi.input"] = Stream(read)
        settings["CONTENT_LENGTH"] = str(1 << 40)
        return whole(*arguments, **settings)

    monkeypatch.setattr(organiser.client, "generic", spied)
    problem(organiser.submit(path, b"{"), 413, "record.limit")
    assert sum(read) <= TOO_LARGE


class Stream:
    """A body without an end that notes how much of it was asked for."""

    def __init__(self, read: list[int]) -> None:
        self.sizes_read = read

    def read(self, size: int = -1) -> bytes:
        assert size >= 0, "the whole body was asked for"
        self.sizes_read.append(size)
        return b" " * size

    readline = read


def test_input_2_nesting_like_a_bomb(organiser: Caller, path: str) -> None:
    for bomb in ("[" * 5000 + "]" * 5000, '{"a":' * 100_000 + "1" + "}" * 100_000):
        body = problem(organiser.submit(path, bomb, key=bomb[:1]), 400, "record.limit")
        assert body["reason"] == "too_deep"


def test_input_3_and_4_characters_that_cannot_be_stored(
    organiser: Caller, path: str, record: dict[str, Any]
) -> None:
    for number, bad in enumerate(("\\u0000", "\\ud800", "\\udc00x")):
        text = to_json(record).replace("Zaragoza", bad)
        response = organiser.submit(path, text, key=str(number))
        body = json.loads(response.content)
        assert (response.status_code, body["reason"]) == (400, "bad_character"), body


def test_input_5_the_same_key_twice(organiser: Caller, path: str, record: dict[str, Any]) -> None:
    text = to_json(record).replace('"format"', '"ruleset": "habanero", "format"', 1)
    assert problem(organiser.submit(path, text), 400, "record.syntax")["reason"] == "duplicate_key"


def test_input_6_a_field_nobody_knows(organiser: Caller, path: str, record: dict[str, Any]) -> None:
    body = problem(organiser.submit(path, to_json({**record, "nota": 1})), 400, "record.field")
    assert (body["reason"], body["pointer"]) == ("unknown_field", "/nota")
    assert organiser.read(body["record"])["record"]["state"] == "refused"


@pytest.mark.parametrize("value", ["7", 1.0, 1.5, True, [7], {"7": 7}])
def test_input_7_and_8_what_is_not_a_whole_number(
    organiser: Caller, path: str, record: dict[str, Any], value: object
) -> None:
    record["hands"][0]["points"]["AC"] = value
    body = problem(organiser.submit(path, to_json(record)), 400, "record.field")
    assert (body["reason"], body["pointer"]) == ("wrong_type", "/hands/0/points/AC")


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e400", "9" * 5000])
def test_input_9_numbers_that_are_none(
    organiser: Caller, path: str, record: dict[str, Any], number: str
) -> None:
    record["hands"][0]["points"]["AC"] = "here"
    text = to_json(record).replace('"here"', number)
    body = json.loads(organiser.submit(path, text).content)
    assert body["status"] == 400, body
    assert body["reason"] in {"bad_number", "wrong_type"}, body


@pytest.mark.parametrize(
    "spoil", [lambda text: text[:-1], lambda text: text + "x", lambda text: text + text]
)
def test_input_10_json_that_is_broken(
    organiser: Caller, path: str, record: dict[str, Any], spoil: Any
) -> None:
    body = problem(organiser.submit(path, spoil(to_json(record))), 400, "record.syntax")
    assert body["reason"] == "malformed_json"
    assert body["line"] == 1
    assert body["column"] > 1000


def test_input_10_the_line_is_reported(organiser: Caller, path: str) -> None:
    body = problem(organiser.submit(path, '{"format":\n  "baza/1",\n  oops}'), 400, "record.syntax")
    assert (body["line"], body["column"]) == (3, 3)


@pytest.mark.parametrize(
    "encode",
    [
        lambda text: text.encode("utf-16"),
        lambda text: text.encode("utf-8-sig"),
        lambda text: text.encode("latin-1"),
        lambda text: b"\xff\xfe" + text.encode(),
    ],
)
def test_input_11_what_is_not_plain_utf_8(
    organiser: Caller, path: str, record: dict[str, Any], encode: Any
) -> None:
    body = problem(organiser.submit(path, encode(to_json(record))), 400, "record.syntax")
    assert body["reason"] == "bad_encoding"


@pytest.mark.parametrize("body", ["[]", '"acta"', "null", "7", "[{}]"])
def test_input_12_what_is_no_object(organiser: Caller, path: str, body: str) -> None:
    answer = problem(organiser.submit(path, body), 400, "record.format")
    assert answer["reason"] == "expected_object"


def test_input_12_nothing_at_all(organiser: Caller, path: str) -> None:
    problem(organiser.submit(path, ""), 400, "record.syntax")


@pytest.mark.parametrize(
    "content_type",
    [
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "text/plain",
        "",
        "application/json; charset=foo",
        "application/json; charset=utf-16",
        "application/json; charset=iso-8859-1",
        "application/zip",
        "json",
    ],
)
def test_input_13_and_14_other_media_types(
    organiser: Caller, path: str, record: dict[str, Any], content_type: str
) -> None:
    response = organiser.submit(path, to_json(record), content_type=content_type)
    problem(response, 415, "unsupported_media_type")
    assert response.headers["Accept-Post"] == "application/json"
    assert Record.objects.filter(state="refused").count() == 0


def test_input_14_utf_8_may_be_said(organiser: Caller, path: str) -> None:
    response = organiser.submit(path, "[]", content_type='Application/JSON; charset="UTF-8"')
    problem(response, 400, "record.format")


def test_input_15_compressed_bodies(organiser: Caller, path: str, record: dict[str, Any]) -> None:
    packed = gzip.compress(to_json(record).encode())
    response = organiser.submit(path, packed, **{"Content-Encoding": "gzip"})
    problem(response, 415, "unsupported_media_type")


@pytest.mark.parametrize("character", ["\u202e", "\u200b", "\u0007", "\ufeff"])
def test_input_16_invisible_characters_in_names(
    organiser: Caller, path: str, record: dict[str, Any], character: str
) -> None:
    record["seats"][2] = f"Jesús{character} Ibáñez"
    body = problem(organiser.submit(path, json.dumps(record)), 400, "record.seats")
    assert (body["reason"], body["pointer"]) == ("bad_character", "/seats/2")


def test_input_18_another_format(organiser: Caller, path: str, record: dict[str, Any]) -> None:
    for number, other in enumerate(("baza/2", None, 1)):
        response = organiser.submit(path, to_json({**record, "format": other}), key=str(number))
        assert "baza/1" in problem(response, 400, "record.format")["detail"]


def test_input_19_a_ruleset_nobody_knows(
    organiser: Caller, path: str, record: dict[str, Any]
) -> None:
    response = organiser.submit(path, to_json({**record, "ruleset": "de-mi-pueblo"}))
    assert problem(response, 422, "record.ruleset")["reason"] == "unknown_ruleset"


def test_input_20_and_21_impossible_deals(
    organiser: Caller, path: str, record: dict[str, Any]
) -> None:
    deal = record["hands"][0]["deal"]
    first, second = deal["A"].split()[0], deal["B"].split()[0]
    spoiled = {
        "deal.card": {**deal, "A": deal["A"].replace(first, "8o")},
        "deal.duplicate": {**deal, "A": deal["A"].replace(first, second)},
        "deal.size": {
            **deal,
            "A": deal["A"].removeprefix(first).strip(),
            "B": f"{deal['B']} {first}",
        },
    }
    for code, wrong in spoiled.items():
        record["hands"][0]["deal"] = wrong
        body = problem(organiser.submit(path, to_json(record), key=code), 422, code)
        assert organiser.read(body["record"])["record"]["code"] == code


def test_input_27_a_match_that_stops_half_way(
    organiser: Caller, path: str, record: dict[str, Any]
) -> None:
    half = {**record, "hands": record["hands"][:1], "score": None, "winner": None}
    problem(organiser.submit(path, to_json(half)), 422, "incomplete")


def test_input_27_a_hand_that_stops_half_way(
    organiser: Caller, path: str, record: dict[str, Any]
) -> None:
    hand = record["hands"][0]
    hand["play"] = " ".join(hand["play"].split()[:-2])
    problem(organiser.submit(path, to_json(record)), 422, "play.incomplete")


def test_input_28_a_score_that_the_play_does_not_give(
    organiser: Caller, path: str, record: dict[str, Any]
) -> None:
    record["hands"][0]["points"] = {"AC": 65, "BD": 65}
    problem(organiser.submit(path, to_json(record)), 422, "score.points")


@pytest.mark.parametrize("pk", ["0", "9" * 30, str(2**63), "%00", "%ff", "acta", "-1", "1.0"])
def test_input_43_numbers_of_nothing(organiser: Caller, pk: str) -> None:
    for kind in ("matches", "records"):
        problem(organiser.get(f"{kind}/{pk}/"), 404, "not_found")
    problem(organiser.submit(f"matches/{pk}/records/", "{}"), 404, "not_found")


@pytest.mark.parametrize("slug", ["nada", "%00", "%ff", "a" * 5000, "<b>"])
def test_input_43_names_of_nothing(organiser: Caller, slug: str) -> None:
    for kind in ("clubs", "tournaments"):
        problem(organiser.get(f"{kind}/{slug}/"), 404, "not_found")
