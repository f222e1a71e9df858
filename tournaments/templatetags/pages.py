"""``{% load pages %}``: small questions that pages ask of plain values."""

import re
from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.translation import gettext, gettext_lazy

register = template.Library()


@register.filter
def at(mapping: Mapping[str, Any] | None, key: str | None) -> Any:
    """``{{ names|at:seat }}``: what stands under a key, or nothing."""
    return mapping.get(key) if mapping and key is not None else None


@register.filter
def signed(number: int) -> str:
    """``3`` → "+3", ``-3`` → "−3", with the sign that stands as wide as a digit."""
    return f"{number:+d}".replace("-", "−") if number else "0"


VERBS = {
    "tournament.created": gettext_lazy("Tournament created"),
    "tournament.drawn": gettext_lazy("Rounds drawn"),
    "tournament.finished": gettext_lazy("Tournament finished"),
    "entries.added": gettext_lazy("Entries added"),
    "round.published": gettext_lazy("Round published"),
    "round.play_requested": gettext_lazy("Bots asked to play"),
    "round.closed": gettext_lazy("Round closed"),
    "result.reported": gettext_lazy("Result reported"),
    "result.confirmed": gettext_lazy("Result confirmed"),
    "result.contested": gettext_lazy("Another result reported"),
    "match.forfeited": gettext_lazy("Match forfeited"),
    "match.postponed": gettext_lazy("Match postponed"),
    "match.resumed": gettext_lazy("Match no longer postponed"),
    "match.decided": gettext_lazy("Level match decided"),
    "record.reported": gettext_lazy("Record reported"),
    "record.accepted": gettext_lazy("Record accepted"),
    "record.refused": gettext_lazy("Record refused"),
    "record.contested": gettext_lazy("Record contradicts the accepted one"),
    "record.unreadable": gettext_lazy("Unreadable record handed in"),
    "record.unmatched": gettext_lazy("Record of no match handed in"),
    "match.abandoned": gettext_lazy("Match left to the arbiter"),
    "dispute.opened": gettext_lazy("Dispute opened"),
    "dispute.taken_up": gettext_lazy("Dispute taken up"),
    "dispute.ruled": gettext_lazy("Dispute ruled"),
    "result.corrected": gettext_lazy("Result corrected"),
    "tournament.imported": gettext_lazy("Tournament brought in"),
    "tournament.restored": gettext_lazy("Gone back to an earlier state"),
    "entry.described": gettext_lazy("Entry described"),
    "entry.removed": gettext_lazy("Entry taken off the list"),
    "entry.late": gettext_lazy("Late entry"),
    "entry.checked_in": gettext_lazy("Checked in"),
    "entry.check_in_undone": gettext_lazy("Check-in taken back"),
    "entry.withdrawn": gettext_lazy("Withdrawn"),
    "entry.expelled": gettext_lazy("Expelled"),
    "entry.came_back": gettext_lazy("Came back"),
    "check_in.closed": gettext_lazy("Check-in closed"),
    "check_in.opened": gettext_lazy("Check-in opened"),
    "bye.requested": gettext_lazy("Bye asked for"),
    "bye.cancelled": gettext_lazy("Bye taken back"),
    "substitute.comes": gettext_lazy("Substitute put in"),
    "substitute.leaves": gettext_lazy("Substitution ended"),
    "penalty.given": gettext_lazy("Penalty given"),
    "penalty.revoked": gettext_lazy("Penalty taken back"),
    "clock.started": gettext_lazy("Clock started"),
    "clock.stopped": gettext_lazy("Clock stopped"),
    "clock.resumed": gettext_lazy("Clock goes on"),
    "lots.drawn": gettext_lazy("Lots drawn"),
    "round.drawn": gettext_lazy("Round drawn"),
    "draft.swapped": gettext_lazy("Places swapped in a draft"),
    "draft.pinned": gettext_lazy("Table pinned"),
    "draft.unpinned": gettext_lazy("Table unpinned"),
    "draft.parted": gettext_lazy("Table taken apart"),
    "draft.paired": gettext_lazy("Table made by hand"),
    "draft.rested": gettext_lazy("Bye given by hand"),
    "draft.drawn_again": gettext_lazy("Draft drawn again"),
    "draft.thrown_away": gettext_lazy("Draft thrown away"),
    "season.created": gettext_lazy("Season opened"),
    "season.closed": gettext_lazy("Season closed"),
    "season.tournament_added": gettext_lazy("Tournament added to a season"),
    "season.tournament_removed": gettext_lazy("Tournament taken out of a season"),
}


DEPTHS = {
    "record": gettext_lazy("Record replayed card by card"),
    "hands": gettext_lazy("Points of each hand"),
    "score": gettext_lazy("Score alone"),
    "ruling": gettext_lazy("Given by the arbiter"),
    "forfeit": gettext_lazy("Not played"),
}
BY_CODE = re.compile(r"entry (\d+) · (.+)", re.DOTALL)
"""How an entry is written down that speaks by its code (`Actor.label`)."""


GROUPS = {
    "": gettext_lazy("All"),
    "waiting": gettext_lazy("Waiting"),
    "reported": gettext_lazy("To be confirmed"),
    "disputed": gettext_lazy("In dispute"),
    "postponed": gettext_lazy("Postponed"),
    "done": gettext_lazy("Done"),
}


@register.filter
def group_name(group: str) -> str:
    """``"done"`` → "Done": how far a table of the desk is."""
    return str(GROUPS[group])


@register.filter
def depth_name(depth: str) -> str:
    """``"hands"`` → "Points of each hand": what a result rests on."""
    return str(DEPTHS[depth])


@register.filter
def person(label: str) -> str:
    """Name who did something: an account, the service itself, an entry by its code."""
    if label == "system":
        return gettext("the service")
    found = BY_CODE.fullmatch(label)
    return gettext("%(name)s, by code") % {"name": found[2]} if found else label


@register.filter
def verb_name(verb: str) -> str:
    """``"round.closed"`` → "Round closed"; a verb without words stays as it is."""
    return str(VERBS.get(verb, verb))
