"""What the document shows as said and answered, by operation: each is tried by a test."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from drf_spectacular.utils import OpenApiExample

import engine
from tournaments.core.api.problems import CONTENT_TYPE
from tournaments.core.api.requests import TUTE

NAME: Final = "example"
ANSWERS: Final = Path(__file__).with_name("examples.json")
"""Answers as they were given, by operation and status; `test_request_examples.py` writes them."""

HAND: Final = {
    "dealer": "D",
    "trump": "Rb",
    "deal": {
        "A": "4b 2e 7c 3o 5b 3e Cb Re 5e 6c",
        "B": "6e Co Rc 7e 7b Ro 7o 6o Se 6b",
        "C": "3c So 1c 4e 2b 5c Sb 4c 1o Sc",
        "D": "4o Ce 2o 2c 1b Rb 5o 3b Cc 1e",
    },
    "play": "2e Se 4e 1e B:20o 2o 3o 6o 1o 4c Cc 6c Rc 6e Sb Ce 3e 1c 2c 7c 6b 7o So 4o Cb 5e 7e "
    "2b Rb 5o 4b Co 3c 5b 7b 5c 1b 3b Re Ro Sc",
    "points": {"AC": 54, "BD": 96},
    "winner": "BD",
}

RECORD: Final = OpenApiExample(
    "A match to one hand",
    value={
        "format": "baza/1",
        "ruleset": "parejas-online",
        "options": {"to": 1},
        "seats": ["Pilar Martínez", "Teresa Beltrán", "Jesús Ibáñez", "Julián Cortés"],
        "hands": [HAND],
        "score": {"AC": 0, "BD": 1},
        "winner": "BD",
    },
    request_only=True,
)

FAULT: Final = {
    "code": "play.must_overtrump",
    "rule": "R4.4a",
    "hand": 1,
    "trick": 7,
    "token": 28,
    "path": "/hands/0/play",
    "seat": "C",
    "card": "2c",
    "legal": ["Rc"],
    "message": "C played 2c but must overtrump 7c: Rc",
}

VERDICT: Final = {
    "valid": False,
    "ruleset": "parejas-online",
    "source": "",
    "digest": "sha256:028070c46574133af9635988a6a703bb736526fbc9486a3ddb8a8c8b3c167ba8",
    "hands": [],
    "score": None,
    "winner": None,
    "faults": [FAULT],
    "notices": [],
}

REFUSED: Final = OpenApiExample(
    "A card that may not be played",
    value={
        "type": "https://club.example/api/v1/problems/#play.must_overtrump",
        "title": "Play: must overtrump",
        "status": 422,
        "detail": FAULT["message"],
        "instance": "/api/v1/matches/17/records/",
        "code": FAULT["code"],
        "record": "https://club.example/api/v1/records/30/",
        "pointer": FAULT["path"],
        "verdict": VERDICT,
    },
    media_type=CONTENT_TYPE,
    status_codes=["422"],
    response_only=True,
)

FILE: Final = """{"format": "baza-tournament/1", "name": "Summer", "ruleset": "cuatro",
 "entrants": [{"name": "Las Nuevas", "players": ["Nieves Otal", "Rosa Vera"]}],
 "stages": [{"format": "swiss", "rules": {"rounds": 3}}]}"""

SCORE: Final = {"home_hands": 3, "away_hands": 1, "home_points": 360, "away_points": 210}
REQUESTS: Final[Mapping[str, Any]] = {
    "create_tournament": {
        "name": "Liguilla de primavera",
        "slug": "primavera",
        "ruleset": "parejas-online",
        "options": {"to": 3},
        "stages": [
            {"format": "swiss", "rules": {"rounds": 5}},
            {"format": "knockout", "rules": {"take": 4}},
        ],
        "place": "Casa Lac",
    },
    "import_entries": {
        "players": "id,nombre\nJ31,Nieves Otal\nJ32,Sonia Otal\n",
        "pairs": "pareja,nombre,jugador1,jugador2\nP31,Las Nuevas,J31,J32\n",
    },
    "import_list": {
        "entries": [
            {"players": ["Nieves Otal", "Sara Val"], "name": "Las Nuevas", "rating": 1400},
            {"players": ["Eva Pina", "Leo Mur"], "club": "Huesca"},
        ]
    },
    "enter_bots": {"bots": ["azar", "azar"]},
    "preview_list": {"entries": [{"players": ["Nieves Otal", "Sara Val"]}]},
    "draw": {"after": 3},
    "set_seeding": {"seeding": "lot", "seeded": 2},
    "finish_tournament": {"early": True},
    "draw_stage_again": {"reason": "A pair was missing.", "order": [3, 1, 4, 2]},
    "draw_again_of_stage": {"reason": "A pair was missing.", "order": [3, 1, 4, 2]},
    "close_check_in": {"absent": "bye"},
    "open_check_in": {"afresh": True},
    "draw_round_again": {"keep_all": True},
    "draw_again_of_round": {"keep_all": True},
    "swap_entries": {"one": 1, "other": 2},
    "pair_entries": {"one": 1, "other": 2},
    "give_bye": {"entry": 3, "bye": "half"},
    "rest_entry": {"entry": 3, "bye": "half"},
    "seat_late": {"absent": 2, "late": 9},
    "start_clock": {"minutes": 50},
    "plan_days": {
        "on": [1, 3],
        "at": "20:30",
        "first": "2026-11-24",
        "count": 7,
        "pauses": [{"first": "2026-12-24", "last": "2027-01-06"}],
        "play_within": 6,
    },
    "add_day": {"starts_at": "2027-02-02T20:30:00+01:00", "note": "In case of snow."},
    "change_day": {
        "starts_at": "2026-12-03T20:30:00+01:00",
        "place": "Bar Central",
        "announcement": "Round 1 is on Thursday, at the Bar Central.",
    },
    "announce": {"text": "Dinner is served at ten."},
    "sign_up": {"names": ["Ana Gil", "Luis Sanz"], "contact": "600 123 456"},
    "set_sign_up": {"opens_at": "2026-12-01T10:00:00+01:00", "places": 64, "fee_cents": 2000},
    "close_sign_up": {"leave_out": [12]},
    "set_sources": {"tournaments": ["centro-oeste", "centro-norte"], "take": 3},
    "note_through": {"come": [{"tournament": "centro-oeste", "entry": 7}]},
    "note_places": {"origin": "Peña Norte", "text": "1. Ana Gil y Luis Sanz\n2. Eva Rey y Pau Gil"},
    "pass_over": {"tournament": "centro-oeste", "entry": 4, "reason": "They travel that day."},
    "invite": {"tournament": "centro-norte", "entry": 9, "reason": "The hosts play."},
    "remove_source": {"tournament": "centro-oeste"},
    "take_off_sign_up": {"reason": "They cannot come."},
    "remove_entry": {"ticket": "keep"},
    "take_off_sign_ups": {"tickets": [4, 5, 6], "reason": "Signed up by a robot."},
    "join_sign_ups": {"other": 2},
    "change_sign_up": {"names": ["Ana Gil"], "contact": "600 123 456"},
    "make_sign_up_link": {"origin": "Bar Central", "quota": 8},
    "hand_out_prize": {"entry": 1, "cents": 10000, "payee": "Ana Gil"},
    "create_from_file": {"file": FILE},
    "pay": {"ticket": 1, "cents": 2000},
    "refund": {"ticket": 1, "note": "They cannot come."},
    "waive": {"entry": 3, "note": "They run the bar."},
    "reverse": {"note": "It was the other pair."},
    "cancel_tournament": {"reason": "The hall is closed."},
    "pin_match": {"pinned": True},
    "report_result": SCORE,
    "confirm_result": {"version": 1},
    "dispute_result": {"reason": "One hand was counted twice."},
    "correct_result": {**SCORE, "reason": "Added up wrongly.", "version": 1},
    "rule_on_dispute": {"ruling": "amend", "reason": "The sheet says so.", **SCORE},
    "preview_ruling": {"ruling": "amend", "reason": "The sheet says so.", **SCORE},
    "decide_match": {"side": "home", "reason": "By lot."},
    "forfeit_match": {"sides": ["away"], "reason": "They left."},
    "tell_no_show": {"sides": ["away"]},
    "propose_day": {"to": "2026-12-05T20:00:00+01:00"},
    "agree_day": {"to": "2026-12-05T20:00:00+01:00"},
    "postpone_match": {"to": "2026-11-28T20:00:00+01:00", "reason": "A journey."},
    "publish_round": {"as_is": False},
    "request_bye": {"round": 3, "kind": "half"},
    "request_bye_of_entry": {"round": 3, "kind": "half"},
    "expel_entry": {"reason": "They looked into others' cards."},
    "revoke_expulsion": {"reason": "It was another pair."},
    "withdraw_entry": {"reason": "Ill."},
    "penalise_entry": {"round": 1, "reason": "Late.", "match_points": "0.5"},
    "revoke_penalty": {"reason": "They were in time."},
    "substitute_player": {"leaves": "J01", "comes": "J99", "from_round": 2, "until_round": 3},
    "end_substitution": {"until_round": 3},
    "describe_entry": {"rating": 1500, "origin": "Huesca", "apart": ["family"]},
    "set_schedule": {"on": True, "at": "03:00", "zone": "Europe/Madrid", "days": [0, 2, 4]},
    "keep_comparison": {"kept": True},
    "show_tournament": {"visibility": "private"},
    "change_tournament": {"name": "Liguilla de primavera", "confirm_after": 24},
    "repeat_tournament": {"entries": "present"},
    "set_plan": {"stages": [{"format": "swiss", "rules": {"rounds": 5}}]},
    "rename_club": {"name": "Peña La Sota", "city": "Huesca", "people_in_search": False},
    "rename_player": {"name": "Pilar Martín Ruiz"},
    "rename_pair": {"name": "Las Cuarenta y Dos"},
    "merge_player": {"into": "J99"},
    "merge_pair": {"into": "P98"},
    "split_player": {"tournaments": ["liguilla-de-otono"], "mark": "Oliver"},
    "import_players": {"csv": "id,nombre\nJ31,Nieves Otal\n"},
    "import_pairs": {"csv": "pareja,nombre,jugador1,jugador2\nP31,Las Nuevas,J01,J03\n"},
    "set_prizes": {
        "lines": [
            {"first": 1, "last": 1, "cents": 60000, "text": "Copa"},
            {"first": 2, "last": 2, "cents": 30000},
            {"first": 5, "last": 8, "text": "Jamón", "per": "person"},
        ],
        "meant_for": 40,
        "unit": 500,
    },
    "open_season": {"name": "Temporada de invierno", "scale": "fixed", "by": "entry", "best": 5},
    "set_season_rules": {
        "own_scale": [25, 18, 15, 12, 10, 8, 6, 4, 2, 1],
        "best": 4,
        "criteria": ["wins", "countback"],
        "reason": "Lo votó la asamblea.",
    },
    "set_season_prizes": {
        "lines": [
            {"first": 1, "last": 1, "cents": 30000, "text": "Trofeo"},
            {"first": 2, "last": 3, "cents": 10000},
            {"first": 0, "last": 0, "times": 4, "text": "Lote de vino"},
        ]
    },
    "add_to_season": {"tournament": "liguilla-de-otono", "weight": "1.5"},
    "remove_from_season": {"tournament": "liguilla-de-otono"},
    "take_out_of_season": {"tournament": "liguilla-de-otono"},
    "add_webhook": {"url": "https://club.example/baza"},
    "enter_bot": {"ruleset": "parejas-online"},
    "withdraw_bot": {"ruleset": "parejas-online"},
    "act_on_webhook": {},
    "submit_lines": json.dumps(RECORD.value, ensure_ascii=False) + "\n",
}
TOURNAMENT_ACTION_RESPONSE: Final = {
    "tournament": "https://club.example/api/v1/tournaments/liguilla-de-otono/",
    "slug": "liguilla-de-otono",
    "state": "running",
    "version": 12,
}
"""What most of what is done with a tournament answers."""

RESPONSES: Final[Mapping[str, Any]] = {
    "preview_ruling": {
        "before": None,
        "after": {
            **SCORE,
            "third_hands": None,
            "third_points": None,
            "winner": "home",
            "forfeits": [],
            "decided": "",
            "cut": False,
        },
        "standings": [
            {
                "number": 3,
                "name": "Las Cuarenta",
                "group": 0,
                "before": 4,
                "after": 1,
                "points_before": 3,
                "points_after": 6,
                "qualifies": "in",
            }
        ],
        "played_on": [],
        "filled": [],
    },
    "put_bot_back": {"bot": "https://club.example/api/v1/bots/first-steps/", "version": None},
    "unbench_bot": {"bot": "https://club.example/api/v1/bots/first-steps/", "version": None},
    "withdraw_bot": {
        "tournament": "https://club.example/api/v1/tournaments/escalera-de-bots/",
        "entry": 4,
        "round": None,
    },
    "check_bot_version": {
        "bot": "https://club.example/api/v1/bots/first-steps/",
        "version": "https://club.example/api/v1/bots/first-steps/versions/1/",
    },
    "remove_from_season": {
        "season": "https://club.example/api/v1/clubs/el-ebro/seasons/otono/",
        "slug": "otono",
        "state": "open",
    },
    "take_out_of_season": {
        "season": "https://club.example/api/v1/clubs/el-ebro/seasons/otono/",
        "slug": "otono",
        "state": "open",
    },
    "read_schedule": {
        **REQUESTS["set_schedule"],
        "next": ["2026-11-23T03:00:00+01:00"],
        "last_at": None,
        "last_round": None,
        "left_out": [],
        "last_code": "",
        "last_text": "",
    },
    "read_season_prizes": {
        "lines": [{"first": 1, "last": 1, "cents": 30000, "times": 0, "text": "Trofeo"}],
        "recipients": [
            {
                "place": 1,
                "name": "Los Rubios",
                "cents": 30000,
                "goods": ["Trofeo"],
                "shared": 1,
                "times": 0,
                "by_lot": False,
            }
        ],
    },
    "read_prizes": {
        "lines": [
            {
                "first": 1,
                "last": 1,
                "stage": None,
                "per": "entry",
                "cents": 60000,
                "percent": None,
                "text": "Copa",
                "amount": 46500,
            },
        ],
        "meant_for": 40,
        "scale_up": False,
        "unit": 500,
        "is_final": False,
        "recipients": [
            {
                "stage": None,
                "group": 0,
                "place": 1,
                "number": 7,
                "name": "Los Rubios",
                "cents": 46500,
                "goods": ["Copa"],
                "shared": 1,
                "by_lot": False,
            }
        ],
    },
    "read_round_progress": {
        "total": 8,
        "played": 3,
        "running": 2,
        "waiting": 3,
        "stuck": 0,
        "asked": True,
        "finished": False,
        "paused": False,
        "arena_paused": False,
        "records": 3,
        "hands": 14,
        "workers": ["worker-1"],
        "rate": 2.5,
        "estimated_end": "2026-11-21T22:50:00+01:00",
    },
}
"""Answers of what the club of the tests has not: a filled season, bots that play by themselves."""

SAME_RESPONSES: Final = {
    "set_schedule": "read_schedule",
    "set_prizes": "read_prizes",
    "describe_entry": "read_entry",
}
"""Operations that answer what another one does."""


def add_examples(result: dict[str, Any], **_settings: object) -> dict[str, Any]:
    """Add to every operation what it is asked and answers, where it says nothing itself."""
    answers = json.loads(ANSWERS.read_text(encoding="utf-8"))
    for operations in result["paths"].values():
        for operation in operations.values():
            name = operation["operationId"]
            for kind, content in operation.get("requestBody", {}).get("content", {}).items():
                if kind == TUTE:
                    content["examples"] = {NAME: {"value": engine.write_text(RECORD.value)}}
                elif name in REQUESTS:
                    content.setdefault("examples", {NAME: {"value": REQUESTS[name]}})
            for status, value in response_examples(
                operation, answers.get(SAME_RESPONSES.get(name, name), {})
            ).items():
                content = operation["responses"][status]["content"]["application/json"]
                content.setdefault("examples", {NAME: {"value": value}})
    return result


def response_examples(
    operation: Mapping[str, Any], answers: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Return the example responses of an operation by status: recorded ones, or those above."""
    name = SAME_RESPONSES.get(operation["operationId"], operation["operationId"])
    if answers:
        return answers
    if name in RESPONSES:
        return {"200" if "200" in operation["responses"] else "201": RESPONSES[name]}
    created = operation["responses"].get("201", {}).get("content", {}).get("application/json", {})
    shape = str(created.get("schema", {}).get("$ref", ""))
    return {"201": TOURNAMENT_ACTION_RESPONSE} if shape.endswith("/ChangedTournament") else {}
