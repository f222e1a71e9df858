"""Walks through random events: acts on many entries and their ways back, and ends tried on the way.

As `tests.support.driver`; besides, a check-in is closed, opened afresh, all have come, a list is
entered. After each act that has a way back, that way is tried now and then: taken back, the event
is as it was before. From some states the event is brought to its end, which is then undone.
"""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from difflib import unified_diff
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from django.core.cache import cache
from django.db import transaction

from tests.support.driver import CONTENT, ORGANISER, Act, Event, Refused
from tournaments.core.errors import Refusal
from tournaments.director.queries.mass_acts import act_to_take_back
from tournaments.director.queries.snapshot import rows_of
from tournaments.director.queries.state import entry_facts, match_facts, tournament_facts
from tournaments.director.services import absences
from tournaments.director.services.entries import enter_list
from tournaments.director.services.mass_acts import take_back_act
from tournaments.domain.state import verbs
from tournaments.models import Entry, Match, Tournament
from tournaments.results.services import matches as matches_services

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MAX_STEPS: Final = 3_000
"""Steps to the end of an event that nothing disturbs any more, far above what is needed."""


def digest(tournament: Tournament, *, drafts: bool = True) -> tuple[Any, ...]:
    """Return what a way back has to restore: rows, check-ins, states of rounds and matches."""
    tournament = Tournament.objects.get(pk=tournament.pk)
    rows = rows_of(tournament)
    if not drafts:
        stages = (
            replace(stage, rounds=stage.published, seed=stage.seed if stage.published else "")
            for stage in rows.stages
        )
        rows = replace(rows, stages=tuple(stages))
    entries = tournament.entries.order_by("number")
    matches = Match.objects.filter(round__stage__tournament=tournament)
    matches = matches if drafts else matches.exclude(round__state="draft")
    return (
        rows,
        tournament.state,
        tournament.check_in_closed_at,
        list(entries.values_list("pk", "name", "checked_in_at", "joined_round")),
        list(entries.values_list("number", "substitutions__comes")),
        list(matches.order_by("round__number", "table").values_list("state", "postponed_to")),
    )


def differences(before: tuple[Any, ...], after: tuple[Any, ...]) -> str:
    """Return the parts of two digests that differ, one after the other."""
    one, other = (repr(part).replace("), ", "),\n").splitlines() for part in (before, after))
    return "\n".join(list(unified_diff(one, other, lineterm="", n=0))[:20])


class Walk(Event):
    """An event with acts on many entries; ``tried`` are the ends that were tried on the way."""

    def disturb(self) -> None:
        """Do something to many, something with a way back, or what else disturbs."""
        way = self.chance.random()
        if way < 0.2:
            self.do_and_take_back(*self.mass_act())
        elif way < 0.4 and (pair := self.act_and_way_back()):
            self.do_and_take_back(*pair)
        else:
            super().disturb()

    def forward(self) -> Iterator[Act]:
        """Yield what brings the event on; before an early end, that those who were to rest play.

        A final for which both have a bye waits.
        """
        for act in super().forward():
            if act.name == "finish early":
                for entry in self.entries():
                    for bye in entry.bye_requests.filter(round_number__gt=self.last_round()):
                        yield self.act_of_cancelling(entry, bye)
            yield act

    def do_and_take_back(self, act: Act, back: Callable[[], object]) -> None:
        """Do an act; half of the time take it back and compare with the state before."""
        before, counted = digest(self.tournament), self.drawing()
        published = digest(self.tournament, drafts=False)
        try:
            self.way(act)
        except Refused as refusal:
            if refusal.args[0] not in CONTENT:
                raise AssertionError(f"{act.name} is open and refused: {refusal}") from refusal
            return
        self.done[act.name] += 1
        if self.chance.random() < 0.5 and digest(self.tournament) != before:
            try:
                back()
            except Refusal as refusal:
                raise AssertionError(f"{act.name} has no way back: {refusal.code}") from refusal
            self.done[f"{act.name}, taken back"] += 1
            # A draft that had nobody left to play was deleted: it is drawn again by the next draw.
            # A stage for which others qualified in between was drawn again, from another seed.
            keeps_drafts = self.drawing() == counted
            after = digest(self.tournament, drafts=keeps_drafts)
            before = before if keeps_drafts else published
            assert after == before, f"{act.name}, taken back, left {differences(before, after)}"

    def drawing(self) -> tuple[int, list[str]]:
        """Return the number of rounds, and the seeds of the stages."""
        stages = self.tournament.stages.order_by("number")
        return self.rounds().count(), list(stages.values_list("seed", flat=True))

    def mass_act(self) -> tuple[Act, Callable[[], object]]:
        """Return an act on many entries, and its way back."""
        tournament = Tournament.objects.get(pk=self.tournament.pk)
        may = verbs(tournament_facts(tournament), ORGANISER)
        absent = self.chance.choice(["withdraw", "bye"])
        close = partial(absences.close_check_in, self.actor, tournament, absent=absent)
        acts: dict[str, Callable[[], object]] = {
            "check_in_all": lambda: absences.check_in_all(self.actor, tournament),
            "close_check_in": close,
            "open_check_in": lambda: absences.open_check_in(self.actor, tournament, afresh=True),
        }
        names = [name for name in acts if may[name]]
        # Who has come is chosen by lot first, so that closing finds some here.
        for entry in self.entries():
            if self.chance.random() < 0.7 and not entry.checked_in_at:
                absences.check_in(self.actor, entry)
        name = self.chance.choice(names)
        back = partial(take_back_act, self.actor, tournament)
        if self.coming and may["enter_list"] and self.chance.random() < 0.3 and may["enter"]:
            name, acts["enter_list"] = "enter_list", self.listing(tournament)
        act = Act(name, acts[name])
        return act, lambda: back() if act_to_take_back(tournament) else self.open_again(tournament)

    def open_again(self, tournament: Tournament) -> None:
        """Take back a closed check-in that changed no entry."""
        absences.open_check_in(self.actor, tournament)

    def listing(self, tournament: Tournament) -> Callable[[], object]:
        number = len(self.done)
        people = [f"Lista {word} {number}{self.chance.random()}" for word in ("Uno", "Dos")]
        heads = "jugador1,jugador2" if tournament.unit == Tournament.Unit.PAIR else "jugador"
        text = ",".join("".join(c for c in name if c not in "0123456789.") for name in people)
        lines = text if tournament.unit == Tournament.Unit.PAIR else text.replace(",", "\n")
        return lambda: enter_list(self.actor, tournament, f"{heads}\n{lines}\n")

    def act_and_way_back(self) -> tuple[Act, Callable[[], object]] | None:
        """Return an act on one entry or match, and its way back."""
        entry = self.entries().get(pk=self.chance.choice([one.pk for one in self.entries()]))
        away = entry.absences.filter(until_round__isnull=True).first()
        may = verbs(entry_facts(entry, away), ORGANISER)
        acts: list[tuple[Act, Callable[[], object]]] = []

        def now() -> Entry:
            return self.entries().get(pk=entry.pk)

        if may["withdraw"]:
            act = Act("withdraw", lambda: absences.withdraw(self.actor, entry))
            acts.append((act, lambda: absences.readmit(self.actor, now())))
        if may["expel"]:
            act = Act("expel", lambda: absences.expel(self.actor, entry, "noise"))
            acts.append((act, lambda: absences.revoke_expulsion(self.actor, now(), "a slip")))
        playable = self.matches(state="pending", round__state="published")
        if keys := list(playable.values_list("pk", flat=True)):
            match = self.match(self.chance.choice(keys))
            if verbs(match_facts(match), ORGANISER)["postpone"]:
                act = Act("postpone", lambda: matches_services.postpone(self.actor, match, None))
                acts.append((act, lambda: matches_services.resume(self.actor, match)))
        return self.chance.choice(acts) if acts else None

    # --- ends -------------------------------------------------------------------------------------

    def assert_can_be_finished(self) -> None:
        """Bring the event to its end without disturbing it, and go back to this state."""
        chance, left, done = self.chance.getstate(), self.left, copy(self.done)
        with transaction.atomic():
            self.left = 0
            self.finish_now()
            transaction.set_rollback(True)
        self.chance.setstate(chance)
        self.left, self.done = left, done
        self.tournament.refresh_from_db()
        cache.clear()  # by versions of the tournament, which come again

    def finish_now(self) -> None:
        """Play the event to its end."""
        for _ in range(MAX_STEPS):
            if self.is_over:
                return
            self.step()
        raise AssertionError("the event does not end")
