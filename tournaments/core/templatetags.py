"""``{% load ui %}``, ``{% load pages %}``: cards, states, icons; names of verbs and groups.

Tags and filters are in the page's language. Those of ``ui`` take plain values (``"1o"``, ``"A"``,
``"running"``), never a row of the database.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from django import template
from django.template import Context
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

import engine
from tournaments.core.errors import sentence_of
from tournaments.core.fault_sentences import fault_sentence
from tournaments.domain.names import ruleset_name
from tournaments.models import Tournament

if TYPE_CHECKING:
    from tournaments.exchange.queries.trails import HistoryEvent

register = template.Library()

# --- Cards, states, icons -------------------------------------------------------------------------


RANKS = {
    "1": gettext_lazy("Ace"),
    "2": gettext_lazy("Two"),
    "3": gettext_lazy("Three"),
    "4": gettext_lazy("Four"),
    "5": gettext_lazy("Five"),
    "6": gettext_lazy("Six"),
    "7": gettext_lazy("Seven"),
    "S": gettext_lazy("Jack"),
    "C": gettext_lazy("Knight"),
    "R": gettext_lazy("King"),
}
CARDS = {
    "o": gettext_lazy("%(rank)s of coins"),
    "c": gettext_lazy("%(rank)s of cups"),
    "e": gettext_lazy("%(rank)s of swords"),
    "b": gettext_lazy("%(rank)s of clubs"),
}
SUITS = {
    "o": pgettext_lazy("suit", "coins"),
    "c": pgettext_lazy("suit", "cups"),
    "e": pgettext_lazy("suit", "swords"),
    "b": pgettext_lazy("suit", "clubs"),
}
# The view box of a suit's pip in the sprite.
SUIT_BOXES = {
    "o": "-31 -31 62 62",
    "c": "-29 -36 58 72",
    "e": "-21 -62 42 124",
    "b": "-24 -62 48 124",
}
CALLS = {
    "40": gettext_lazy("the forty"),
    "20o": gettext_lazy("the twenty in coins"),
    "20c": gettext_lazy("the twenty in cups"),
    "20e": gettext_lazy("the twenty in swords"),
    "20b": gettext_lazy("the twenty in clubs"),
    "tuteR": gettext_lazy("tute of kings"),
    "tuteC": gettext_lazy("tute of knights"),
    "x7": gettext_lazy("the exchange of the seven"),
    "x2": gettext_lazy("the exchange of the two"),
}
# A state of any row: its label, and the badge's kind.
STATES = {
    "draft": (gettext_lazy("Draft"), "idle"),
    "private": (gettext_lazy("Private"), "warn"),
    "waiting": (gettext_lazy("Still to come"), "idle"),
    "running": (gettext_lazy("In play"), "note"),
    "finished": (gettext_lazy("Finished"), "good"),
    "published": (gettext_lazy("Published"), "note"),
    "closed": (gettext_lazy("Closed"), "good"),
    "pending": (gettext_lazy("Pending"), "idle"),
    "reported": (gettext_lazy("To be confirmed"), "warn"),
    "accepted": (gettext_lazy("Accepted"), "good"),
    "postponed": (gettext_lazy("Postponed"), "note"),
    "disputed": (gettext_lazy("Disputed"), "warn"),
    "refused": (gettext_lazy("Refused"), "bad"),
    "contested": (gettext_lazy("Contested"), "warn"),
    "superseded": (gettext_lazy("Superseded"), "idle"),
    "open": (gettext_lazy("Open"), "warn"),
    "review": (gettext_lazy("Taken up"), "note"),
    "interim": (gettext_lazy("Stands for now"), "warn"),
    "upheld": (gettext_lazy("Upheld"), "good"),
    "amended": (gettext_lazy("Amended"), "note"),
    "voided": (gettext_lazy("Voided"), "idle"),
    "bye": (gettext_lazy("Bye"), "idle"),
    "valid": (gettext_lazy("Valid"), "good"),
    "invalid": (gettext_lazy("Not valid"), "bad"),
}
NOTICE_ICONS = {"success": "check", "good": "check", "error": "cross", "bad": "cross"}
# Before a word or sign that joins two people: "Ana y Luis", "Ana / Luis".
PARTNER = re.compile(r" (?=(?:/|&|y|e|and|und) )")


@register.filter
def json_data(value: object) -> SafeString:
    """A value as JSON within a page, where no text of it can end the element."""
    text = json.dumps(value, ensure_ascii=False)
    for letter in "<>&":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return mark_safe(text)  # noqa: S308 - nothing is left that HTML reads  # nosec B308 B703


@register.filter
def card_name(code: str) -> str:
    """``"1o"`` → "Ace of coins"; ``"back"`` → "Face-down card"."""
    if code == "back":
        return _("Face-down card")
    return str(CARDS[code[1]]) % {"rank": RANKS[code[0]]}


@register.filter
def suit_name(code: str) -> str:
    """The suit's name, of a suit ``"o"`` or of a card ``"1o"``."""
    return str(SUITS[code[-1:]])


@register.simple_tag
def fault_at_table(fault: engine.Fault, name: str, words: str) -> str:
    """A fault in the words of a table where it can be said so, else ``words``."""
    return fault_sentence(fault, name, CARDS, suit_name) or words


@register.filter
def call_name(token: str) -> str:
    """The name of a declaration: ``"B:20o"`` or ``"20o"`` → "the twenty in coins"."""
    call = token.rpartition(":")[2]
    return str(CALLS.get(call, call))


@register.filter
def call_short(token: str) -> str:
    """The short name of a declaration: ``"B:20o"`` → "20 coins", ``"A:40"`` → "40"."""
    call = token.rpartition(":")[2]
    return f"20 {suit_name(call)}" if call.startswith("20") else call.removesuffix("R")


@register.filter
def seat_label(seat: str) -> str:
    """``"A"`` → "Seat A"."""
    return _("Seat %(letter)s") % {"letter": seat}


@register.filter
def printable(text: str) -> str:
    """A text as it was sent, its control characters escaped but for tabs and ends of lines."""
    return engine.escape_controls(text.replace("\r\n", "\n"), keep="\n\t")


@register.filter
def unbroken(name: str) -> SafeString:
    """A name of several people in parts that are not broken where a line holds a whole one."""
    parts = re.split(PARTNER, name)
    return format_html_join(" ", '<span class="part">{}</span>', ((part,) for part in parts))


@register.filter
def stacked(name: str) -> SafeString:
    """A name of two people as two lines, without the sign that joins them; another as it is."""
    people = (part.removeprefix("/ ").removeprefix("& ") for part in re.split(PARTNER, name))
    return format_html_join("", '<span class="part">{}</span>', ((person,) for person in people))


@register.simple_tag
def form_key() -> SafeString:
    """A random key for a form, so that the form is carried out once when it is sent twice.

    See `core.views.refusals_as_pages`. Not for records and forms sent by a script, which have keys
    of their own, nor for passwords.
    """
    return format_html('<input type="hidden" name="form_key" value="{}">', secrets.token_urlsafe())


@register.simple_tag(takes_context=True)
def keep_back(context: Context) -> str:
    """The query that a page opened from the control room passes on, to return there; else empty.

    See `core.views.page_after`.
    """
    return "?back=control" if context["request"].GET.get("back") == "control" else ""


def sprite() -> str:
    """The address of the drawn deck."""
    return static("cards/deck.svg")


@register.simple_tag
def card(
    code: str, state: str = "", legal: Sequence[str] = (), bad: str | None = None
) -> SafeString:
    """A drawn card. ``state``: "", ``legal``, ``muted``, ``bad`` or ``won``.

    Instead of a state, ``legal`` (the cards that may be played) and ``bad`` (the card that was
    played against the rules) determine the mark; with neither it is not marked. Built here and not
    in a template, because a hand has eighty of them.
    """
    if not state:
        state = _marked(code, legal, bad)
    remark = {"bad": _("against the rules"), "legal": _("may be played")}.get(state, "")
    return format_html(
        '\n<span class="playing-card{}" data-card="{}"><svg viewBox="0 0 200 308" role="img" '
        'aria-label="{}{}"><use href="{}#card-{}"/></svg></span>\n',
        f" playing-card--{state}" if state else "",
        code,
        card_name(code),
        f" ({remark})" if remark else "",
        sprite(),
        code,
    )


def _marked(code: str, legal: Sequence[str], bad: str | None) -> str:
    if bad and code == bad:
        return "bad"
    if not legal:
        return ""
    return "legal" if code in legal else "muted"


@register.simple_tag
def suit(code: str) -> SafeString:
    """A suit's pip with its name, of a suit ``"e"`` or of a card ``"7e"``."""
    letter = code[-1:]
    return format_html(
        '<svg class="suit" viewBox="{}" role="img" aria-label="{}"><use href="{}#pip-{}"/></svg>',
        SUIT_BOXES[letter],
        suit_name(letter),
        sprite(),
        letter,
    )


@register.simple_tag
def icon(name: str) -> SafeString:
    """A line drawing from ``icons.svg``, hidden from screen readers.

    The text beside it names it.
    """
    return format_html(
        '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><use href="{}#{}"/></svg>',
        static("icons.svg"),
        name,
    )


@register.simple_tag
def notice_icon(level: str) -> SafeString:
    """The icon that goes with a message's level: ``success``, ``warning``, ``error``, ``info``."""
    fallback = "alert" if level in {"warning", "warn"} else "note"
    return icon(NOTICE_ICONS.get(level, fallback))


@register.inclusion_tag("ui/badge.html")
def state_badge(state: str) -> dict[str, str]:
    """The badge of a state; raises ``KeyError`` for an unknown state."""
    text, kind = STATES[state]
    return {"text": str(text), "kind": kind}


# --- Pages ----------------------------------------------------------------------------------------
# Filters that many pages use.


register.filter(ruleset_name)


@register.filter
def at(mapping: Mapping[Any, Any] | None, key: str | int | None) -> Any:
    """``{{ names|at:seat }}``: the value under a key, or nothing."""
    return mapping.get(key) if mapping and key is not None else None


@register.filter
def signed(number: int) -> str:
    """``3`` → "+3", ``-3`` → "−3", with the minus sign that is as wide as a digit."""
    return f"{number:+d}".replace("-", "−") if number else "0"


EVENT_NAMES = {
    "audit.baseline": gettext_lazy("Rows stated for the audit"),
    "audit.stated": gettext_lazy("Money and sign-ups stated for the audit"),
    "audit.redacted": gettext_lazy("Texts redacted from the history"),
    "tournament.created": gettext_lazy("Tournament created"),
    "tournament.drawn": gettext_lazy("Rounds drawn"),
    "tournament.finished": gettext_lazy("Tournament finished"),
    "tournament.signed": gettext_lazy("State of the tournament signed"),
    "tournament.shown": gettext_lazy("Visibility changed"),
    "tournament.changed": gettext_lazy("Settings changed"),
    "tournament.plan_set": gettext_lazy("Plan changed"),
    "tournament.announced": gettext_lazy("Announced to the hall"),
    "tournament.discarded": gettext_lazy("Draft discarded"),
    "tournament.posted": gettext_lazy("Poster shown to everybody"),
    "tournament.unposted": gettext_lazy("Poster taken down"),
    "tournament.cancelled": gettext_lazy("Tournament cancelled"),
    "sign_up.set": gettext_lazy("Sign-up set"),
    "sign_up.requested": gettext_lazy("Signed up"),
    "sign_up.changed": gettext_lazy("Sign-up corrected"),
    "sign_up.joined": gettext_lazy("Partners joined"),
    "sign_up.left": gettext_lazy("Off the list of sign-ups"),
    "sign_up.told": gettext_lazy("Told where they stand"),
    "sign_up.code_renewed": gettext_lazy("Code renewed"),
    "sign_up.erased": gettext_lazy("Sign-up erased"),
    "sign_up.link_made": gettext_lazy("Sign-up link made"),
    "sign_up.link_revoked": gettext_lazy("Sign-up link revoked"),
    "sign_up.closed": gettext_lazy("Sign-up closed, list entered"),
    "sign_up.reopened": gettext_lazy("Sign-up opened again"),
    "tournament.leads_on": gettext_lazy("Leads to a final"),
    "sign_up.sources_set": gettext_lazy("Sources of a final set"),
    "sign_up.source_removed": gettext_lazy("Source of a final removed"),
    "sign_up.through_noted": gettext_lazy("Those who are through noted"),
    "sign_up.places_noted": gettext_lazy("Stated places noted"),
    "sign_up.passed_over": gettext_lazy("Place in a final passed on"),
    "sign_up.invited": gettext_lazy("Invited to a final"),
    "sign_up.contacts_kept": gettext_lazy("Contacts kept longer"),
    "days.planned": gettext_lazy("Days planned"),
    "day.added": gettext_lazy("Day added"),
    "day.changed": gettext_lazy("Day changed"),
    "day.removed": gettext_lazy("Day removed"),
    "prizes.set": gettext_lazy("Prizes set"),
    "prize.handed_out": gettext_lazy("Prize handed out"),
    "prize.taken_back": gettext_lazy("Prize taken back"),
    "money.paid": gettext_lazy("Payment noted"),
    "money.refunded": gettext_lazy("Money returned"),
    "money.waived": gettext_lazy("Fee waived"),
    "money.reversed": gettext_lazy("Line of the cash book reversed"),
    "entries.added": gettext_lazy("Entries added"),
    "round.published": gettext_lazy("Round published"),
    "rounds.replanned": gettext_lazy("Rounds planned again"),
    "round.play_requested": gettext_lazy("Bots asked to play"),
    "round.paused": gettext_lazy("Bots of the round paused"),
    "round.resumed": gettext_lazy("Bots of the round resumed"),
    "schedule.set": gettext_lazy("Schedule set"),
    "schedule.ran": gettext_lazy("Round begun by the schedule"),
    "schedule.refused": gettext_lazy("Schedule could begin no round"),
    "arena.paused": gettext_lazy("All bots paused"),
    "arena.resumed": gettext_lazy("All bots resumed"),
    "round.closed": gettext_lazy("Round closed"),
    "result.reported": gettext_lazy("Result reported"),
    "result.confirmed": gettext_lazy("Result confirmed"),
    "result.contested": gettext_lazy("Another result reported"),
    "match.forfeited": gettext_lazy("Match forfeited"),
    "match.postponed": gettext_lazy("Match postponed"),
    "match.day_proposed": gettext_lazy("Another day proposed"),
    "match.day_declined": gettext_lazy("Proposed day declined"),
    "match.resumed": gettext_lazy("Match no longer postponed"),
    "match.decided": gettext_lazy("Level match decided"),
    "record.reported": gettext_lazy("Record reported"),
    "record.accepted": gettext_lazy("Record accepted"),
    "record.refused": gettext_lazy("Record refused"),
    "record.contested": gettext_lazy("Record contradicts the accepted one"),
    "record.unreadable": gettext_lazy("Unreadable record handed in"),
    "record.unkept": gettext_lazy("Record refused and not kept"),
    "record.unmatched": gettext_lazy("Record of no match handed in"),
    "match.abandoned": gettext_lazy("Match left to the arbiter"),
    "dispute.opened": gettext_lazy("Dispute opened"),
    "dispute.taken_up": gettext_lazy("Dispute taken up"),
    "dispute.ruled": gettext_lazy("Dispute ruled"),
    "result.corrected": gettext_lazy("Result corrected"),
    "tournament.imported": gettext_lazy("Tournament imported"),
    "tournament.restored": gettext_lazy("Gone back to before a step"),
    "entry.described": gettext_lazy("Entry described"),
    "entry.renamed": gettext_lazy("Name of an entry corrected"),
    "entry.removed": gettext_lazy("Entry removed"),
    "entry.seated": gettext_lazy("Seated in the place of an absent entry"),
    "entry.late": gettext_lazy("Late entry"),
    "entry.checked_in": gettext_lazy("Checked in"),
    "entry.check_in_undone": gettext_lazy("Check-in undone"),
    "entry.withdrawn": gettext_lazy("Withdrawn"),
    "entry.expelled": gettext_lazy("Expelled"),
    "entry.expulsion_revoked": gettext_lazy("Expulsion revoked"),
    "entry.came_back": gettext_lazy("Came back"),
    "check_in.closed": gettext_lazy("Check-in closed"),
    "check_in.all_came": gettext_lazy("All checked in"),
    "list.entered": gettext_lazy("List entered"),
    "act.taken_back": gettext_lazy("Taken back for many"),
    "check_in.opened": gettext_lazy("Check-in opened"),
    "bye.requested": gettext_lazy("Bye requested"),
    "bye.cancelled": gettext_lazy("Bye cancelled"),
    "substitute.comes": gettext_lazy("Substitute put in"),
    "substitute.leaves": gettext_lazy("Substitution ended"),
    "penalty.given": gettext_lazy("Penalty given"),
    "penalty.revoked": gettext_lazy("Penalty revoked"),
    "clock.started": gettext_lazy("Clock started"),
    "clock.stopped": gettext_lazy("Clock stopped"),
    "clock.resumed": gettext_lazy("Clock resumed"),
    "stage.drawn_again": gettext_lazy("Stage drawn again"),
    "stage.seeding_set": gettext_lazy("Seeding set"),
    "lots.drawn": gettext_lazy("Lots drawn"),
    "round.drawn": gettext_lazy("Round drawn"),
    "draft.swapped": gettext_lazy("Places swapped in a draft"),
    "draft.pinned": gettext_lazy("Table pinned"),
    "draft.unpinned": gettext_lazy("Table unpinned"),
    "draft.parted": gettext_lazy("Table taken apart"),
    "draft.paired": gettext_lazy("Table made by hand"),
    "draft.rested": gettext_lazy("Bye given by hand"),
    "draft.drawn_again": gettext_lazy("Draft drawn again"),
    "draft.thrown_away": gettext_lazy("Draft discarded"),
    "draft.outdated": gettext_lazy("Draft is outdated"),
    "play.reviewed": gettext_lazy("Play reviewed"),
    "season.created": gettext_lazy("Season opened"),
    "season.closed": gettext_lazy("Season closed"),
    "season.prizes_set": gettext_lazy("Prizes of a season set"),
    "season.rules_set": gettext_lazy("Rules of a season set"),
    "season.tournament_added": gettext_lazy("Tournament added to a season"),
    "season.tournament_removed": gettext_lazy("Tournament removed from a season"),
    "webhook.added": gettext_lazy("Webhook added"),
    "webhook.paused": gettext_lazy("Webhook paused"),
    "webhook.resumed": gettext_lazy("Webhook resumed"),
    "webhook.secret_changed": gettext_lazy("Secret of a webhook changed"),
    "webhook.removed": gettext_lazy("Webhook removed"),
    "webhook.disabled": gettext_lazy("Webhook disabled"),
    "bot.registered": gettext_lazy("Bot registered"),
    "bot.version_brought": gettext_lazy("Version of a bot submitted"),
    "bot.check_requested": gettext_lazy("Check of a bot requested"),
    "bot.version_checked": gettext_lazy("Version of a bot checked"),
    "bot.versions_compared": gettext_lazy("Versions of a bot compared"),
    "bot.forfeited": gettext_lazy("Hand forfeited by a bot"),
    "bot.benched": gettext_lazy("Bot benched"),
    "bot.put_back": gettext_lazy("Bot put back"),
    "bot.retired": gettext_lazy("Bot retired"),
    "club.created": gettext_lazy("Club created"),
    "club.renamed": gettext_lazy("Name of the club corrected"),
    "club.described": gettext_lazy("What the club says of itself changed"),
    "club.picture_set": gettext_lazy("Picture of the club changed"),
    "club.picture_removed": gettext_lazy("Picture of the club removed"),
    "club.people_in_search_set": gettext_lazy("People of the club shown to search engines, or not"),
    "player.renamed": gettext_lazy("Name of a player corrected"),
    "pair.renamed": gettext_lazy("Name of a pair corrected"),
    "member.added": gettext_lazy("Member added"),
    "member.removed": gettext_lazy("Role removed"),
    "member.password_changed": gettext_lazy("Password changed"),
    "member.address_confirmed": gettext_lazy("E-mail address confirmed"),
    "member.second_factor_set": gettext_lazy("Second factor set up"),
    "member.second_factor_removed": gettext_lazy("Second factor removed"),
    "member.recovery_code_used": gettext_lazy("Signed in with a recovery code"),
    "member.recovery_codes_made": gettext_lazy("New recovery codes"),
    "invitation.made": gettext_lazy("Invitation made"),
    "invitation.revoked": gettext_lazy("Invitation revoked"),
    "invitation.accepted": gettext_lazy("Invitation accepted"),
    "player.merged": gettext_lazy("Player merged into another one"),
    "player.separated": gettext_lazy("Merged player separated"),
    "player.split": gettext_lazy("Tournaments of a player given to another person"),
    "pair.merged": gettext_lazy("Pair merged into another one"),
    "pair.separated": gettext_lazy("Merged pair separated"),
    "player.linked": gettext_lazy("Player given an account"),
    "player.erased": gettext_lazy("Player erased"),
    "account.erased": gettext_lazy("Account erased"),
    "players.imported": gettext_lazy("Players imported"),
    "pairs.imported": gettext_lazy("Pairs imported"),
    "token.issued": gettext_lazy("Token issued"),
    "token.revoked": gettext_lazy("Token revoked"),
}


DEPTHS = {
    "record": gettext_lazy("Record replayed card by card"),
    "hands": gettext_lazy("Points of each hand"),
    "score": gettext_lazy("Score alone"),
    "ruling": gettext_lazy("Given by the arbiter"),
    "forfeit": gettext_lazy("Not played"),
}
BY_CODE = re.compile(r"entry (\d+) · (.+)", re.DOTALL)
"""The history's label of an entry that acted by its code (`Actor.label`)."""


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
    """``"done"`` → "Done": the progress group of a table on the desk."""
    return str(GROUPS[group])


@register.filter
def depth_name(depth: str) -> str:
    """``"hands"`` → "Points of each hand": what a result rests on."""
    return str(DEPTHS[depth])


@register.filter
def person(label: str) -> str:
    """Return the shown name of an event's author: an account, the service, an entry by its code."""
    if label == "system":
        return _("the service")
    match = BY_CODE.fullmatch(label)
    return _("%(name)s, by code") % {"name": match[2]} if match else label


@register.filter
def about(row: HistoryEvent) -> str:
    """Describe the subject of an event that concerns no match: the round, the entry, the amount."""
    facts = row.event.facts
    parts = [_("Round %(number)s") % {"number": row.round}] if row.round else []
    parts.append(row.about)
    if names := facts.get("entries"):
        parts.append(str(len(names)) if isinstance(names, list) else str(names))
    if "visibility" in facts:
        parts.append(str(Tournament.Visibility(facts["visibility"]).label))
    if row.event.verb.startswith("substitute.") and "comes" in facts:
        parts.append(f"{facts.get('leaves', '')} → {facts['comes']}")
    return ": ".join(filter(None, parts))


@register.filter
def fault_words(code: str, params: Mapping[str, object] = MappingProxyType({})) -> str:
    """``"play.must_trump"`` → "The seat had to trump and did not.": why a record was refused."""
    return sentence_of(code, params)


@register.filter
def verb_name(verb: str) -> str:
    """``"round.closed"`` → "Round closed"; an unknown verb stays as it is."""
    return str(EVENT_NAMES.get(verb, verb))
