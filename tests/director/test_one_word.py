"""One word for an act: in the rules, services, forms, page addresses and the API.

A name is the verb, or the verb with what it acts on: `close_round`, `go-back`. The addresses and
forms of earlier releases go on working.
"""

from __future__ import annotations

import inspect
import json
import pkgutil
from importlib import import_module
from typing import TYPE_CHECKING, Final

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

import tournaments
from tests.support import scenes
from tests.support.caller import Caller, document
from tests.support.routes import api_patterns, page_patterns
from tournaments.accounts.services.invitations import issue_token
from tournaments.arena.views import ROUND_BUTTONS
from tournaments.core.buttons import find_button
from tournaments.core.permissions import Actor
from tournaments.director.services.absences import withdraw
from tournaments.director.services.rounds import unpair
from tournaments.director.views.check_in import CLOCK_BUTTONS
from tournaments.director.views.entries import ENTRY_BUTTONS
from tournaments.director.views.rounds import DRAFT_BUTTONS
from tournaments.domain import state
from tournaments.domain.state import RULES
from tournaments.models import AuditEvent, Bot, Round
from tournaments.people.services.bots import register_bot
from tournaments.results.views.own_table import OWN_BUTTONS
from tournaments.standings.services.seasons import add_tournament, create_season

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tournaments.core.buttons import Button

# --- The names ------------------------------------------------------------------------------------

OBJECTS: Final = {
    state.TournamentFacts: ("tournament", "newcomers", "bots"),
    state.StageFacts: ("stage",),
    state.RoundFacts: ("round",),
    state.MatchFacts: ("match", "result", "record", "dispute", "on_dispute"),
    state.EntryFacts: ("entry",),
    state.SeasonFacts: ("season", "tournament", "to_season", "from_season"),
    state.PointFacts: ("point",),
}
"""What the names may add to a verb."""

SIGN_UP: Final = {"post", "unpost", "cancel"}
"""Verbs of a tournament with a sign-up, whose pages have tests of their own."""

NO_SERVICE: Final = {
    "change_terms": "change_tournament, with the other settings",
    "rename": "change_tournament, with the other settings",
    "finish_early": "finish(early=True)",
    "arrange": "each change of a draft: swap, pin, pair …",
    "rule_interim": "rule_on_dispute(interim=True)",
    "change": "what the verbs of an entry have in common",
    "rate": "describe_entry, with the other facts",
}
NO_PAGE: Final = {
    "enter": "add-pairs, add-players, add-bots: one form each",
    "change_terms": "tournament-settings",
    "rename": "tournament-settings",
    "finish_early": "finish",
    "rule_interim": "rule-dispute",
    "no_show": "forfeit",
    "change": "no act of its own",
    "rate": "describe",
}
NO_API: Final = {
    "change_terms": "PATCH of the tournament",
    "discard": "DELETE of the tournament",
    "rename": "PATCH of the tournament",
    "enter_late": "enter-list",
    "draw_next": "draw, with the round after which",
    "finish_early": "finish",
    "set_prizes": "PUT of the prizes",
    "hand_out": "at the ceremony, by hand",
    "take_back": "at the ceremony, by hand",
    "arrange": "swap, pin, pair …",
    "rule_interim": "rule",
    "change": "no act of its own",
    "describe": "PATCH of the entry",
    "rate": "PATCH of the entry",
}


def public_services() -> Iterator[str]:
    """Yield the names of the functions of all service modules."""
    for module in pkgutil.walk_packages(tournaments.__path__, "tournaments."):
        if ".services" in module.name:
            for name, function in inspect.getmembers(
                import_module(module.name), inspect.isfunction
            ):
                if function.__module__ == module.name and not name.startswith("_"):
                    yield name


SERVICES: Final = frozenset(public_services())
API: Final = frozenset(str(pattern.name) for pattern in api_patterns)
PAGES: Final = frozenset(
    (
        *(str(pattern.name) for pattern in page_patterns),
        *DRAFT_BUTTONS,
        *ENTRY_BUTTONS,
        *OWN_BUTTONS,
        *ROUND_BUTTONS,
        *(f"{verb}-clock" for verb in CLOCK_BUTTONS),
    )
)
ACTS: Final = [(facts, verb) for facts in OBJECTS for verb in RULES[facts] if verb not in SIGN_UP]


def test_every_kind_of_facts_is_compared() -> None:
    assert set(RULES) - set(OBJECTS) == {
        state.SignUpFacts,
        state.RequestFacts,
        state.MoneyFacts,
        state.CashFacts,
    }


@pytest.mark.parametrize(
    ("facts", "verb"), ACTS, ids=[f"{facts.__name__}-{verb}" for facts, verb in ACTS]
)
def test_a_rule_is_a_service_a_page_and_an_address(facts: type[state.Facts], verb: str) -> None:
    names = {verb, *(f"{verb}_{what}" for what in OBJECTS[facts])}
    words = {name.replace("_", "-") for name in names}
    assert bool(names & SERVICES) != (verb in NO_SERVICE)
    assert bool(words & PAGES) != (verb in NO_PAGE)
    assert bool(words & API) != (verb in NO_API)


@pytest.mark.parametrize("buttons", [DRAFT_BUTTONS, ENTRY_BUTTONS, OWN_BUTTONS])
def test_a_form_is_named_as_its_service(buttons: Mapping[str, Button[...]]) -> None:
    others = {"fill": "draw_again(keep_all=True)", "unpin": "pin(pinned=False)"}
    names = {verb.replace("-", "_") for verb in buttons if verb not in others}
    unknown = {
        name
        for name in names
        if not any(service == name or service.startswith(f"{name}_") for service in SERVICES)
    }
    assert unknown == set()


# --- The names of before --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("buttons", "before", "verb"),
    [
        (DRAFT_BUTTONS, "again", "draw-again"),
        (DRAFT_BUTTONS, "part", "unpair"),
        (DRAFT_BUTTONS, "rest", "give-bye"),
        (ENTRY_BUTTONS, "ask-bye", "request-bye"),
        (ENTRY_BUTTONS, "bring-back", "readmit"),
        (ENTRY_BUTTONS, "end-substitute", "end-substitution"),
        (ENTRY_BUTTONS, "revoke", "revoke-penalty"),
        (OWN_BUTTONS, "rest", "request-bye"),
        (OWN_BUTTONS, "cancel", "cancel-bye"),
        (OWN_BUTTONS, "leave", "withdraw"),
    ],
)
def test_a_form_of_before_still_works(
    buttons: Mapping[str, Button[...]], before: str, verb: str
) -> None:
    assert find_button(buttons, before) == (verb, buttons[verb])


@pytest.fixture
def scene(db: None) -> scenes.Scene:
    return scenes.drawn()


def test_a_page_of_before_still_works(scene: scenes.Scene) -> None:
    browser, place = Client(), f"/t/{scene.tournament.slug}"
    browser.force_login(scene.users["organiser"])
    assert browser.get(f"{place}/undo/").status_code == 200
    assert browser.get(f"{place}/rounds/1/throw-away/").status_code == 200
    response = browser.post(f"{place}/rounds/1/throw-away/")
    assert response["Location"] == reverse("rounds", args=[scene.tournament.slug])
    assert not Round.objects.exists()
    point = scene.tournament.restore_points.get(verb="draft.thrown_away")
    assert browser.get(f"{place}/undo/{point.pk}/").status_code == 200
    assert browser.post(f"{place}/undo/{point.pk}/").status_code == 302
    assert scene.rounds[0].state == "draft"
    bot = benched_bot(scene)
    assert browser.post(f"/bots/{bot.slug}/put-back/").status_code == 302
    assert not Bot.objects.filter(pk=bot.pk, benched_at__isnull=False).exists()


def benched_bot(scene: scenes.Scene) -> Bot:
    bot = register_bot(scene.organiser, scene.club, name="De lejos", kind="remote")
    Bot.objects.filter(pk=bot.pk).update(benched_at=timezone.now())
    return bot


ALIASES: Final[dict[str, tuple[str, dict[str, object]]]] = {
    "{t}/entries/1/check-out/": ("undo-check-in/", {}),
    "{t}/entries/2/return/": ("readmit/", {}),
    "{t}/entries/1/bye/": ("request-bye/", {"round": 3, "kind": "zero"}),
    "{t}/stages/1/again/": ("draw-again/", {"reason": "Faltaba una pareja."}),
    "{t}/rounds/1/again/": ("draw-again/", {}),
    "{t}/rounds/1/rest/": ("give-bye/", {"entry": "{home}"}),
    "matches/{match}/part/": ("unpair/", {}),
    "bots/{bot}/put-back/": ("unbench/", {}),
    "clubs/{club}/seasons/{season}/take-out/": ("remove/", {"tournament": "{slug}"}),
}
"""Deprecated addresses: the last word of the present one, and what is sent."""


def test_the_aliases_are_all_that_is_deprecated() -> None:
    paths = document()["paths"]
    deprecated = {
        path for path, methods in paths.items() if methods.get("post", {}).get("deprecated")
    }
    assert {path.split("/")[-2] for path in deprecated} == {path.split("/")[-2] for path in ALIASES}
    assert len(deprecated) == len(ALIASES)


@pytest.mark.parametrize("before_first", [True, False], ids=["before first", "present first"])
@pytest.mark.parametrize("address", ALIASES)
def test_a_repeat_over_the_other_address_gets_the_stored_answer(
    scene: scenes.Scene, address: str, *, before_first: bool
) -> None:
    if "return" in address:
        withdraw(scene.organiser, scene.tournament.entries.get(number=2), "")
    home = scene.matches()[0].home.number
    if "rest" in address:
        unpair(scene.organiser, scene.matches()[0])
    season = create_season(scene.organiser, scene.club, name="Temporada")
    add_tournament(scene.organiser, season, scene.tournament)
    places = {
        "home": home,
        "t": f"tournaments/{scene.tournament.slug}",
        "slug": scene.tournament.slug,
        "club": scene.club.slug,
        "season": season.slug,
        "bot": benched_bot(scene).slug,
        "match": scene.matches()[0].pk,
    }
    last, fields = ALIASES[address]
    before = address.format(**places)
    present = before.removesuffix(before.split("/")[-2] + "/") + last
    body = json.dumps({name: text_of(value, places) for name, value in fields.items()})
    user = scene.users["organiser"]
    scopes = ["games:read", "tournaments:manage", "bots:run"]
    token = issue_token(Actor.system(), scene.club, user, name="programa", scopes=scopes)[1]
    first, second = (before, present) if before_first else (present, before)
    done = Caller(token).submit(first, body, "one-key")
    assert done.status_code == 201, done.content
    events = AuditEvent.objects.count()
    repeated = Caller(token).submit(second, body, "one-key")
    deprecated, other = (done, repeated) if before_first else (repeated, done)
    assert deprecated.headers["Deprecation"] == "@1795737600"
    assert deprecated.headers["Sunset"] == "Thu, 27 May 2027 00:00:00 GMT"
    assert deprecated.headers["Link"] == f'<../{last}>; rel="successor-version"'
    assert "Deprecation" not in other.headers
    assert repeated.headers["Idempotency-Replayed"] == "true"
    assert (repeated.status_code, repeated.content) == (201, done.content)
    assert AuditEvent.objects.count() == events


def text_of(value: object, places: Mapping[str, object]) -> object:
    return places[value[1:-1]] if isinstance(value, str) and value.startswith("{") else value
