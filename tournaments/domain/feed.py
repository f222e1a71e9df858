"""Maps the verbs of the audit log to the public event types of a tournament's live feed.

The history of a club names people, reasons and refused records; the feed does not. It says that
something changed, and where to read it. Types are stable: programs match on them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

TYPES: Final[Mapping[str, str]] = {
    "tournament.changed": "The tournament: drawn, gone back, its check-in, schedule, announcement.",
    "tournament.finished": "The tournament is over.",
    "entry.changed": "Who plays, or who is there: entries, withdrawals, check-in, substitutes.",
    "round.published": "A round can be seen, and records are taken for it.",
    "round.changed": "The bots of a round were asked to play, paused, or play on.",
    "round.closed": "A round is over.",
    "clock.changed": "The clock of a round was started, stopped, or goes on.",
    "match.changed": "The state of a match: postponed, disputed, left to the arbiter.",
    "match.ruled": "The arbiter has ruled on a dispute about a match.",
    "result.reported": "A result of a match was reported, and does not count yet.",
    "result.accepted": "A result of a match counts.",
    "result.corrected": "The arbiter has given a match another result.",
    "standings.changed": "The table, by something else than a result: penalties, lots.",
}
"""The public types, and the meaning of each."""

PUBLIC: Final[Mapping[str, str]] = {
    "tournament.created": "tournament.changed",
    "tournament.drawn": "tournament.changed",
    "stage.drawn_again": "tournament.changed",
    "stage.seeding_set": "tournament.changed",
    "tournament.imported": "tournament.changed",
    "tournament.restored": "tournament.changed",
    "tournament.changed": "tournament.changed",
    "tournament.plan_set": "tournament.changed",
    "tournament.announced": "tournament.changed",
    "tournament.posted": "tournament.changed",
    "tournament.unposted": "tournament.changed",
    "tournament.cancelled": "tournament.changed",
    "sign_up.set": "tournament.changed",
    "sign_up.requested": "tournament.changed",
    "sign_up.changed": "tournament.changed",
    "sign_up.joined": "tournament.changed",
    "sign_up.left": "tournament.changed",
    "sign_up.closed": "tournament.changed",
    "sign_up.sources_set": "tournament.changed",
    "tournament.leads_on": "tournament.changed",
    "sign_up.source_removed": "tournament.changed",
    "sign_up.through_noted": "tournament.changed",
    "sign_up.places_noted": "tournament.changed",
    "sign_up.passed_over": "tournament.changed",
    "sign_up.invited": "tournament.changed",
    "sign_up.reopened": "tournament.changed",
    "prizes.set": "tournament.changed",
    "days.planned": "tournament.changed",
    "day.added": "tournament.changed",
    "day.changed": "tournament.changed",
    "day.removed": "tournament.changed",
    "schedule.set": "tournament.changed",
    "check_in.closed": "tournament.changed",
    "check_in.opened": "tournament.changed",
    "check_in.all_came": "tournament.changed",
    "act.taken_back": "tournament.changed",
    "tournament.finished": "tournament.finished",
    "entries.added": "entry.changed",
    "entry.described": "entry.changed",
    "entry.renamed": "entry.changed",
    "entry.removed": "entry.changed",
    "entry.late": "entry.changed",
    "entry.seated": "entry.changed",
    "entry.checked_in": "entry.changed",
    "entry.check_in_undone": "entry.changed",
    "entry.withdrawn": "entry.changed",
    "entry.expelled": "entry.changed",
    "entry.expulsion_revoked": "entry.changed",
    "entry.came_back": "entry.changed",
    "substitute.comes": "entry.changed",
    "substitute.leaves": "entry.changed",
    "rounds.replanned": "tournament.changed",
    "round.published": "round.published",
    "round.closed": "round.closed",
    "round.play_requested": "round.changed",
    "round.paused": "round.changed",
    "round.resumed": "round.changed",
    "clock.started": "clock.changed",
    "clock.stopped": "clock.changed",
    "clock.resumed": "clock.changed",
    "match.postponed": "match.changed",
    "match.resumed": "match.changed",
    "match.day_proposed": "match.changed",
    "match.day_declined": "match.changed",
    "match.abandoned": "match.changed",
    "dispute.opened": "match.changed",
    "dispute.taken_up": "match.changed",
    "dispute.ruled": "match.ruled",
    "record.reported": "result.reported",
    "result.reported": "result.reported",
    "record.accepted": "result.accepted",
    "result.confirmed": "result.accepted",
    "match.forfeited": "result.accepted",
    "match.decided": "result.accepted",
    "result.corrected": "result.corrected",
    "penalty.given": "standings.changed",
    "penalty.revoked": "standings.changed",
    "lots.drawn": "standings.changed",
}
"""The public type of every verb of the history that everybody hears of."""

PRIVATE: Final = frozenset(
    {
        # its entries have an event of their own
        "list.entered",
        # drafts, and runs of a schedule: publishing and closing have events of their own
        "draft.drawn_again",
        "draft.outdated",
        "draft.paired",
        "draft.parted",
        "draft.pinned",
        "draft.rested",
        "draft.swapped",
        "draft.thrown_away",
        "draft.unpinned",
        "round.drawn",
        "schedule.ran",
        "schedule.refused",
        "tournament.discarded",
        "tournament.shown",  # to whom, and what nobody had seen
        # what was said and does not stand, and why
        "record.contested",
        "record.refused",
        "record.unkept",
        "record.unmatched",
        "record.unreadable",
        "result.contested",
        # the organiser's own business with people who signed up
        "money.paid",
        "money.refunded",
        "money.reversed",
        "money.waived",
        "sign_up.code_renewed",
        "sign_up.erased",
        "sign_up.link_made",
        "sign_up.link_revoked",
        "sign_up.contacts_kept",
        "sign_up.told",
        # what was handed out, and to whom
        "prize.handed_out",
        "prize.taken_back",
        # wishes, and what the arbiter looks at
        "bye.cancelled",
        "bye.requested",
        "play.reviewed",
        # bots: the outcome of their matches appears as results
        "arena.paused",
        "arena.resumed",
        "bot.benched",
        "bot.check_requested",
        "bot.forfeited",
        "bot.put_back",
        "bot.registered",
        "bot.retired",
        "bot.version_brought",
        "bot.version_checked",
        "bot.versions_compared",
        # the club, which has no feed
        "account.erased",
        "audit.baseline",
        "audit.redacted",
        "audit.stated",
        "club.created",
        "club.described",
        "club.picture_removed",
        "club.picture_set",
        "club.people_in_search_set",
        "club.renamed",
        "invitation.accepted",
        "invitation.made",
        "invitation.revoked",
        "member.added",
        "member.address_confirmed",
        "member.password_changed",
        "member.recovery_code_used",
        "member.recovery_codes_made",
        "member.removed",
        "member.second_factor_removed",
        "member.second_factor_set",
        "pair.merged",
        "pair.renamed",
        "pair.separated",
        "pairs.imported",
        "player.erased",
        "player.linked",
        "player.merged",
        "player.renamed",
        "player.separated",
        "player.split",
        "players.imported",
        "season.closed",
        "season.created",
        "season.prizes_set",
        "season.rules_set",
        "season.tournament_added",
        "season.tournament_removed",
        "token.issued",
        "token.revoked",
        "tournament.signed",
        "webhook.added",
        "webhook.disabled",
        "webhook.paused",
        "webhook.removed",
        "webhook.resumed",
        "webhook.secret_changed",
    }
)
"""Verbs of the history that only members read."""

STANDINGS: Final = frozenset(
    {
        "entry.changed",
        "match.changed",
        "match.ruled",
        "result.accepted",
        "result.corrected",
        "round.closed",
        "standings.changed",
        "tournament.changed",
        "tournament.finished",
    }
)
"""Types after which the table may be another."""


@dataclass(frozen=True, slots=True)
class PublicEvent:
    """Something that everybody who sees the tournament may know to have happened.

    ``sequence`` is its number in the club's history, which is never shown as it is. ``kind`` is
    ``tournament``, ``round``, ``entry`` or ``match``; ``id`` the number of a round or an entry, the
    key of a match, and nothing for the tournament itself. ``standings``: the table may be another.
    """

    sequence: int
    type: str
    at: datetime
    kind: str
    id: int | None
    standings: bool


def public_type(verb: str, facts: Mapping[str, Any]) -> str | None:
    """Return the public type of an act; nothing for what only members hear of.

    >>> public_type("round.published", {}), public_type("record.refused", {})
    ('round.published', None)
    >>> public_type("result.reported", {"counts": True})
    'result.accepted'
    """
    kind = PUBLIC.get(verb)
    if kind == "result.reported" and facts.get("counts"):
        return "result.accepted"
    return kind
