"""Every address of the API, and what each kind of caller gets there.

The rows are held against the URLconf: an address without a row fails.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from tests.conftest import ALL_SCOPES
from tests.core.test_tokens_api import stranger
from tests.support.bot_tables import a_comparison
from tests.support.caller import Caller
from tests.support.remote import a_turn
from tests.support.routes import api_patterns
from tests.support.scenes import Scene, record_between, records_of, running, spoiled
from tournaments.accounts.services.invitations import issue_token
from tournaments.core.permissions import Actor
from tournaments.director.services.absences import penalise, request_bye
from tournaments.director.services.days import NewDay, add_day
from tournaments.director.services.substitutions import substitute
from tournaments.people.services.bots import submit_bot
from tournaments.people.services.clubs import import_pairs, import_players
from tournaments.profiles.services.merging import merge_pair, merge_player
from tournaments.results.services.matches import dispute_result
from tournaments.standings.services.seasons import create_season
from tournaments.webhooks.services.webhooks import add_webhook, ping

if TYPE_CHECKING:
    from django.http import HttpResponse

WHO = ("anonymous", "stranger", "player", "arbiter", "organiser")
LINES = "application/x-ndjson"
PUBLIC = (200, 200, 200, 200, 200)
CLUB_ONLY = (404, 404, 404, 200, 200)
KEEPERS_ONLY = (404, 404, 404, 404, 200)


@dataclass(frozen=True)
class Row:
    """What the five callers get: anonymous, another club's, player, arbiter, organiser."""

    path: str
    answers: tuple[int, ...]
    method: str = "GET"
    content_type: str = "application/json"


ROWS: dict[str, tuple[Row, ...]] = {
    "clubs": (Row("clubs/", PUBLIC),),
    "club": (
        Row("clubs/{club}/", PUBLIC),
        Row("clubs/{club}/", (401, 403, 403, 403, 200), "PATCH"),
    ),
    "player": (
        Row("clubs/{club}/players/J01/", PUBLIC),
        Row("clubs/{club}/players/J01/", (401, 403, 403, 403, 200), "PATCH"),
    ),
    "pair-of-club": (
        Row("clubs/{club}/pairs/P1/", PUBLIC),
        Row("clubs/{club}/pairs/P1/", (401, 403, 403, 403, 200), "PATCH"),
    ),
    "ratings": (Row("clubs/{club}/ratings/", PUBLIC),),
    "checkpoints": (Row("clubs/{club}/checkpoints/", PUBLIC),),
    "club-trail": (Row("clubs/{club}/trail/", (404, 404, 404, 404, 200)),),
    "seasons": (Row("clubs/{club}/seasons/", PUBLIC),),
    "prizes": (
        Row("tournaments/{slug}/prizes/", PUBLIC),
        Row("tournaments/{slug}/prizes/", (401, 403, 403, 403, 200), "PUT"),
    ),
    "season": (Row("clubs/{club}/seasons/{season}/", PUBLIC),),
    "season-prizes": (Row("clubs/{club}/seasons/{season}/prizes/", PUBLIC),),
    "player-play": (Row("players/{player}/play/", PUBLIC),),
    "bot-play": (Row("bots/azar/play/", PUBLIC),),
    "luck": (Row("tournaments/{slug}/luck/", PUBLIC),),
    "hand-analysis": (Row("matches/{played}/hands/1/analysis/", PUBLIC),),
    "player-rating": (Row("players/{player}/rating/", PUBLIC),),
    "submit-bot": (Row("clubs/{club}/bots/", (401, 403, 201, 201, 201), "POST"),),
    "webhooks": (
        Row("clubs/{club}/webhooks/", KEEPERS_ONLY),
        Row("clubs/{club}/webhooks/", (401, 403, 403, 403, 201), "POST"),
    ),
    "webhook": (Row("clubs/{club}/webhooks/{webhook}/", KEEPERS_ONLY),),
    "deliveries": (Row("clubs/{club}/webhooks/{webhook}/deliveries/", KEEPERS_ONLY),),
    "redeliver": (
        Row(
            "clubs/{club}/webhooks/{webhook}/deliveries/{delivery}/redeliver/",
            (401, 404, 404, 404, 200),
            "POST",
        ),
    ),
    "act-on-webhook": (
        Row("clubs/{club}/webhooks/{webhook}/ping/", (401, 404, 404, 404, 200), "POST"),
        Row("clubs/{club}/webhooks/{webhook}/dance/", (401, 404, 404, 404, 404), "POST"),
    ),
    "bots": (Row("bots/", PUBLIC),),
    "bot": (Row("bots/azar/", PUBLIC), Row("bots/{bot}/", PUBLIC)),
    "submit-version": (Row("bots/{bot}/versions/", (401, 403, 403, 403, 201), "POST"),),
    "bot-version": (Row("bots/{bot}/versions/1/", PUBLIC),),
    "check-version": (Row("bots/{bot}/versions/1/check/", (401, 403, 403, 403, 409), "POST"),),
    "put-bot-back": (Row("bots/{bot}/put-back/", (401, 403, 403, 403, 409), "POST"),),
    "unbench": (Row("bots/{bot}/unbench/", (401, 403, 403, 403, 409), "POST"),),
    "enter-bot": (Row("bots/{bot}/enter/", (401, 403, 403, 403, 201), "POST"),),
    "withdraw-bot": (Row("bots/{bot}/withdraw/", (401, 403, 403, 403, 404), "POST"),),
    "retire-bot": (Row("bots/{bot}/retire/", (401, 403, 403, 403, 201), "POST"),),
    "bot-comparisons": (
        Row("bots/{bot}/comparisons/", KEEPERS_ONLY),
        Row("bots/{bot}/comparisons/", (401, 403, 403, 403, 201), "POST"),
    ),
    "bot-comparison": (Row("bots/{bot}/comparisons/{comparison}/", KEEPERS_ONLY),),
    "stop-comparison": (
        Row("bots/{bot}/comparisons/{comparison}/stop/", (401, 404, 404, 404, 201), "POST"),
    ),
    "keep-comparison": (
        Row("bots/{bot}/comparisons/{comparison}/keep/", (401, 404, 404, 404, 201), "POST"),
    ),
    "export-comparison-records": (
        Row("bots/{bot}/comparisons/{comparison}/records/export/", KEEPERS_ONLY),
    ),
    "bot-forfeits": (Row("bots/{bot}/forfeits/", PUBLIC),),
    "bot-matches": (Row("bots/{bot}/matches/", PUBLIC),),
    "export-bot-records": (Row("bots/{bot}/records/export/", PUBLIC),),
    "bot-rating": (Row("bots/azar/rating/", PUBLIC),),
    "bot-turns": (Row("bots/lejano/turns/", (404, 404, 404, 404, 200)),),
    "bot-turn": (Row("bots/lejano/turns/{turn}/", (401, 404, 404, 404, 200), "POST"),),
    "tournaments": (Row("tournaments/", PUBLIC),),
    "tournament": (
        Row("tournaments/{slug}/", PUBLIC),
        Row("tournaments/{slug}/", (401, 403, 403, 403, 200), "PATCH"),
        Row("tournaments/{slug}/", (401, 403, 403, 403, 409), "DELETE"),
    ),
    "entries": (Row("tournaments/{slug}/entries/", PUBLIC),),
    "standings": (Row("tournaments/{slug}/standings/", PUBLIC),),
    "stages": (Row("tournaments/{slug}/stages/", PUBLIC),),
    "stage-draws": (Row("tournaments/{slug}/stages/1/draws/", PUBLIC),),
    "sums": (Row("tournaments/{slug}/standings/1/", PUBLIC),),
    "crosstable": (Row("tournaments/{slug}/crosstable/", PUBLIC),),
    "rounds": (Row("tournaments/{slug}/rounds/", PUBLIC),),
    "round": (
        Row("tournaments/{slug}/rounds/1/", PUBLIC),
        Row("tournaments/{slug}/rounds/2/", CLUB_ONLY),  # a draft
    ),
    "round-deals": (Row("tournaments/{slug}/rounds/1/deals/", (404,) * 5),),  # of people
    "arena": (Row("tournaments/{slug}/arena/", PUBLIC),),
    "progress": (Row("tournaments/{slug}/rounds/1/progress/", (404,) * 5),),  # of people
    "file": (Row("tournaments/{slug}/file/", PUBLIC),),
    "proof": (Row("tournaments/{slug}/proof/", PUBLIC),),
    "table": (
        Row("tournaments/{slug}/tables/standings/", PUBLIC),
        Row("tournaments/{slug}/tables/results/?kind=xlsx", PUBLIC),
        Row("tournaments/{slug}/tables/codes/", (404,) * 5),
    ),
    "fide-report": (Row("tournaments/{slug}/trf/", PUBLIC),),
    "schedule": (Row("tournaments/{slug}/schedule/", (404,) * 5),),  # people play
    "events": (Row("tournaments/{slug}/events/", PUBLIC),),
    "events-stream": (Row("tournaments/{slug}/events/stream/", PUBLIC),),
    "create-tournament": (Row("clubs/{club}/tournaments/", (401, 403, 403, 403, 201), "POST"),),
    "import-entries": (
        Row("tournaments/{slug}/entries/import/", (401, 403, 403, 403, 409), "POST"),
    ),
    "draw": (Row("tournaments/{slug}/draw/", (401, 403, 403, 403, 409), "POST"),),
    "publish": (
        Row("tournaments/{slug}/rounds/1/publish/", (401, 403, 403, 403, 409), "POST"),
        Row("tournaments/{slug}/rounds/2/publish/", (401, 404, 404, 403, 201), "POST"),
    ),
    "replan": (Row("tournaments/{slug}/rounds/1/replan/", (401, 403, 403, 403, 409), "POST"),),
    "close": (Row("tournaments/{slug}/rounds/1/close/", (401, 403, 403, 403, 409), "POST"),),
    "play-round": (Row("tournaments/{slug}/rounds/1/play/", (401, 403, 403, 403, 409), "POST"),),
    "pause-round": (Row("tournaments/{slug}/rounds/1/pause/", (401, 403, 403, 403, 409), "POST"),),
    "resume-round": (
        Row("tournaments/{slug}/rounds/1/resume/", (401, 403, 403, 403, 409), "POST"),
    ),
    "run-schedule": (Row("tournaments/{slug}/schedule/run/", (401, 403, 403, 403, 409), "POST"),),
    "enter-bots": (Row("tournaments/{slug}/entries/bots/", (401, 403, 403, 403, 409), "POST"),),
    "finish": (Row("tournaments/{slug}/finish/", (401, 403, 403, 403, 409), "POST"),),
    "set-visibility": (Row("tournaments/{slug}/visibility/", (401, 403, 403, 403, 201), "POST"),),
    "history": (Row("tournaments/{slug}/history/", CLUB_ONLY),),
    "tournament-trail": (Row("tournaments/{slug}/trail/", CLUB_ONLY),),
    "match": (Row("matches/{played}/", PUBLIC), Row("matches/{hidden}/", CLUB_ONLY)),
    "hand": (Row("matches/{played}/hands/1/", PUBLIC),),
    "record": (
        Row("records/{accepted}/", PUBLIC),
        Row("records/{refused}/", (404, 404, 404, 200, 200)),
        Row("records/{players}/", (404, 404, 200, 200, 200)),
    ),
    "submit": (
        Row("matches/{played}/records/", (401, 403, 200, 200, 200), "POST"),
        Row("matches/{waiting}/records/", (401, 403, 403, 201, 200), "POST"),
        Row("matches/{hidden}/records/", (401, 404, 404, 409, 409), "POST"),
    ),
    "report": (
        Row("matches/{played}/report/", (401, 403, 422, 422, 422), "POST"),
        Row("matches/{hidden}/report/", (401, 404, 404, 422, 422), "POST"),
    ),
    "confirm": (
        Row("matches/{played}/confirm/", (401, 403, 200, 200, 200), "POST"),
        Row("matches/{waiting}/confirm/", (401, 403, 403, 409, 409), "POST"),
    ),
    "dispute": (
        Row("matches/{played}/dispute/", (401, 403, 201, 409, 409), "POST"),
        Row("matches/{waiting}/dispute/", (401, 403, 403, 409, 409), "POST"),
    ),
    "submit-lines": (
        Row("tournaments/{slug}/records/bulk/", (401, 403, 200, 200, 200), "POST", LINES),
    ),
    "export-records": (Row("tournaments/{slug}/records/export/", PUBLIC),),
    "submit-anywhere": (
        Row("tournaments/{slug}/records/", PUBLIC),
        Row("tournaments/{slug}/records/", (401, 403, 200, 200, 200), "POST"),
    ),
    "enter-list": (Row("tournaments/{slug}/entries/list/", (401, 403, 403, 403, 422), "POST"),),
    "preview-list": (
        Row("tournaments/{slug}/entries/preview/", (401, 403, 403, 403, 200), "POST"),
    ),
    "sign-ups": (
        Row("tournaments/{slug}/sign-ups/", (404, 404, 404, 404, 200)),
        Row("tournaments/{slug}/sign-ups/", (401, 403, 403, 403, 409), "POST"),
    ),
    "set-sign-up": (
        Row("tournaments/{slug}/sign-ups/settings/", (401, 403, 403, 403, 201), "POST"),
    ),
    "close-sign-up": (
        Row("tournaments/{slug}/sign-ups/close/", (401, 403, 403, 403, 409), "POST"),
    ),
    "reopen-sign-up": (
        Row("tournaments/{slug}/sign-ups/reopen/", (401, 403, 403, 403, 409), "POST"),
    ),
    "take-off-several": (
        Row("tournaments/{slug}/sign-ups/take-off/", (401, 403, 403, 403, 404), "POST"),
    ),
    "keep-contacts": (
        Row("tournaments/{slug}/sign-ups/keep-contacts/", (401, 403, 403, 403, 201), "POST"),
    ),
    "set-sources": (
        Row("tournaments/{slug}/sign-ups/sources/", (404, 404, 404, 404, 200)),
        Row("tournaments/{slug}/sign-ups/sources/", (401, 403, 403, 403, 409), "POST"),
    ),
    "note-through": (
        Row("tournaments/{slug}/sign-ups/sources/note/", (401, 403, 403, 403, 409), "POST"),
    ),
    "note-places": (
        Row("tournaments/{slug}/sign-ups/sources/list/", (401, 403, 403, 403, 409), "POST"),
    ),
    "pass-over": (
        Row("tournaments/{slug}/sign-ups/sources/pass-over/", (401, 403, 403, 403, 404), "POST"),
    ),
    "invite": (
        Row("tournaments/{slug}/sign-ups/sources/invite/", (401, 403, 403, 403, 404), "POST"),
    ),
    "remove-source": (
        Row("tournaments/{slug}/sign-ups/sources/remove/", (401, 403, 403, 403, 404), "POST"),
    ),
    "take-off-sign-up": (
        Row("tournaments/{slug}/sign-ups/1/take-off/", (401, 403, 403, 403, 404), "POST"),
    ),
    "join-sign-ups": (
        Row("tournaments/{slug}/sign-ups/1/join/", (401, 403, 403, 403, 404), "POST"),
    ),
    "money": (Row("tournaments/{slug}/money/", (404, 404, 404, 200, 200)),),
    "pay": (Row("tournaments/{slug}/money/pay/", (401, 403, 403, 404, 404), "POST"),),
    "refund": (Row("tournaments/{slug}/money/refund/", (401, 403, 403, 404, 404), "POST"),),
    "waive": (Row("tournaments/{slug}/money/waive/", (401, 403, 403, 404, 404), "POST"),),
    "reverse": (Row("tournaments/{slug}/money/1/reverse/", (401, 403, 403, 404, 404), "POST"),),
    "post-tournament": (Row("tournaments/{slug}/post/", (401, 403, 403, 403, 409), "POST"),),
    "unpost-tournament": (Row("tournaments/{slug}/unpost/", (401, 403, 403, 403, 409), "POST"),),
    "cancel-tournament": (Row("tournaments/{slug}/cancel/", (401, 403, 403, 403, 409), "POST"),),
    "days": (Row("tournaments/{slug}/days/", PUBLIC),),
    "plan-days": (Row("tournaments/{slug}/days/plan/", (401, 403, 403, 403, 201), "POST"),),
    "add-day": (Row("tournaments/{slug}/days/add/", (401, 403, 403, 403, 201), "POST"),),
    "change-day": (Row("tournaments/{slug}/days/1/change/", (401, 403, 403, 403, 201), "POST"),),
    "remove-day": (Row("tournaments/{slug}/days/1/remove/", (401, 403, 403, 403, 201), "POST"),),
    "announce": (Row("tournaments/{slug}/announce/", (401, 403, 403, 201, 201), "POST"),),
    "open-check-in": (Row("tournaments/{slug}/check-in/open/", (401, 403, 403, 403, 201), "POST"),),
    "close-check-in": (
        Row("tournaments/{slug}/check-in/close/", (401, 403, 403, 403, 201), "POST"),
    ),
    "draw-lots": (Row("tournaments/{slug}/rounds/1/lots/", (401, 403, 403, 403, 409), "POST"),),
    "set-seeding": (
        Row("tournaments/{slug}/stages/1/seeding/", (401, 403, 403, 403, 409), "POST"),
    ),
    "draw-stage-again": (
        Row("tournaments/{slug}/stages/1/draw-again/", (401, 403, 403, 403, 409), "POST"),
    ),
    "draw-stage-again-before": (
        Row("tournaments/{slug}/stages/1/again/", (401, 403, 403, 403, 409), "POST"),
    ),
    "draw-again": (
        Row("tournaments/{slug}/rounds/2/draw-again/", (401, 404, 404, 403, 201), "POST"),
    ),
    "draw-again-before": (
        Row("tournaments/{slug}/rounds/2/again/", (401, 404, 404, 403, 201), "POST"),
    ),
    "discard-round": (
        Row("tournaments/{slug}/rounds/2/discard/", (401, 404, 404, 403, 201), "POST"),
    ),
    "swap": (Row("tournaments/{slug}/rounds/2/swap/", (401, 404, 404, 403, 201), "POST"),),
    "pair": (Row("tournaments/{slug}/rounds/2/pair/", (401, 404, 404, 403, 409), "POST"),),
    "give-bye": (Row("tournaments/{slug}/rounds/2/give-bye/", (401, 404, 404, 403, 409), "POST"),),
    "rest": (Row("tournaments/{slug}/rounds/2/rest/", (401, 404, 404, 403, 409), "POST"),),
    "start-clock": (
        Row("tournaments/{slug}/rounds/1/clock/start/", (401, 403, 403, 201, 201), "POST"),
    ),
    "stop-clock": (
        Row("tournaments/{slug}/rounds/1/clock/stop/", (401, 403, 403, 409, 409), "POST"),
    ),
    "resume-clock": (
        Row("tournaments/{slug}/rounds/1/clock/resume/", (401, 403, 403, 409, 409), "POST"),
    ),
    "pin": (Row("matches/{hidden}/pin/", (401, 404, 404, 403, 201), "POST"),),
    "unpair": (Row("matches/{hidden}/unpair/", (401, 404, 404, 403, 201), "POST"),),
    "part": (Row("matches/{hidden}/part/", (401, 404, 404, 403, 201), "POST"),),
    "seat-late": (Row("matches/{waiting}/seat-late/", (401, 403, 403, 403, 409), "POST"),),
    "correct": (Row("matches/{played}/correct/", (401, 403, 403, 201, 201), "POST"),),
    "forfeit": (Row("matches/{waiting}/forfeit/", (401, 403, 403, 201, 201), "POST"),),
    "no-show": (Row("matches/{waiting}/no-show/", (401, 403, 403, 409, 409), "POST"),),
    "decide": (Row("matches/{waiting}/decide/", (401, 403, 403, 409, 409), "POST"),),
    "postpone": (Row("matches/{waiting}/postpone/", (401, 403, 403, 201, 201), "POST"),),
    "propose-day": (Row("matches/{waiting}/propose-day/", (401, 403, 403, 403, 403), "POST"),),
    "agree-day": (Row("matches/{waiting}/agree-day/", (401, 403, 403, 403, 403), "POST"),),
    "decline-day": (Row("matches/{waiting}/decline-day/", (401, 403, 403, 403, 403), "POST"),),
    "resume": (Row("matches/{waiting}/resume/", (401, 403, 403, 409, 409), "POST"),),
    "take-up": (Row("disputes/{dispute}/take-up/", (401, 403, 403, 201, 409), "POST"),),
    "preview-ruling": (Row("disputes/{dispute}/preview/", (401, 403, 403, 200, 200), "POST"),),
    "rule": (Row("disputes/{dispute}/rule/", (401, 403, 403, 201, 409), "POST"),),
    "check-in-all": (Row("tournaments/{slug}/check-in/all/", (401, 403, 403, 201, 201), "POST"),),
    "take-back-act": (Row("tournaments/{slug}/take-back-act/", (401, 403, 403, 409, 409), "POST"),),
    "check-in": (Row("tournaments/{slug}/entries/1/check-in/", (401, 403, 201, 201, 201), "POST"),),
    "check-out": (
        Row("tournaments/{slug}/entries/1/check-out/", (401, 403, 403, 201, 201), "POST"),
    ),
    "undo-check-in": (
        Row("tournaments/{slug}/entries/1/undo-check-in/", (401, 403, 403, 201, 201), "POST"),
    ),
    "withdraw": (Row("tournaments/{slug}/entries/1/withdraw/", (401, 403, 201, 409, 409), "POST"),),
    "expel": (Row("tournaments/{slug}/entries/1/expel/", (401, 403, 403, 403, 201), "POST"),),
    "revoke-expulsion": (
        Row("tournaments/{slug}/entries/1/revoke-expulsion/", (401, 403, 403, 403, 409), "POST"),
    ),
    "bring-back": (Row("tournaments/{slug}/entries/1/return/", (401, 403, 403, 409, 409), "POST"),),
    "readmit": (Row("tournaments/{slug}/entries/1/readmit/", (401, 403, 403, 409, 409), "POST"),),
    "request-bye": (
        Row("tournaments/{slug}/entries/1/request-bye/", (401, 403, 201, 409, 409), "POST"),
    ),
    "request-bye-before": (
        Row("tournaments/{slug}/entries/1/bye/", (401, 403, 201, 409, 409), "POST"),
    ),
    "penalise": (Row("tournaments/{slug}/entries/1/penalise/", (401, 403, 403, 201, 201), "POST"),),
    "substitute": (
        Row("tournaments/{slug}/entries/1/substitute/", (401, 404, 404, 409, 409), "POST"),
    ),
    "repeat-tournament": (Row("tournaments/{slug}/repeat/", (401, 403, 403, 403, 201), "POST"),),
    "set-plan": (Row("tournaments/{slug}/plan/", (401, 403, 403, 403, 409), "POST"),),
    "players": (Row("clubs/{club}/players/", PUBLIC),),
    "import-players": (Row("clubs/{club}/players/import/", (401, 403, 403, 403, 201), "POST"),),
    "merge-player": (
        Row("clubs/{club}/players/J98/merge/", (401, 403, 403, 403, 201), "POST"),
        Row("clubs/{club}/players/J01/merge/", (401, 403, 403, 403, 409), "POST"),
    ),
    "separate-player": (
        Row("clubs/{club}/players/J96/separate/", (401, 403, 403, 403, 201), "POST"),
        Row("clubs/{club}/players/J98/separate/", (401, 403, 403, 403, 409), "POST"),
    ),
    "split-player": (Row("clubs/{club}/players/J01/split/", (401, 403, 403, 403, 409), "POST"),),
    "merge-pair": (
        Row("clubs/{club}/pairs/P97/merge/", (401, 403, 403, 403, 201), "POST"),
        Row("clubs/{club}/pairs/P1/merge/", (401, 403, 403, 403, 409), "POST"),
    ),
    "separate-pair": (Row("clubs/{club}/pairs/P96/separate/", (401, 403, 403, 403, 201), "POST"),),
    "pairs": (Row("clubs/{club}/pairs/", PUBLIC),),
    "import-pairs": (Row("clubs/{club}/pairs/import/", (401, 403, 403, 403, 201), "POST"),),
    "open-season": (Row("clubs/{club}/open-season/", (401, 403, 403, 403, 201), "POST"),),
    "add-to-season": (
        Row("clubs/{club}/seasons/{season}/add/", (401, 403, 403, 403, 201), "POST"),
    ),
    "remove-from-season": (
        Row("clubs/{club}/seasons/{season}/remove/", (401, 403, 403, 403, 409), "POST"),
    ),
    "take-out-of-season": (
        Row("clubs/{club}/seasons/{season}/take-out/", (401, 403, 403, 403, 409), "POST"),
    ),
    "set-season-rules": (
        Row("clubs/{club}/seasons/{season}/set-rules/", (401, 403, 403, 403, 201), "POST"),
    ),
    "set-season-prizes": (
        Row("clubs/{club}/seasons/{season}/set-prizes/", (401, 403, 403, 403, 201), "POST"),
    ),
    "close-season": (
        Row("clubs/{club}/seasons/{season}/close/", (401, 403, 403, 403, 201), "POST"),
    ),
    "matches": (Row("tournaments/{slug}/matches/", PUBLIC),),
    "restore-points": (Row("tournaments/{slug}/restore-points/", CLUB_ONLY),),
    "go-back": (
        Row(
            "tournaments/{slug}/restore-points/{point}/go-back/", (401, 404, 404, 403, 409), "POST"
        ),
    ),
    "entry": (
        Row("tournaments/{slug}/entries/1/", CLUB_ONLY),
        Row("tournaments/{slug}/entries/1/", (401, 403, 403, 403, 200), "PATCH"),
    ),
    "remove-entry": (
        Row("tournaments/{slug}/entries/1/remove/", (401, 403, 403, 403, 409), "POST"),
    ),
    "cancel-bye": (
        Row("tournaments/{slug}/entries/2/byes/{bye}/cancel/", (401, 403, 403, 201, 404), "POST"),
    ),
    "revoke-penalty": (
        Row(
            "tournaments/{slug}/entries/2/penalties/{penalty}/revoke/",
            (401, 403, 403, 201, 409),
            "POST",
        ),
    ),
    "end-substitution": (
        Row(
            "tournaments/{slug}/entries/2/substitutions/{substitution}/end/",
            (401, 403, 403, 201, 201),
            "POST",
        ),
    ),
    "token": (Row("token/", (401, 200, 200, 200, 200)),),
    "rulesets": (Row("rulesets/", PUBLIC),),
    "formats": (Row("formats/", PUBLIC),),
    "criteria": (Row("criteria/", PUBLIC),),
    "root": (Row("", PUBLIC),),
    "head-to-head": (Row("clubs/{club}/head-to-head/", PUBLIC),),
    "statistics": (Row("clubs/{club}/statistics/", PUBLIC),),
    "create-from-file": (
        Row("clubs/{club}/tournaments/from-file/", (401, 403, 403, 403, 422), "POST"),
    ),
    "hand-out-prize": (
        Row("tournaments/{slug}/prizes/hand-out/", (401, 403, 403, 409, 409), "POST"),
    ),
    "take-back-prize": (
        Row("tournaments/{slug}/prizes/1/take-back/", (401, 403, 403, 404, 404), "POST"),
    ),
    "sign-up-links": (
        Row("tournaments/{slug}/sign-ups/links/", KEEPERS_ONLY),
        Row("tournaments/{slug}/sign-ups/links/", (401, 403, 403, 403, 201), "POST"),
    ),
    "revoke-sign-up-link": (
        Row("tournaments/{slug}/sign-ups/links/0/revoke/", (401, 403, 403, 403, 404), "POST"),
    ),
    "change-sign-up": (
        Row("tournaments/{slug}/sign-ups/1/change/", (401, 403, 403, 403, 404), "POST"),
    ),
    "part-sign-ups": (
        Row("tournaments/{slug}/sign-ups/1/part/", (401, 403, 403, 403, 404), "POST"),
    ),
    "problems": (Row("problems/", PUBLIC),),
    "openapi": (Row("openapi.json", PUBLIC),),
    "docs": (Row("docs/", PUBLIC),),
    "nothing": (Row("nada/", (404, 404, 404, 404, 404)),),
}


def test_every_address_has_a_row() -> None:
    routes = {pattern.name for pattern in api_patterns}
    assert len(routes) == len(api_patterns)
    assert routes == set(ROWS)


def callers_of(scene: Scene) -> dict[str, Caller]:
    """Return the five callers, each with all scopes that its user may have."""
    callers = {"anonymous": Caller(), "stranger": stranger(scene)}
    for role in WHO[2:]:
        user = scene.users[role]
        text = issue_token(Actor.system(), scene.club, user, name=role, scopes=ALL_SCOPES)[1]
        callers[role] = Caller(text)
    return callers


Everything = tuple[Scene, dict[str, Caller], dict[str, object]]


@pytest.fixture(scope="module")
def everything(module_db: None) -> Everything:
    """The scene, the callers, and the values for the parameters of an address."""
    scene = running()
    return scene, callers_of(scene), addresses(scene)


@pytest.mark.parametrize("name", ROWS)
def test_everybody_gets_what_is_theirs(name: str, everything: Everything, db: None) -> None:
    club, callers, tokens = everything
    scene, places = deepcopy(club), dict(tokens)
    if name in {"take-up", "rule", "preview-ruling"}:
        dispute = dispute_result(scene.organiser, scene.matches()[0], "Faltó una baza.")
        places["dispute"] = dispute.pk
    for row in ROWS[name]:
        path = row.path.format(**places)
        got = [answer_to(callers[role], scene, row, path).status_code for role in WHO]
        assert tuple(got) == row.answers, f"{row.method} {path}: {dict(zip(WHO, got, strict=True))}"


def answer_to(caller: Caller, scene: Scene, row: Row, path: str) -> HttpResponse:
    """Send the request of a row; a change is sent as the object was read."""
    if row.method == "GET":
        return caller.get(path)
    if row.method == "POST":
        return caller.submit(path, body_for(scene, row.path), path, row.content_type)
    body = CHANGES[row.path].encode() if row.method != "DELETE" else b""
    return caller.call(row.method, path, body, {"If-Match": "*"}, row.content_type)


CHANGES = {
    "clubs/{club}/": '{"name": "Casino Mercantil"}',
    "clubs/{club}/players/J01/": '{"name": "Nieves Otal"}',
    "clubs/{club}/pairs/P1/": '{"name": "Las Nuevas"}',
    "tournaments/{slug}/": '{"name": "De primavera"}',
    "tournaments/{slug}/prizes/": '{"lines": [{"first": 1, "last": 1, "text": "Jamón"}]}',
    "tournaments/{slug}/entries/1/": '{"origin": "Huesca"}',
}
BODIES = {
    "{bot}/enter/": '{"ruleset": "parejas"}',
    "{bot}/withdraw/": '{"ruleset": "parejas"}',
    "/from-file/": '{"file": "nothing"}',
    "/hand-out/": '{"entry": 1, "cents": 100}',
    "/take-back/": "{}",
    "/sign-ups/links/": '{"origin": "Bar Central", "quota": 4}',
    "/links/0/revoke/": "{}",
    "/sign-ups/1/change/": '{"contact": "600 123 456"}',
    "/stages/1/seeding/": '{"seeding": "lot"}',
    "/stages/1/again/": '{"reason": "Faltaba una pareja."}',
    "/stages/1/draw-again/": '{"reason": "Faltaba una pareja."}',
    "/players/import/": '{"csv": "id,nombre\\nJ98,Nieves Otal"}',
    "/pairs/import/": '{"csv": "pareja,nombre,jugador1,jugador2\\nP9,Las Nuevas,J01,J02"}',
    "/open-season/": '{"name": "Otra temporada"}',
    "/take-out/": '{"tournament": "liguilla-de-otono"}',
    "/set-prizes/": '{"lines": [{"first": 1, "last": 1, "cents": 30000}]}',
    "/set-rules/": '{"own_scale": [25, 18, 15]}',
    "/replan/": "{}",
    "/take-back-act/": "{}",
    "/sources/remove/": '{"tournament": "x"}',
    "{season}/remove/": '{"tournament": "liguilla-de-otono"}',
    "/go-back/": "{}",
    "/remove/": "{}",
    "/sign-ups/": '{"names": ["Ana Gil", "Luis Sanz"]}',
    "/sign-ups/sources/": '{"tournaments": ["liguilla-de-otono"], "take": 3}',
    "/sources/note/": "{}",
    "/sources/list/": '{"origin": "Otra", "text": "Ana Gil y Luis Sanz"}',
    "/sources/pass-over/": '{"tournament": "x", "entry": 1, "reason": "No puede."}',
    "/sources/invite/": '{"tournament": "x", "entry": 1, "reason": "Invitados."}',
    "/sign-ups/settings/": '{"places": 8}',
    "/sign-ups/close/": "{}",
    "/sign-ups/take-off/": '{"tickets": [1], "reason": "No vienen."}',
    "/sign-ups/keep-contacts/": "{}",
    "/reopen/": "{}",
    "/take-off/": '{"reason": "No puede."}',
    "/join/": '{"other": 2}',
    "/prizes/": '{"lines": []}',
    "/money/pay/": '{"ticket": 1}',
    "/money/refund/": '{"ticket": 1}',
    "/money/waive/": '{"ticket": 1, "note": "Socios."}',
    "/reverse/": "{}",
    "{slug}/cancel/": '{"reason": "Sin sala."}',
    "post/": "{}",
    "/cancel/": "{}",
    "/revoke/": '{"reason": "Llegó a tiempo."}',
    "/end/": '{"until_round": 3}',
    "report/": '{"home_hands": 2, "away_hands": 1}',  # not to its end
    "confirm/": '{"version": 1}',
    "dispute/": '{"reason": "Faltó una baza."}',
    "/tournaments/": '{"name": "De primavera"}',
    "/import/": '{"players": "", "pairs": ""}',
    "/draw/": "{}",
    "entries/bots/": '{"bots": ["azar", "azar"]}',
    "entries/list/": '{"csv": "nombre"}',
    "entries/preview/": '{"entries": [{"players": ["Nieves Otal", "Tomás Arnal"]}]}',
    "/preview/": '{"ruling": "amend", "reason": "No.", "home_hands": 1, "away_hands": 3}',
    "/swap/": '{"one": 1, "other": 2}',
    "/pair/": '{"one": 1, "other": 2}',
    "/give-bye/": '{"entry": 1}',
    "/rest/": '{"entry": 1}',
    "/seat-late/": '{"absent": 1, "late": 2}',
    "clock/start/": '{"minutes": 60}',
    "/correct/": '{"home_hands": 3, "away_hands": 1, "reason": "Mal sumado."}',
    "/forfeit/": '{"sides": ["away"], "reason": "No quisieron jugar."}',
    "/no-show/": '{"sides": ["away"]}',
    "/decide/": '{"side": "home", "reason": "Por sorteo."}',
    "/rule/": '{"ruling": "uphold", "reason": "Está bien."}',
    "/days/plan/": '{"on": [1], "at": "20:30", "first": "2026-03-03", "count": 7}',
    "/days/add/": '{"starts_at": "2026-03-03T20:30:00+01:00"}',
    "/days/1/change/": '{"note": "Traed el carné."}',
    "/propose-day/": '{"to": "2026-12-05T21:00:00+01:00"}',
    "/agree-day/": '{"to": "2026-12-05T21:00:00+01:00"}',
    "/announce/": '{"text": "Pausa."}',
    "/expel/": '{"reason": "Dio voces."}',
    "bye/": '{"round": 3, "kind": "zero"}',
    "/revoke-expulsion/": '{"reason": "Fue otra."}',
    "/penalise/": '{"round": 1, "reason": "Tarde.", "points": 10}',
    "/substitute/": '{"leaves": "J01", "comes": "J07", "from_round": 3}',
    **dict.fromkeys(
        (
            "check-in/open/",
            "check-in/close/",
            "/lots/",
            "/again/",
            "/draw-again/",
            "/discard/",
            "clock/stop/",
            "clock/resume/",
            "/pin/",
            "/part/",
            "/unpair/",
            "/postpone/",
            "/decline-day/",
            "/resume/",
            "/play/",
            "/pause/",
            "/run/",
            "/put-back/",
            "/unbench/",
            "/retire/",
            "versions/1/check/",
            "/take-up/",
            "/check-in/",
            "/check-in/all/",
            "/check-out/",
            "/undo-check-in/",
            "/withdraw/",
            "/return/",
            "/readmit/",
            "/separate/",
            "/repeat/",
        ),
        "{}",
    ),
    "/comparisons/": '{"version": 2, "base": 1, "ruleset": "cuatro"}',
    "/stop/": "{}",
    "/keep/": '{"kept": true}',
    "/players/J98/merge/": '{"into": "J99"}',
    "/players/J01/merge/": '{"into": "J02"}',
    "/players/J01/split/": '{"tournaments": ["liguilla-de-otono"], "mark": "Oliver"}',
    "/pairs/P97/merge/": '{"into": "P98"}',
    "/pairs/P1/merge/": '{"into": "P2"}',
    "/visibility/": '{"visibility": "private"}',
    "/plan/": '{"stages": [{"format": "swiss"}]}',
    "/publish/": "{}",
    "/close/": "{}",
    "/finish/": "{}",
    "/webhooks/": '{"url": "https://club.example/baza"}',
    "/redeliver/": "{}",
    "/ping/": "{}",
    "/dance/": "{}",
    "/bots/": '{"name": "De lejos", "kind": "remote"}',
    "versions/": '{"language": "python", "source": "print()"}',
    "{turn}/": '{"type": "ready", "protocol": "baza-bot/1"}',
}


def body_for(scene: Scene, path: str) -> str:
    for last, body in BODIES.items():
        if path.endswith(last):
            return body
    if path.endswith("/add/"):
        return f'{{"tournament": "{scene.tournament.slug}"}}'
    tables = {"{waiting}": scene.matches()[1], "{hidden}": scene.matches(2)[0]}
    match = next(
        (candidate for sign, candidate in tables.items() if sign in path), scene.matches()[0]
    )
    return record_between(match, records_of("records"))


PEOPLE = "id,nombre\nJ96,Sara Blasco\nJ97,Noa Gil\nJ98,Eloy Vidal\nJ99,Sara Val\n"
PAIRS = tuple(
    f"pareja,nombre,jugador1,jugador2\n{code},{name},J97,J98\n"
    for code, name in (("P96", "Sotas"), ("P97", "Las Sotas"), ("P98", "Dos Sotas"))
)
"""People who play nowhere, and three pairs of two of them; the first of each is merged."""


def addresses(scene: Scene) -> dict[str, object]:
    add_day(
        scene.organiser,
        scene.tournament,
        NewDay(starts_at=datetime(2026, 3, 3, 19, 30, tzinfo=UTC)),
    )
    played, waiting = scene.matches()
    good = record_between(waiting, records_of("records"))
    refused = scene.submit(waiting, spoiled(good).text).record
    accepted = played.records.accepted().get()
    his = scene.submit(played, spoiled(accepted.text).text).record
    assert refused
    assert his
    webhook = add_webhook(scene.organiser, scene.club, url="https://club.example/baza")
    entry = scene.tournament.entries.get(number=2)
    import_players(scene.organiser, scene.club, PEOPLE)
    for pairs in PAIRS:
        import_pairs(scene.organiser, scene.club, pairs)
    merge_player(scene.organiser, *(scene.club.players.get(code=code) for code in ("J96", "J99")))
    merge_pair(scene.organiser, *(scene.club.pairs.get(code=code) for code in ("P96", "P98")))
    two = [scene.club.players.get(code=code) for code in ("J03", "J99")]
    bot = submit_bot(
        scene.organiser, scene.club, name="Ensayo", language="python", source="print()"
    ).bot
    return {
        "bye": request_bye(scene.organiser, entry, 3, "zero").pk,
        "penalty": penalise(scene.organiser, entry, round_number=1, reason="Tarde.", points=5).pk,
        "substitution": substitute(
            scene.organiser, entry, leaves=two[0], comes=two[1], from_round=2
        ).pk,
        "point": scene.tournament.restore_points.order_by("pk")[0].pk,
        "webhook": webhook.pk,
        "delivery": ping(scene.organiser, webhook).pk,
        "club": scene.club.slug,
        "season": create_season(scene.organiser, scene.club, name="Temporada").slug,
        "player": scene.club.players.order_by("pk")[0].pk,
        "bot": bot.slug,
        "comparison": a_comparison(bot).pk,
        "slug": scene.tournament.slug,
        "played": played.pk,
        "waiting": waiting.pk,
        "hidden": scene.matches(2)[0].pk,
        "accepted": accepted.pk,
        "refused": refused.pk,
        "players": his.pk,
        "turn": a_turn(scene.club, waiting, messages=[{"type": "hello"}]).pk,
    }
