"""Who may come in where: every address of the pages, asked by everybody, in both languages."""

from __future__ import annotations

from copy import deepcopy
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.support import scenes
from tests.support.bot_tables import a_comparison
from tests.support.routes import page_patterns
from tournaments.accounts.services.accounts import (
    first_account_proof,
    reset_path,
    store_unconfirmed_address,
)
from tournaments.accounts.services.invitations import invite, issue_token
from tournaments.core.permissions import Actor
from tournaments.director.services.days import NewDay, add_day
from tournaments.models import Bot, Club
from tournaments.people.services.bots import register_bot, submit_bot
from tournaments.results.services.matches import dispute_result, rule_on_dispute
from tournaments.standings.services.seasons import create_season
from tournaments.webhooks.services.webhooks import add_webhook, ping

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.contrib.auth.models import User

pytestmark = pytest.mark.django_db

ROLES = ("", "outsider", "player", "arbiter", "organiser")
SIGN_IN, OK, NO, LED_BACK, ONLY_READ = 302, 200, 403, 302, 405

EVERYBODY = (OK,) * 5
MEMBERS = (SIGN_IN, NO, NO, OK, OK)
ORGANISERS = (SIGN_IN, NO, NO, NO, OK)
CONCERNED = (SIGN_IN, NO, OK, OK, OK)
NOBODY_READS = (LED_BACK,) * 5
SIGNED_IN = (SIGN_IN, OK, OK, OK, OK)
KEEPERS = (404, 404, 404, 404, OK)
ORGANISERS_OF_DRAFTS = (404, 404, 404, NO, OK)

#: What a GET answers to nobody known, an outsider, a player of it, the arbiter, the organiser.
MATRIX: dict[str, tuple[int, ...]] = {
    "home": EVERYBODY,
    **dict.fromkeys(("search", "robots", "sitemap", "manifest"), EVERYBODY),
    "favicon": (301,) * 5,  # to the icon of today
    "oembed": (404,) * 5,  # no address was given
    "login": (OK, 302, 302, 302, 302),
    "logout": NOBODY_READS,
    "account": SIGNED_IN,
    "change-password": SIGNED_IN,
    "change-address": SIGNED_IN,
    "confirm-address": EVERYBODY,
    "forgotten-password": EVERYBODY,
    "reset-sent": EVERYBODY,
    "new-password": (302, 302, OK, OK, OK),  # dead as soon as its owner has signed in
    "second-step": (SIGN_IN,) * 5,
    "set-up-factor": SIGNED_IN,
    "renew-codes": SIGNED_IN,
    "remove-factor": SIGNED_IN,
    "own-data": SIGNED_IN,
    "erase-account": SIGNED_IN,
    "people-data": ORGANISERS,
    "player-data": ORGANISERS,
    "erase-player": ORGANISERS,
    "end-other-sign-ins": NOBODY_READS,
    "end-sign-in": NOBODY_READS,
    "first-account": (404,) * 5,  # there is an account
    "invitation": EVERYBODY,
    "members": ORGANISERS,
    "change-role": ORGANISERS,
    "remove-member": ORGANISERS,
    "revoke-invitation": NOBODY_READS,
    "tokens": ORGANISERS,
    "revoke-token": ORGANISERS,
    "new-club": (SIGN_IN, NO, NO, NO, NO),
    "club": EVERYBODY,
    "club-settings": ORGANISERS,
    "club-colour": EVERYBODY,
    "club-picture": (404,) * 5,  # the club has none
    "set-picture": NOBODY_READS,
    "rename-club": ORGANISERS,
    "rename-player": ORGANISERS,
    "rename-pair": ORGANISERS,
    "repeat-tournament": ORGANISERS,
    "set-plan": (SIGN_IN, NO, NO, NO, 409),
    **dict.fromkeys(("merge-player", "merge-pair", "split-player"), ORGANISERS),
    **dict.fromkeys(("separate-player", "separate-pair"), ORGANISERS),
    "files": EVERYBODY,
    "enter-list": ORGANISERS,
    "new-season": ORGANISERS,
    "seasons": EVERYBODY,
    "season": EVERYBODY,
    "season-card": EVERYBODY,
    "add-to-season": NOBODY_READS,
    "remove-from-season": NOBODY_READS,
    "close-season": ORGANISERS,
    "set-season-rules": ORGANISERS,
    "set-prizes": ORGANISERS,
    "set-season-prizes": ORGANISERS,
    "ceremony": MEMBERS,
    "hand-out": NOBODY_READS,
    "take-back": NOBODY_READS,
    "tournament-file": EVERYBODY,
    "proof": EVERYBODY,
    "fide-report": EVERYBODY,
    "table": EVERYBODY,
    "tournament-records": EVERYBODY,
    "export": ORGANISERS,
    "bring-tournament": ORGANISERS,
    "from-file": ORGANISERS,
    "own-plays": SIGNED_IN,
    "club-plays": EVERYBODY,
    "review": MEMBERS,
    "note-review": NOBODY_READS,
    "luck": EVERYBODY,
    "hand-analysis-board": (204,) * 5,
    "match-analysis-board": EVERYBODY,
    "analyse-match": NOBODY_READS,
    "ratings": EVERYBODY,
    "player-rating": EVERYBODY,
    "webhooks": ORGANISERS,
    "webhook": ORGANISERS,
    "webhook-secret": ORGANISERS,
    "webhook-remove": ORGANISERS,
    "webhook-act": NOBODY_READS,
    "webhook-redeliver": NOBODY_READS,
    "player": EVERYBODY,
    "pair": EVERYBODY,
    "bot-results": EVERYBODY,
    "head-to-head": EVERYBODY,
    "bots": EVERYBODY,
    "bot": EVERYBODY,
    "bot-board": EVERYBODY,
    "bot-compare": NOBODY_READS,
    "bot-comparison": KEEPERS,
    "comparison-records": KEEPERS,
    "change-comparison": NOBODY_READS,
    "submit-bot": CONCERNED,
    "submit-version": ORGANISERS,
    "bot-check": NOBODY_READS,
    "unbench": NOBODY_READS,
    "bot-ladder": NOBODY_READS,
    "bot-retire": ORGANISERS,
    "connect-bot": ORGANISERS,  # the author is one
    "bot-rating": EVERYBODY,
    "propose": ORGANISERS,
    "new-tournament": ORGANISERS,
    "tournament": EVERYBODY,
    "sums": EVERYBODY,
    "crosstable": EVERYBODY,
    "embed-standings": EVERYBODY,
    "embed-hand": EVERYBODY,
    "tournament-stream": EVERYBODY,
    "tournament-feed": EVERYBODY,
    "tournament-calendar": EVERYBODY,
    "club-feed": EVERYBODY,
    "club-calendar": EVERYBODY,
    "season-calendar": EVERYBODY,
    "statistics": EVERYBODY,
    "screen": EVERYBODY,
    "screens": EVERYBODY,
    "comparison": EVERYBODY,
    "arena-csv": EVERYBODY,
    "arena-pair": (404,) * 5,  # no bots have met
    "help": EVERYBODY,
    "help-organisers": EVERYBODY,
    "help-evening": EVERYBODY,
    "help-players": EVERYBODY,
    "rules": EVERYBODY,
    "try-position": EVERYBODY,
    "arena": EVERYBODY,
    "arena-board": EVERYBODY,
    "arena-switch": NOBODY_READS,
    "boards": (404,) * 5,
    "own-deals": (404,) * 5,
    "print-slips": (404,) * 5,
    "print-deals": (404,) * 5,
    "print-seats": (404,) * 5,
    "print-personal": (404,) * 5,
    "what-if": MEMBERS,
    "history": MEMBERS,
    "match-history": MEMBERS,
    "checkpoints": EVERYBODY,
    "entries": EVERYBODY,
    "import-entries": NOBODY_READS,
    "add-pairs": NOBODY_READS,
    "add-players": NOBODY_READS,
    "add-bots": NOBODY_READS,
    "enter-late": NOBODY_READS,
    "entry": MEMBERS,
    "entry-act": NOBODY_READS,
    "check-in": MEMBERS,
    "close-check-in": ORGANISERS,
    "open-check-in": ORGANISERS,
    "arrive": NOBODY_READS,
    "check-in-all": NOBODY_READS,
    "take-back-act": NOBODY_READS,
    "come": EVERYBODY,
    "come-act": NOBODY_READS,
    "give-code": NOBODY_READS,
    "forget-code": NOBODY_READS,
    "draw-lots": NOBODY_READS,
    "clock": NOBODY_READS,
    "draw": ORGANISERS,
    "draws": EVERYBODY,
    "draw-stage": ORGANISERS,
    "draw-hall": EVERYBODY,
    "draw-file": EVERYBODY,
    "set-seeding": NOBODY_READS,
    "schedule": ORGANISERS,
    "set-visibility": ORGANISERS,
    "tournament-settings": ORGANISERS,
    "discard": ORGANISERS,
    "poster": EVERYBODY,
    "find": EVERYBODY,
    "post": ORGANISERS,
    "print-poster": EVERYBODY,
    "sign-up": (409,) * 5,  # there is no form
    "own-request": (LED_BACK,) * 5,
    "own-request-act": NOBODY_READS,
    "sign-up-link": (404,) * 5,
    "end-news": (404,) * 5,
    **dict.fromkeys(("push", "push-worker"), (404,) * 5),  # no https
    "end-push": NOBODY_READS,
    "sign-ups": ORGANISERS,
    "sign-up-settings": ORGANISERS,
    "close-sign-up": (SIGN_IN, NO, NO, NO, 404),
    "reopen-sign-up": NOBODY_READS,
    "take-off-sign-ups": NOBODY_READS,
    "keep-contacts": NOBODY_READS,
    "sign-up-links": ORGANISERS,
    "sign-up-sources": ORGANISERS,
    "note-through": NOBODY_READS,
    "note-places": NOBODY_READS,
    "source-act": NOBODY_READS,
    "revoke-sign-up-link": NOBODY_READS,
    "sign-up-ticket": (SIGN_IN, NO, NO, NO, 404),
    "sign-up-act": NOBODY_READS,
    "sign-up-data": (404,) * 5,
    "money": (SIGN_IN, NO, NO, 200, 200),
    "print-money": (SIGN_IN, NO, NO, 200, 200),
    "reverse-cash": NOBODY_READS,
    "payer": (SIGN_IN, NO, NO, 200, 200),
    "pay-all": NOBODY_READS,
    "payer-act": NOBODY_READS,
    "run-schedule": NOBODY_READS,
    "finish": ORGANISERS,
    "submit-any": MEMBERS,
    "print": EVERYBODY,
    "print-round": EVERYBODY,
    "share-card": EVERYBODY,
    "poster-card": EVERYBODY,
    "address-code": (404,) * 5,  # of no address
    "round-card": EVERYBODY,
    "bracket-card": EVERYBODY,
    "match-card": EVERYBODY,
    "hand-card": EVERYBODY,
    "print-standings": EVERYBODY,
    "print-crosstable": EVERYBODY,
    "print-guides": (404,) * 5,  # a liguilla has none
    "print-diplomas": (SIGN_IN, NO, NO, 404, 404),  # no round is closed
    "print-codes": MEMBERS,
    "print-week": EVERYBODY,
    "rounds": EVERYBODY,
    "round-deals": (404,) * 5,  # of people
    "draw-next": NOBODY_READS,
    "restore-points": ORGANISERS,
    "go-back": ORGANISERS,
    "draft": ORGANISERS_OF_DRAFTS,
    "discard-round": ORGANISERS_OF_DRAFTS,
    "arrange": NOBODY_READS,
    "round": EVERYBODY,
    "round-board": EVERYBODY,
    "round-progress": (404,) * 5,  # a round of people
    "round-bots": NOBODY_READS,
    "publish-round": ORGANISERS,
    "play-round": NOBODY_READS,
    "replan-round": ORGANISERS,
    "close-round": ORGANISERS,
    "own-table": EVERYBODY,
    "own-table-worker": EVERYBODY,
    "control": MEMBERS,
    "control-table": MEMBERS,
    "control-late": NOBODY_READS,
    "seat-late": NOBODY_READS,
    "announce": NOBODY_READS,
    "days": EVERYBODY,
    "plan-days": NOBODY_READS,
    "add-day": NOBODY_READS,
    "change-day": ORGANISERS,
    "remove-day": NOBODY_READS,
    "desk": MEMBERS,
    "desk-board": MEMBERS,
    "desk-enter": NOBODY_READS,
    "desk-confirm": MEMBERS,
    "match": EVERYBODY,
    "hand": EVERYBODY,
    "last-trick": EVERYBODY,
    "try-again": (404,) * 5,  # nothing is analysed
    "submit-record": CONCERNED,
    "recorder": CONCERNED,
    "recorder-worker": EVERYBODY,
    "recorder-send": NOBODY_READS,
    "correct-result": MEMBERS,
    "dispute": CONCERNED,
    "rule-dispute": MEMBERS,
    "report": CONCERNED,
    "report-hands": CONCERNED,
    "confirm-result": NOBODY_READS,
    "take-up": NOBODY_READS,
    "forfeit": MEMBERS,
    "decide": (SIGN_IN, NO, NO, 409, 409),  # not level
    "postpone": MEMBERS,
    "resume": NOBODY_READS,
    "propose-day": (SIGN_IN, NO, 409, NO, NO),  # no last day to play
    "agree-day": NOBODY_READS,
    "decline-day": NOBODY_READS,
    "record": EVERYBODY,
    "download-record": EVERYBODY,
}
#: What a POST without a word in it answers; the pages that only read refuse it as a method.
POSTED: dict[str, tuple[int, ...]] = {
    "webhooks": ORGANISERS,
    "webhook-secret": (SIGN_IN, NO, NO, NO, 302),
    "webhook-remove": (SIGN_IN, NO, NO, NO, 302),
    "webhook-act": (302, NO, NO, NO, 302),
    "webhook-redeliver": (302, NO, NO, NO, 302),
    "change-password": SIGNED_IN,
    "change-address": SIGNED_IN,
    "confirm-address": (302, 404, 404, 404, 404),  # good once
    "forgotten-password": EVERYBODY,
    "new-password": (302, 302, OK, OK, OK),
    "set-up-factor": SIGNED_IN,
    "renew-codes": SIGNED_IN,
    "remove-factor": SIGNED_IN,
    "own-data": SIGNED_IN,
    "erase-account": SIGNED_IN,
    "player-data": ORGANISERS,
    "erase-player": ORGANISERS,
    "end-other-sign-ins": (302,) * 5,
    "end-sign-in": (SIGN_IN, 404, 404, 404, 404),
    "first-account": (404,) * 5,
    "invitation": (OK, 302, 404, 404, 404),  # good once
    "members": ORGANISERS,
    "change-role": ORGANISERS,
    "remove-member": (SIGN_IN, NO, NO, NO, 302),
    "revoke-invitation": (SIGN_IN, NO, NO, NO, 302),
    "tokens": ORGANISERS,
    "revoke-token": (SIGN_IN, NO, NO, NO, 302),
    **dict.fromkeys(("rename-club", "rename-player", "rename-pair"), (SIGN_IN, NO, NO, NO, OK)),
    "club-settings": (SIGN_IN, NO, NO, NO, OK),
    "set-picture": (SIGN_IN, NO, NO, NO, 404),  # of no kind
    **dict.fromkeys(("merge-player", "merge-pair"), (SIGN_IN, NO, NO, NO, OK)),
    "split-player": (SIGN_IN, NO, NO, NO, OK),
    **dict.fromkeys(("separate-player", "separate-pair"), (SIGN_IN, NO, NO, NO, 409)),
    "submit-bot": (SIGN_IN, NO, 422, 422, 422),
    "submit-version": (SIGN_IN, NO, NO, NO, 422),
    "bot-check": (SIGN_IN, NO, NO, NO, 409),
    "unbench": (SIGN_IN, NO, NO, NO, 409),
    "bot-ladder": (SIGN_IN, NO, NO, NO, 302),
    "bot-retire": (SIGN_IN, NO, NO, NO, 302),
    "bot-compare": (SIGN_IN, NO, NO, NO, 422),
    "change-comparison": (404, 404, 404, 404, 302),
    "connect-bot": (SIGN_IN, NO, NO, NO, 201),
    "enter-list": ORGANISERS,
    "note-review": (SIGN_IN, NO, NO, 404, 404),
    "analyse-match": (SIGN_IN, NO, NO, 302, 302),
    "add-to-season": (SIGN_IN, NO, NO, NO, 422),
    "remove-from-season": (SIGN_IN, NO, NO, NO, 404),
    "close-season": (SIGN_IN, NO, NO, NO, 302),
    "set-season-rules": (SIGN_IN, NO, NO, NO, 422),
    "set-prizes": (SIGN_IN, NO, NO, NO, 422),
    "set-season-prizes": (SIGN_IN, NO, NO, NO, 302),
    "hand-out": (SIGN_IN, NO, NO, 422, 422),
    "take-back": (SIGN_IN, NO, NO, 404, 404),
    "import-entries": (SIGN_IN, NO, NO, NO, 409),
    "add-pairs": (SIGN_IN, NO, NO, NO, 409),
    "add-players": (SIGN_IN, NO, NO, NO, 409),
    "add-bots": (SIGN_IN, NO, NO, NO, 409),
    "enter-late": (SIGN_IN, NO, NO, NO, 422),
    "entry-act": (SIGN_IN, NO, NO, 302, 302),
    "close-check-in": (SIGN_IN, NO, NO, NO, 302),
    "open-check-in": (SIGN_IN, NO, NO, NO, 302),
    "arrive": (SIGN_IN, NO, NO, 302, 302),
    "check-in-all": (SIGN_IN, NO, NO, 302, 302),
    "take-back-act": (SIGN_IN, NO, NO, 302, 302),
    "come-act": (302,) * 5,
    "give-code": (422,) * 5,
    "forget-code": (302,) * 5,
    "draw-lots": (SIGN_IN, NO, NO, NO, 302),
    "clock": (SIGN_IN, NO, NO, 302, 302),
    "draw": (SIGN_IN, NO, NO, NO, 409),
    "draw-stage": ORGANISERS,
    "set-seeding": (SIGN_IN, NO, NO, NO, 302),
    "tournament-settings": ORGANISERS,
    "repeat-tournament": ORGANISERS,
    "set-plan": (SIGN_IN, NO, NO, NO, 409),
    "discard": (SIGN_IN, NO, NO, NO, 409),
    "post": ORGANISERS,
    "sign-up": (409,) * 5,
    "own-request-act": (302,) * 5,
    "sign-up-link": (404,) * 5,
    **dict.fromkeys(("end-news", "push", "end-push"), (404,) * 5),
    "sign-ups": ORGANISERS,
    "sign-up-settings": ORGANISERS,
    "close-sign-up": (SIGN_IN, NO, NO, NO, 404),
    "reopen-sign-up": (SIGN_IN, NO, NO, NO, 302),
    "sign-up-links": ORGANISERS,
    "sign-up-sources": ORGANISERS,
    "note-through": (SIGN_IN, NO, NO, NO, 302),
    "note-places": (SIGN_IN, NO, NO, NO, 422),
    "source-act": (SIGN_IN, NO, NO, NO, 302),
    "revoke-sign-up-link": (SIGN_IN, NO, NO, NO, 404),
    "sign-up-act": (SIGN_IN, NO, NO, NO, 404),
    "sign-up-data": (404,) * 5,
    "reverse-cash": (SIGN_IN, NO, NO, 404, 404),
    "pay-all": (SIGN_IN, NO, NO, 302, 302),
    "payer-act": (SIGN_IN, NO, NO, 422, 422),
    "schedule": (SIGN_IN, NO, NO, NO, 422),
    "set-visibility": ORGANISERS,
    "run-schedule": (SIGN_IN, NO, NO, NO, 302),
    "finish": (SIGN_IN, NO, NO, NO, 409),
    "publish-round": (SIGN_IN, NO, NO, NO, 409),
    "play-round": (SIGN_IN, NO, NO, NO, 409),
    "round-bots": (SIGN_IN, NO, NO, NO, 302),
    "arena-switch": (SIGN_IN, NO, NO, NO, NO),
    "draw-next": (422,) * 5,
    "arrange": (404, 404, 404, NO, 302),
    "discard-round": (404, 404, 404, NO, 302),
    "replan-round": (SIGN_IN, NO, NO, NO, 409),
    "close-round": (SIGN_IN, NO, NO, NO, 409),
    "control-late": (SIGN_IN, NO, NO, 422, 422),
    "seat-late": (SIGN_IN, NO, NO, NO, 422),
    "announce": (SIGN_IN, NO, NO, 302, 302),
    "plan-days": (SIGN_IN, NO, NO, NO, 422),
    "add-day": (SIGN_IN, NO, NO, NO, 422),
    "change-day": (SIGN_IN, NO, NO, NO, 422),
    "remove-day": (SIGN_IN, NO, NO, NO, 302),
    "desk-enter": (SIGN_IN, NO, NO, 422, 422),
    "recorder-send": (401, NO, 422, 422, 422),
    "desk-confirm": (SIGN_IN, NO, NO, 302, 302),
    "confirm-result": (SIGN_IN, NO, 302, 302, 302),
    "take-up": (SIGN_IN, NO, NO, 409, 409),  # nothing is disputed
    "resume": (SIGN_IN, NO, NO, 409, 409),
    "agree-day": (SIGN_IN, NO, 409, NO, NO),
    "decline-day": (SIGN_IN, NO, 409, NO, NO),
}
TO_BE_PLAYED = {"report", "report-hands", "postpone"}
DONE = {
    "sign-up-act": "told",
    "source-act": "invite",
    "payer-act": "pay",
    "own-request-act": "leave",
    "entry-act": "check-in",
    "come-act": "check-in",
    "clock": "start",
    "round-bots": "pause",
    "change-comparison": "stop",
    "arena-switch": "pause",
    "bot-ladder": "enter",
    "webhook-act": "pause",
}
OF_SEASONS = {
    "season",
    "season-calendar",
    "season-card",
    "add-to-season",
    "remove-from-season",
    "close-season",
    "set-season-rules",
    "set-season-prizes",
}
OF_WEBHOOKS = {
    "webhook",
    "webhook-secret",
    "webhook-remove",
    "webhook-act",
    "webhook-redeliver",
}
OF_BOTS = {"bot", "bot-board", "submit-version", "bot-check", "unbench", "bot-retire", "bot-ladder"}
OF_COMPARISONS = {"bot-compare", "bot-comparison", "comparison-records", "change-comparison"}
OF_PEOPLE = {"change-role", "remove-member"}
OF_DATA = {"player-data", "erase-player"}
OF_CLUBS = {
    "club-settings",
    "club-colour",
    "club-picture",
    "set-picture",
    "rename-club",
    *OF_PEOPLE,
    *OF_DATA,
    "people-data",
    "members",
    "revoke-invitation",
    "tokens",
    "revoke-token",
    "review",
    "club-plays",
    "note-review",
    "submit-bot",
    "club",
    "head-to-head",
    "statistics",
    "club-feed",
    "club-calendar",
    "season-calendar",
    "webhooks",
    "ratings",
    "checkpoints",
    "propose",
    "new-tournament",
    "bring-tournament",
    "from-file",
    "new-season",
    "seasons",
}
NAMES = [str(pattern.name) for pattern in page_patterns]


@pytest.fixture(scope="module")
def running(module_db: None) -> scenes.Scene:
    return scenes.running()


@pytest.fixture
def scene(running: scenes.Scene, db: None) -> scenes.Scene:
    return deepcopy(running)


def address_of(name: str, scene: scenes.Scene) -> str:
    """Write the address of a page in the scene: its tournament, first round, first match."""
    match = scene.matches()[0]
    values: dict[str, Any] = {
        "slug": scene.club.slug if name in OF_CLUBS | OF_SEASONS else scene.tournament.slug,
        "number": 1,
        "secret": "secret",
        "token": "token",
        "pk": match.pk,
        "part": "bots",
        "what": "all",
        "payer": "entry",
        "table": "standings",
        "ruleset": "parejas",
        "kind": "csv",
        "card": 0,
        "one": 1,
        "other": 2,
    }
    values |= of_accounts(name, scene.club, scene.users)
    values |= of_webhooks(name, scene)
    if name in {"change-day", "remove-day", "print-week"} and not scene.tournament.days.exists():
        add_day(
            scene.organiser,
            scene.tournament,
            NewDay(starts_at=datetime(2026, 3, 3, 19, 30, tzinfo=UTC)),
        )
    if name in {"record", "download-record"}:
        values["pk"] = match.records.get().pk
    if name in OF_SEASONS:
        values["season"] = create_season(scene.organiser, scene.club, name="Temporada").slug
    if name in {
        "player",
        "player-rating",
        "split-player",
        "rename-player",
        "merge-player",
        "separate-player",
    }:
        values["pk"] = scene.club.players.order_by("pk")[0].pk
    if name in {"pair", "rename-pair", "merge-pair", "separate-pair"}:
        values["pk"] = scene.club.pairs.order_by("pk")[0].pk
    if name in {"draft", "discard-round", "arrange"}:
        values |= {"number": len(scene.rounds), "verb": "draw-again"}
    if name in DONE:
        values["verb"] = DONE[name]
    if name == "go-back":
        values["pk"] = scene.tournament.restore_points.latest("pk").pk
    values |= of_bots(name, scene)
    pattern = next(p for p in page_patterns if p.name == name)
    return reverse(name, kwargs={key: values[key] for key in pattern.pattern.converters})


def of_accounts(name: str, club: Club, users: dict[str, User]) -> dict[str, Any]:
    """Name an account, a player, an invitation or a token of the club, as an address does."""
    boss = Actor.for_user(users["organiser"])
    if name in OF_PEOPLE:
        return {"pk": users["arbiter"].pk}
    if name in OF_DATA:
        return {"pk": club.players.order_by("pk")[0].pk}
    if name == "confirm-address":
        return {"proof": store_unconfirmed_address(users["player"], "ana@example.org")}
    if name == "first-account":
        return {"proof": first_account_proof()}
    if name == "new-password":
        uidb64, token = reset_path(users["player"])
        return {"uidb64": uidb64, "token": token}
    if name in {"invitation", "revoke-invitation"}:
        row, text = invite(boss, club, "arbiter")
        return {"text": text, "key": row.key}
    if name == "revoke-token":
        api_token, _ = issue_token(boss, club, users["organiser"], name="marcador", scopes=[])
        return {"pk": api_token.pk}
    return {}


def of_webhooks(name: str, scene: scenes.Scene) -> dict[str, Any]:
    """Name a webhook of the scene and a message of it, as an address does."""
    if name not in OF_WEBHOOKS:
        return {}
    webhook = add_webhook(scene.organiser, scene.club, url="https://club.example/baza")
    delivery = ping(scene.organiser, webhook)
    return {"slug": scene.club.slug, "pk": webhook.pk, "delivery": delivery.pk}


def of_bots(name: str, scene: scenes.Scene) -> dict[str, Any]:
    """Name a bot of the house, a program of the organiser's, or a remote one of the organiser's."""
    boss, club = scene.organiser, scene.club
    if name in {"bot-rating", "bot-results"}:
        return {"slug": "azar"}
    if name in OF_BOTS | OF_COMPARISONS:
        bot = submit_bot(boss, club, name="Ensayo", language="python", source="print()").bot
        return {"slug": bot.slug} | ({"pk": a_comparison(bot).pk} if name in OF_COMPARISONS else {})
    if name == "connect-bot":
        return {"slug": register_bot(boss, club, name="Lejano", kind=Bot.Kind.REMOTE).slug}
    return {}


def void(scene: scenes.Scene) -> None:
    """Let the first match be played again."""
    dispute = dispute_result(scene.organiser, scene.matches()[0], "Faltó una baza.")
    rule_on_dispute(scene.organiser, dispute, "void", reason="Se repite.")


def visitor(scene: scenes.Scene, role: str) -> Client:
    client = Client()
    if role:
        client.force_login(scene.users[role])
    return client


def test_every_address_has_its_row_in_the_matrix() -> None:
    assert set(NAMES) == set(MATRIX)


@pytest.mark.parametrize("name", NAMES)
def test_a_page_answers_each_role_as_the_matrix_says(name: str, scene: scenes.Scene) -> None:
    if name == "rule-dispute":
        dispute_result(scene.organiser, scene.matches()[0], "Faltó una baza.")
    if name in TO_BE_PLAYED:
        void(scene)
    path = address_of(name, scene)
    # What everybody may read is asked by the first and the last: `tests/recording` asks for all.
    roles = (ROLES[0], ROLES[-1]) if MATRIX[name] is EVERYBODY else ROLES
    languages = {role: "en" if role == "organiser" else "es" for role in roles}
    answers = {
        role: visitor(scene, role).get(path, headers=language_header(language))
        for role, language in languages.items()
    }
    statuses = tuple(answer.status_code for answer in answers.values())
    assert statuses == MATRIX[name][:: 1 if roles is ROLES else len(ROLES) - 1]
    for role, response in answers.items():
        if response.status_code in {OK, NO} and "html" in response["Content-Type"]:
            page = response.content.decode()
            assert f'<html lang="{languages[role]}">' in page or name.endswith(
                ("-board", "control-table", "last-trick")
            )


@pytest.mark.parametrize("name", POSTED)
def test_a_post_answers_each_role_as_the_matrix_says(name: str, scene: scenes.Scene) -> None:
    path = address_of(name, scene)
    responses = [visitor(scene, role).post(path) for role in ROLES]
    assert tuple(response.status_code for response in responses) == POSTED[name]


@pytest.mark.parametrize(
    "name", [n for n in NAMES if MATRIX.get(n) == EVERYBODY and n not in POSTED]
)
def test_a_page_that_is_only_read_takes_no_post(name: str, scene: scenes.Scene) -> None:
    assert visitor(scene, "organiser").post(address_of(name, scene)).status_code == ONLY_READ


WITHOUT_A_REQUEST = {"own-request-act", "sign-up-act"}
"""Forms about a request of a sign-up, of which the scene has none to lead back to."""


@pytest.mark.parametrize(
    "name", [n for n, row in MATRIX.items() if row is NOBODY_READS and n not in WITHOUT_A_REQUEST]
)
def test_reading_an_address_that_takes_only_forms_leads_back_to_a_page(
    name: str, scene: scenes.Scene
) -> None:
    path = address_of(name, scene)
    response = visitor(scene, "organiser").get(path, follow=True)
    assert response.status_code == 200
    assert path.startswith(response.request["PATH_INFO"])


def test_no_page_answers_reading_with_an_empty_refusal(scene: scenes.Scene) -> None:
    boss = visitor(scene, "organiser")
    for name in ("enter-late", "clock", "logout"):
        assert boss.put(address_of(name, scene)).status_code == ONLY_READ


def language_header(language: str) -> dict[str, str]:
    return {"Accept-Language": language}


@pytest.fixture(autouse=True)
def language_put_back() -> Iterator[None]:
    """Leave the next test the language it starts with."""
    yield
    from django.utils import translation

    translation.deactivate_all()
