"""Plays a random event to its last standings, by verbs that `domain.state` says are open.

Everything follows from the event's seed. A step either brings the event on or, as long as there is
a budget for it, disturbs it: an entry comes late, leaves, returns, asks for a bye, is penalised; a
match is forfeited, postponed, disputed, corrected, above all one of the round before a draft; a
draft is changed by hand, drawn again or thrown away, a step is undone. What is done is done by the
services, over the API or by the pages; a page has to offer the address that is then posted to.
"""

from __future__ import annotations

import html
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from django.contrib.messages import get_messages
from django.db.models import Max, QuerySet
from django.test import Client
from django.urls import reverse
from django.utils import translation

from tests.clubs import SYSTEM, a_club, organiser, user
from tests.support.caller import Caller
from tests.support.day import the_people
from tournaments.accounts.services.invitations import issue_token
from tournaments.core.errors import REASONS, Refusal
from tournaments.director.queries.drafts import forbidding_warnings, warnings_of
from tournaments.director.queries.state import (
    entry_facts,
    match_facts,
    round_facts,
    tournament_facts,
)
from tournaments.director.queries.tournaments import lots_due, open_tournament, refused_points
from tournaments.director.services import absences, draws
from tournaments.director.services.entries import enter_late, enter_newcomers
from tournaments.director.services.restoring import draw_lots, go_back
from tournaments.director.services.rounds import discard_round, draw_again, pin, swap
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import (
    close_round,
    create_tournament,
    finish,
    publish_round,
)
from tournaments.domain.names import fold_name
from tournaments.domain.pairing import liguilla
from tournaments.domain.scores import Score
from tournaments.domain.sides import SIDES
from tournaments.domain.state import MatchFacts, Verbs, role, verbs
from tournaments.models import (
    ApiToken,
    ByeRequest,
    Dispute,
    Entry,
    Match,
    Pair,
    Player,
    Result,
    Round,
    Tournament,
)
from tournaments.models.matches import MatchQuerySet
from tournaments.results.services import matches as matches_services
from tournaments.results.services import reports

ORGANISER: Final = role("organiser")

CONTENT: Final = frozenset(
    {
        "bye_asked",
        "bye_quota",
        "cannot_draw",
        "conflicting_report",
        "no_late_entry",
        "no_such_round",
        "not_in_round",
        "player_twice",
        "round_impossible",
        "round_published",
        "undo_live",
    }
)
"""Refusals of an open verb for its content; every other refusal of one is a fault."""

LATE: Final = 2
"""Entrants who are not there when the event is drawn."""


@dataclass(frozen=True)
class Plan:
    """What is played: ``stages`` for this many entrants, their options, and how many may enter."""

    stages: Callable[[random.Random, int], list[dict[str, Any]]]
    options: tuple[Mapping[str, int], ...] = ({"to": 3}, {"deals": 4})
    ruleset: str = "parejas-online"
    least: int = 2
    most: int = 10**6
    is_of_players: bool = False


def one_stage(format_: str, **rules: tuple[Any, ...]) -> Callable[..., list[dict[str, Any]]]:
    """Return a single stage, each of its rules chosen from some."""

    def stages(chance: random.Random, entered: int, **more: Any) -> list[dict[str, Any]]:
        del entered
        stage_rules = {name: chance.choice(values) for name, values in rules.items()}
        return [{"format": format_, "rules": stage_rules | more}]

    return stages


def _groups(chance: random.Random, entered: int) -> list[dict[str, Any]]:
    return [{"format": "groups", "rules": {"groups": chance.choice([2, max(2, entered // 3)])}}]


def _then(
    first: Callable[..., list[dict[str, Any]]], final: str, **rules: tuple[Any, ...]
) -> Callable[..., list[dict[str, Any]]]:
    return lambda chance, entered: (
        first(chance, entered) + one_stage(final, **rules)(chance, entered)
    )


BOARDS: Final[tuple[tuple[str, Mapping[str, int]], ...]] = (
    ("knockout", {}),
    ("swiss", {"rounds": 2}),
    ("liguilla", {}),
    ("double", {}),
    ("lives", {"lives": 2}),
)
"""What is played on one of two boards, side by side."""


def _lives(chance: random.Random, entered: int) -> list[dict[str, Any]]:
    """Return a stage of lives, now and then with a board for those who are out of it."""
    (stage,) = one_stage("lives", lives=(1, 2, 3))(chance, entered)
    name, rules = chance.choice(BOARDS)
    places = {"source": 1, "take_from": chance.randint(2, max(2, entered // 2)), "take_out": True}
    board = {"format": name, "rules": {**rules, **places}}
    return [stage, board] if chance.random() < 0.5 else [stage]


def _two_boards(first: Callable[..., list[dict[str, Any]]], *takes: int) -> Callable[..., Any]:
    """Return a stage from which board A takes the best, and board B all others."""

    def stages(chance: random.Random, entered: int) -> list[dict[str, Any]]:
        take = chance.choice(takes)
        (one, rules), (other, other_rules) = chance.choices(BOARDS, k=2)
        places = {"source": 1, "take_from": take}
        return [
            *first(chance, entered),
            {"format": one, "rules": {**rules, "take": take}},
            {"format": other, "rules": {**other_rules, **places}},
        ]

    return stages


def _three_boards(first: Callable[..., list[dict[str, Any]]], take: int) -> Callable[..., Any]:
    """Return a stage whose places, so many to a board, are played on three boards."""

    def stages(chance: random.Random, entered: int) -> list[dict[str, Any]]:
        places = ({"take": take}, {"take": take, "take_from": take}, {"take_from": 2 * take})
        boards = zip(chance.choices(BOARDS, k=3), places, strict=True)
        later = (
            {"format": name, "rules": {**rules, **taken, "source": 1}}
            for (name, rules), taken in boards
        )
        return [*first(chance, entered), *later]

    return stages


PLANS: Final[Mapping[str, Plan]] = {
    "liguilla": Plan(one_stage("liguilla", turns=(1, 1, 2)), most=liguilla.FORMAT.max_entrants),
    "groups": Plan(_groups, least=6),
    "knockout": Plan(one_stage("knockout", third_place=(True, False))),
    "double": Plan(one_stage("double", reset_final=(True, False))),
    "repesca": Plan(one_stage("repesca", third_place=(True, False))),
    "lives": Plan(_lives),
    "swiss": Plan(one_stage("swiss", rounds=(1, 3, 5), paired_by=("scores", "table"))),
    "individual": Plan(one_stage("individual", rounds=(3, 4)), least=4, is_of_players=True),
    "threes": Plan(
        one_stage("threes", rounds=(3, 4)), ({"to": 2},), "arrastrado", least=3, is_of_players=True
    ),
    "duplicate": Plan(
        one_stage("duplicate", movement=("mitchell", "howell")), ({"deals": 2},), least=3, most=30
    ),
    "ladder": Plan(one_stage("ladder", rounds=(2, 4))),
    "groups, knockout": Plan(_then(_groups, "knockout", take=(1, 2)), least=6),
    "swiss, double": Plan(_then(one_stage("swiss", rounds=(2,)), "double", take=(0, 4)), least=4),
    "liguilla, repesca": Plan(
        _then(one_stage("liguilla"), "repesca", take=(0, 3)),
        least=4,
        most=liguilla.FORMAT.max_entrants,
    ),
    "groups, two boards": Plan(_two_boards(_groups, 1, 2), least=8),
    "swiss, two boards": Plan(_two_boards(one_stage("swiss", rounds=(2,)), 3, 4), least=6),
    "groups, three boards": Plan(_three_boards(_groups, 1), least=8),
    "swiss, three boards": Plan(_three_boards(one_stage("swiss", rounds=(2,)), 3), least=8),
    "swiss, swiss": Plan(
        _then(
            one_stage("swiss", rounds=(2,)),
            "swiss",
            rounds=(2,),
            paired_by=("scores", "table"),
            carry=(True, False),
            take=(0, 3),
        ),
        least=4,
    ),
}


class Refused(Exception):  # noqa: N818 - a refusal is an answer
    """An act was refused, by its code."""


@dataclass(frozen=True)
class Act:
    """Something to do: by the service, over the API (path, body), by the pages.

    ``page`` is the page that offers it, the address that it offers, and the form that is sent.
    """

    name: str
    serve: Callable[[], object]
    api: tuple[str, Mapping[str, Any]] | None = None
    page: tuple[str, str, Mapping[str, Any]] | None = None


Way = Callable[[Act], None]


def by_services(act: Act) -> None:
    """Call the service."""
    try:
        act.serve()
    except Refusal as refusal:
        raise Refused(refusal.code) from refusal


class ByApi:
    """Sends what the API can do; the rest is done by the services."""

    def __init__(self, tournament: Tournament) -> None:
        _, token = issue_token(
            SYSTEM, tournament.club, user("olga"), name="mesa", scopes=ApiToken.Scope.values
        )
        self.caller = Caller(token)
        self.sent = 0

    def __call__(self, act: Act) -> None:
        if act.api is None:
            by_services(act)
            return
        self.sent += 1
        response = self.caller.submit(act.api[0], json.dumps(act.api[1]), f"act-{self.sent}")
        if response.status_code >= 300:
            assert response.status_code < 500, response.content
            raise Refused(json.loads(response.content)["code"])


class ByPages:
    """Looks for the address on the page that offers it, and posts the form there."""

    def __init__(self) -> None:
        self.client = Client()
        self.client.force_login(user("olga"))

    def __call__(self, act: Act) -> None:
        if act.page is None:
            by_services(act)
            return
        where, address, form = act.page
        offering = self.client.get(where)
        assert offering.status_code == 200, (where, offering.status_code)
        assert f'"{address}' in offering.content.decode(), f"{where} does not offer {act.name}"
        response = self.client.post(address, form)
        if response.status_code == 200 and (
            pattern_match := SEEN.search(response.content.decode())
        ):
            # The page has shown the effect, and asks whether it is meant.
            seen = html.unescape(pattern_match[1])
            response = self.client.post(address, {**form, "seen": seen})
        assert response.status_code < 500, (address, response.content)
        texts = [text for text in get_messages(response.wsgi_request) if text.level_tag == "error"]
        if response.status_code != 302 or texts:
            page = html.unescape(response.content.decode()) + " ".join(map(str, texts))
            raise Refused(code_of(page), act.name, response.status_code, *map(str, texts))


SEEN: Final = re.compile(r'name="seen" value="([^"]*)"')


def code_of(page: str) -> str:
    """Return which of the refusals for content a page shows, by its sentence."""
    with translation.override("es"):
        for code in CONTENT:
            parts = re.split(r"%\(\w+\)\w", str(REASONS[code].text))
            if re.search(".*".join(map(re.escape, parts)), page):
                return code
    return "page"


class Event:
    """One event, with its own chance; ``done`` counts what was done in it."""

    def __init__(self, plan: Plan, seed: str, entered: int, way: str, disturbances: int) -> None:
        self.chance = random.Random(seed)
        club = a_club()
        self.actor = organiser(club)
        self.options = self.chance.choice(plan.options)
        self.stages = plan.stages(self.chance, entered)
        self.tournament = create_tournament(
            SYSTEM,
            club,
            "Día revuelto",
            NewTournament(
                GameSettings(ruleset=plan.ruleset, options=self.options), stages=self.stages
            ),
        )
        self.coming: list[Pair] | list[Player]
        if plan.is_of_players:
            people = [
                Player.objects.create(club=club, code=f"S{n}", name=name, folded=fold_name(name))
                for n, name in enumerate(f"Jugador {n}" for n in range(entered + LATE))
            ]
            enter_newcomers(SYSTEM, self.tournament, people[:entered])
            self.coming = people[entered:]
        else:
            _, pairs = the_people(entered + LATE, club)
            enter_newcomers(SYSTEM, self.tournament, pairs[:entered])
            self.coming = pairs[entered:]
        ways: dict[str, Callable[[], Way]] = {
            "services": lambda: by_services,
            "api": lambda: ByApi(self.tournament),
            "pages": ByPages,
        }
        self.way = ways[way]()
        self.left = disturbances
        self.done: Counter[str] = Counter()
        self.base = f"tournaments/{self.tournament.slug}/"

    # --- what is there ----------------------------------------------------------------------------

    def page(self, name: str, *args: object) -> str:
        return reverse(name, args=[self.tournament.slug, *args])

    def rounds(self, **which: Any) -> QuerySet[Round]:
        rounds = Round.objects.filter(stage__tournament=self.tournament, **which)
        return rounds.select_related("stage__tournament__club").order_by("number")

    def last_round(self) -> int:
        last: int = self.rounds().aggregate(last=Max("number", default=0))["last"]
        return last

    def matches(self, **which: Any) -> MatchQuerySet:
        result = Match.objects.filter(round__stage__tournament=self.tournament, **which)
        return result.order_by("round__number", "table")

    def match(self, key: int) -> Match:
        (match,) = Match.objects.filter(pk=key).list_with_names()
        return match

    def entries(self) -> QuerySet[Entry]:
        entries = self.tournament.entries.with_players().select_related("tournament__club")
        return entries.order_by("number")

    def facts_of(self, match: Match) -> tuple[MatchFacts, Dispute | None]:
        dispute = match.disputes.unsettled().select_related("match").first()
        return match_facts(match, match.results.live().first(), dispute), dispute

    # --- one step ---------------------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        self.tournament.refresh_from_db()
        return self.tournament.state == Tournament.State.FINISHED

    def step(self) -> None:
        """Disturb the event, or bring it on by the first act that is not refused."""
        if self.left and self.chance.random() < 0.4:
            self.left -= 1
            self.disturb()
            return
        refused = []
        for act in self.forward():
            try:
                self.way(act)
            except Refused as refusal:
                refused.append((act.name, refusal))
                continue
            self.done[act.name] += 1
            return
        raise AssertionError(f"nothing brings the event on: {refused}, {self.stages}")

    def disturb(self) -> None:
        act = self.chance.choice(
            [self.disturb_entry, self.disturb_match, self.disturb_match, self.disturb_draft]
            + [self.disturb_before_draft, self.change_draft] * self.rounds(state="draft").exists()
        )()
        if act is None:
            return
        try:
            self.way(act)
        except Refused as refusal:
            if refusal.args[0] not in CONTENT:
                raise AssertionError(f"{act.name} is open and refused: {refusal}") from refusal
        else:
            self.done[act.name] += 1

    # --- what brings the event on -----------------------------------------------------------------

    def forward(self) -> Iterator[Act]:
        """Yield what is open and brings the event on, the likeliest first."""
        facts = tournament_facts(self.tournament)
        may = verbs(facts, ORGANISER)
        if may["draw"]:
            yield Act(
                "draw",
                lambda: draws.draw(self.actor, self.tournament),
                (f"{self.base}draw/", {}),
                (self.page("tournament"), self.page("draw"), {}),
            )
        if may["draw_next"]:
            yield from self.to_the_next_round(facts.to_draw)
        for round_ in self.open_rounds():
            yield from self.forward_in(round_)
        yield from self.results(keys(self.matches(state__in=["pending", "postponed", "disputed"])))
        yield from self.levels()
        if may["finish"]:
            yield self.act_of_finish()
        if facts.to_draw and may["finish_early"]:
            yield self.act_of_finish(early=True)
        for entry in self.entries():  # too few are there to draw
            away = entry.absences.filter(until_round__isnull=True).first()
            if verbs(entry_facts(entry, away), ORGANISER)["readmit"]:
                yield self.act_of_entry(entry, "readmit", absences.readmit, {}, "return")
            for bye in entry.bye_requests.filter(round_number__gt=self.last_round()):
                yield self.act_of_cancelling(entry, bye)

    def act_of_cancelling(self, entry: Entry, bye: ByeRequest) -> Act:
        return self.act_of_entry(
            entry,
            "cancel_bye",
            lambda actor, _: absences.cancel_bye(actor, bye),
            {},
            f"byes/{bye.pk}/cancel",
            {"pk": bye.pk},
        )

    def act_of_entry(
        self,
        entry: Entry,
        name: str,
        serve: Callable[[Any, Entry], object],
        body: Mapping[str, Any],
        path: str = "",
        form: Mapping[str, Any] | None = None,
    ) -> Act:
        """Return an act about an entry; ``form`` is what the page sends if not ``body``."""
        word = name.replace("_", "-")
        return Act(
            name,
            lambda: serve(self.actor, entry),
            (f"{self.base}entries/{entry.number}/{path or word}/", body),
            (
                self.page("entry", entry.number),
                self.page("entry-act", entry.number, word),
                body if form is None else form,
            ),
        )

    def open_rounds(self) -> list[Round]:
        """Return the first open round of each stage, in any order."""
        firsts: dict[int, Round] = {}
        for round_ in self.rounds(state__in=["draft", "published"]):
            firsts.setdefault(round_.stage_id, round_)
        rounds = list(firsts.values())
        if len(rounds) > 1:
            self.chance.shuffle(rounds)
        return rounds

    def forward_in(self, round_: Round) -> Iterator[Act]:
        number, may = round_.number, verbs(round_facts(round_), ORGANISER)
        path, page = f"{self.base}rounds/{number}/", self.page("round", number)
        if may["publish"]:
            yield Act(
                "publish",
                lambda: publish_round(self.actor, round_),
                (f"{path}publish/", {}),
                (page, self.page("publish-round", number), {}),
            )
        if round_.is_outdated and not forbidding_warnings(warnings_of(round_)):
            # Half of the outdated drafts are published as they are, where that is possible.
            as_is = Act(
                "publish as it is",
                lambda: publish_round(self.actor, round_, as_is=True),
                (f"{path}publish/", {"as_is": True}),
                (self.page("draft", number), self.page("publish-round", number), {"as_is": "1"}),
            )
            if self.chance.random() < 0.5:
                yield as_is
        if may["arrange"]:
            yield self.act_of_drawing_again(round_)
            yield self.act_of_throwing_away(round_)
        if may["close"]:
            yield Act(
                "close",
                lambda: close_round(self.actor, round_),
                (f"{path}close/", {}),
                (page, self.page("close-round", number), {}),
            )
        waiting = keys(self.matches(round=round_, state__in=["pending", "reported", "disputed"]))
        self.chance.shuffle(waiting)
        yield from self.results(waiting)

    def act_of_drawing_again(self, round_: Round) -> Act:
        return Act(
            "draw again",
            lambda: draw_again(self.actor, round_),
            (f"{self.base}rounds/{round_.number}/draw-again/", {}),
            (
                self.page("draft", round_.number),
                self.page("arrange", round_.number, "draw-again"),
                {},
            ),
        )

    def act_of_throwing_away(self, round_: Round) -> Act:
        return Act(
            "throw away",
            lambda: discard_round(self.actor, round_),
            (f"{self.base}rounds/{round_.number}/discard/", {}),
            (self.page("draft", round_.number), self.page("discard-round", round_.number), {}),
        )

    def to_the_next_round(self, to_draw: Sequence[int]) -> Iterator[Act]:
        after = self.last_round()
        number = self.chance.choice(to_draw) if len(to_draw) > 1 else None
        form = {"after": after} | ({} if number is None else {"stage": number})
        due = lots_due(open_tournament(self.tournament.slug, self.actor).head)
        if due is not None:
            stage = self.tournament.stages.select_related("tournament__club").get(number=due.stage)
            yield Act(
                "draw lots",
                lambda: draw_lots(self.actor, stage),
                None,
                (self.page("rounds"), self.page("draw-lots", due.stage), {}),
            )
        yield Act(
            "draw next",
            lambda: draws.draw_next(self.actor, self.tournament, after=after, stage=number),
            (f"{self.base}draw/", form),
            (self.page("rounds"), self.page("draw-next"), form),
        )

    def act_of_finish(self, *, early: bool = False) -> Act:
        offering = self.page("rounds" if early else "tournament")
        return Act(
            "finish",
            lambda: finish(self.actor, self.tournament, early=early),
            (f"{self.base}finish/", {"early": True} if early else {}),
            (offering, self.page("finish") + ("?early=1" if early else ""), {}),
        )

    def results(self, waiting: list[int]) -> Iterator[Act]:
        for match in map(self.match, waiting):
            facts, dispute = self.facts_of(match)
            may = verbs(facts, ORGANISER)
            if may["rule"] and dispute is not None:
                yield self.ruling(match, dispute)
            if may["confirm"]:
                live = match.results.live().get()
                yield Act(
                    "confirm",
                    partial(reports.confirm_result, self.actor, match),
                    (f"matches/{match.pk}/confirm/", {"version": live.version}),
                    (
                        reverse("match", args=[match.pk]),
                        reverse("confirm-result", args=[match.pk]),
                        {"version": live.version},
                    ),
                )
            if may["report"]:
                yield self.report(match)

    def report(self, match: Match) -> Act:
        if match.boards:
            hands = self.hands(match)
            return Act(
                "report",
                lambda: reports.report_result(self.actor, match, hand_scores=hands),
                (f"matches/{match.pk}/report/", {"hands": hands}),
                (
                    reverse("match", args=[match.pk]),
                    reverse("report-hands", args=[match.pk]),
                    sheet(hands),
                ),
            )
        score = self.score(len(match.sides))
        return Act(
            "report",
            lambda: reports.report_result(self.actor, match, score=score),
            (f"matches/{match.pk}/report/", wire(score)),
            (reverse("match", args=[match.pk]), reverse("report", args=[match.pk]), wire(score)),
        )

    def hands(self, match: Match) -> list[dict[str, int]]:
        """Return points of each deal of a duplicate match; level ones would need a winner too."""
        homes = {board: self.chance.randrange(20, 100) for board in match.boards}
        homes = {board: 66 if home == 65 else home for board, home in homes.items()}
        return [{"home": home, "away": 130 - home, "board": b} for b, home in homes.items()]

    def ruling(self, match: Match, dispute: Dispute) -> Act:
        ruling = self.chance.choice(["uphold", "amend", "void", "interim"])
        if not match.results.live().exists():
            ruling = "void"
        if ruling == "interim" and not verbs(self.facts_of(match)[0], ORGANISER)["rule_interim"]:
            ruling = "uphold"  # it counts for now already
        fields, body, form = self.another_result(match) if ruling == "amend" else ({}, {}, {})
        ruling_form = {"ruling": ruling, "reason": "heard both"}
        return Act(
            f"rule {ruling}",
            lambda: matches_services.rule_on_dispute(
                self.actor, dispute, ruling, reason="heard both", **fields
            ),
            (f"disputes/{dispute.pk}/rule/", {**ruling_form, **body}),
            (
                reverse("match", args=[match.pk]),
                reverse("rule-dispute", args=[match.pk]),
                {**ruling_form, **form, "dispute": dispute.pk},
            ),
        )

    def another_result(self, match: Match) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
        """Return a result as arguments of the services, as a body of the API and as a form."""
        if match.boards:
            hands = self.hands(match)
            return {"hand_scores": hands}, {"hands": hands}, sheet(hands)
        score = self.score(len(match.sides))
        return {"score": score}, wire(score), wire(score)

    def levels(self) -> Iterator[Act]:
        """Say who goes on where a bracket waits for it."""
        level = Result.objects.live().filter(winner=Result.Winner.TIE, decided="")
        of_level = self.matches(state="accepted", pk__in=level.values("match"))
        for match in map(self.match, keys(of_level)):
            if verbs(self.facts_of(match)[0], ORGANISER)["decide"]:
                body = {"side": self.chance.choice(["home", "away"]), "reason": "by lot"}
                yield Act(
                    "decide",
                    partial(
                        matches_services.decide,
                        self.actor,
                        match,
                        body["side"],
                        reason=body["reason"],
                    ),
                    (f"matches/{match.pk}/decide/", body),
                    (
                        reverse("match", args=[match.pk]),
                        reverse("decide", args=[match.pk]),
                        body,
                    ),
                )

    def score(self, sides: int) -> Score:
        """Return a score with which a match can end."""
        if (deals := self.options.get("deals")) is not None:
            first = self.chance.randrange(deals + 1)
            hands = [first, deals - first]
        else:
            to = self.options["to"]
            hands = [to, *(self.chance.randrange(to) for _ in range(sides - 1))]
            self.chance.shuffle(hands)
        return Score.of(
            tuple(hands), tuple(60 * won + self.chance.randrange(5) * won for won in hands)
        )

    # --- what disturbs it -------------------------------------------------------------------------

    def disturb_entry(self) -> Act | None:
        """An entrant comes late, leaves, comes back, asks for a bye, is penalised or expelled."""
        if self.may_enter_late and self.chance.random() < 0.3:
            return self.act_of_entering_late()
        entry = self.entries().get(pk=self.chance.choice(keys(self.entries())))
        away = entry.absences.filter(until_round__isnull=True).first()
        may = verbs(entry_facts(entry, away), ORGANISER)
        next_round = self.last_round() + 1
        kind = self.chance.choice(ByeRequest.Kind.values)
        number = self.chance.randrange(1, next_round + 2)
        bye = {"round": number, "kind": kind}
        penalty: dict[str, Any] = {"match_points": "0.5", "reason": "noise"}
        acts = [
            self.act_of_entry(entry, "withdraw", absences.withdraw, {}),
            self.act_of_entry(entry, "readmit", absences.readmit, {}, "return"),
            self.act_of_entry(
                entry,
                "request_bye",
                lambda actor, entry: absences.request_bye(actor, entry, number, kind),
                bye,
                "bye",
            ),
            self.act_of_entry(
                entry,
                "penalise",
                lambda actor, entry: absences.penalise(actor, entry, round_number=1, **penalty),
                {"round": 1, **penalty},
                form={"round_number": 1, "hands": 0, "points": 0, **penalty},
            ),
            self.act_of_entry(
                entry,
                "expel",
                lambda actor, entry: absences.expel(actor, entry, "noise"),
                {"reason": "noise"},
            ),
        ]
        weights = {"withdraw": 4, "readmit": 6, "request_bye": 3, "penalise": 2, "expel": 1}
        return self.one_of(may, acts, weights)

    @property
    def may_enter_late(self) -> bool:
        may = verbs(tournament_facts(self.tournament), ORGANISER)
        return bool(self.coming) and may["enter_late"]

    def act_of_entering_late(self) -> Act:
        newcomer = self.coming.pop()
        people = (newcomer.first, newcomer.second) if isinstance(newcomer, Pair) else (newcomer,)
        names = dict(zip(("first", "second"), (person.name for person in people), strict=False))
        return Act(
            "enter late",
            lambda: enter_late(self.actor, self.tournament, newcomer),
            page=(self.page("entries"), self.page("enter-late"), names),
        )

    def disturb_match(self) -> Act | None:
        """A match is forfeited, postponed, taken up again, disputed or corrected."""
        in_play = self.matches(round__state__in=["published", "closed"], away__isnull=False)
        played = keys(in_play)
        return (
            self.act_of_disturbing(self.chance.choice([*played, *played[-4:]])) if played else None
        )

    def disturb_before_draft(self) -> Act | None:
        """The same in the last round that is closed, while the next is a draft."""
        last = self.rounds(state="closed").last()
        played = keys(self.matches(round=last, away__isnull=False)) if last else []
        return self.act_of_disturbing(self.chance.choice(played)) if played else None

    def act_of_disturbing(self, key: int) -> Act | None:
        """Return what is done about a match."""
        match = self.match(key)
        sides = list(SIDES[: len(match.sides)])
        lost = self.chance.choice([[self.chance.choice(sides)], sides])
        path, page = f"matches/{match.pk}/", reverse("match", args=[match.pk])
        fields, body, form = self.another_result(match)

        def of_page(name: str, form: Mapping[str, Any]) -> tuple[str, str, Mapping[str, Any]]:
            return page, reverse(name, args=[match.pk]), form

        facts, dispute = self.facts_of(match)
        if dispute is not None and self.chance.random() < 0.3:
            return self.ruling(match, dispute)
        acts = [
            Act(
                "forfeit",
                lambda: matches_services.forfeit(self.actor, match, lost, reason="not there"),
                (f"{path}forfeit/", {"sides": lost, "reason": "not there"}),
                of_page("forfeit", {"sides": lost, "why": "other", "reason": "not there"}),
            ),
            Act(
                "postpone",
                lambda: matches_services.postpone(self.actor, match, None, reason="ill"),
                (f"{path}postpone/", {"reason": "ill"}),
                of_page("postpone", {"reason": "ill"}),
            ),
            Act(
                "resume",
                lambda: matches_services.resume(self.actor, match),
                (f"{path}resume/", {}),
                of_page("resume", {}),
            ),
            Act(
                "dispute",
                lambda: matches_services.dispute_result(self.actor, match, "it was not so"),
                (f"{path}dispute/", {"reason": "it was not so"}),
                of_page("dispute", {"reason": "it was not so"}),
            ),
            Act(
                "correct",
                lambda: matches_services.correct_result(
                    self.actor, match, reason="a slip", **fields
                ),
                (f"{path}correct/", {**body, "reason": "a slip"}),
                of_page("correct-result", {**form, "reason": "a slip"}),
            ),
        ]
        weights = {"forfeit": 2, "postpone": 2, "resume": 3, "dispute": 2, "correct": 2}
        return self.one_of(verbs(facts, ORGANISER), acts, weights)

    def change_draft(self) -> Act | None:
        """Two entries of the first draft change places, or a table of it is pinned."""
        draft = self.rounds(state="draft").first()
        if draft is None or not verbs(round_facts(draft), ORGANISER)["arrange"]:
            return None
        path, page = f"{self.base}rounds/{draft.number}/", self.page("draft", draft.number)
        tables = keys(self.matches(round=draft))
        if not tables:
            return None
        if self.chance.random() < 0.3 or len(tables) < 2:
            match = self.match(self.chance.choice(tables))
            return Act(
                "pin",
                lambda: pin(self.actor, match),
                (f"matches/{match.pk}/pin/", {"pinned": True}),
            )
        one, other = (
            self.chance.choice([entry for side in self.match(key).sides for entry in side])
            for key in self.chance.sample(tables, 2)
        )
        two = {"one": one.number, "other": other.number}
        return Act(
            "swap",
            lambda: swap(self.actor, draft, one, other),
            (f"{path}swap/", two),
            (page, self.page("arrange", draft.number, "swap"), two),
        )

    def disturb_draft(self) -> Act | None:
        """A draft is drawn again or thrown away, or a step is undone."""
        way = self.chance.random()
        draft = self.rounds(state="draft").first()
        if draft and way < 0.6 and verbs(round_facts(draft), ORGANISER)["arrange"]:
            if way < 0.2:
                return self.act_of_throwing_away(draft)
            return self.act_of_drawing_again(draft)
        point = self.tournament.restore_points.order_by("-pk").first()
        if point is None or way < 0.8 or point.pk in refused_points(self.tournament):
            return None
        return Act(
            "undo",
            lambda: go_back(self.actor, point),
            (f"{self.base}restore-points/{point.pk}/go-back/", {}),
            (self.page("restore-points"), self.page("go-back", point.pk), {}),
        )

    def one_of(self, may: Verbs, acts: list[Act], weights: Mapping[str, int]) -> Act | None:
        """Return one of the acts that are open."""
        open_acts = [act for act in acts if may[act.name]]
        if not open_acts:
            return None
        return self.chance.choices(open_acts, [weights[act.name] for act in open_acts])[0]


def keys(rows: QuerySet[Match] | QuerySet[Entry]) -> list[int]:
    """Return the primary keys: what is acted on is read whole only when its turn comes."""
    return list(rows.values_list("pk", flat=True))


def sheet(hands: Sequence[Mapping[str, int]]) -> dict[str, Any]:
    """Return hands in the words of the form with a line for each."""
    return {
        f"h{number}_{side}": hand[side]
        for number, hand in enumerate(hands, 1)
        for side in ("home", "away")
    }


def wire(score: Score) -> dict[str, Any]:
    """Return a score in the words of forms and of the API."""
    if score.places is not None:
        return {"places": list(score.places)}
    return {
        f"{word}_{name}": number
        for name, numbers in (("hands", score.hands), ("points", score.points))
        for word, number in zip(SIDES, numbers, strict=False)
    }
