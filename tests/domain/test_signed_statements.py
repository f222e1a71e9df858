"""Which events explain that a tournament is no longer as it was signed."""

from typing import Final

from tournaments.domain.feed import PRIVATE, PUBLIC
from tournaments.domain.signed_proof import CHANGING, may_change_statement

EXPLAIN_NOTHING: Final = frozenset(
    {
        # what is said, shown or timed
        "check_in.all_came",
        "check_in.opened",
        "clock.resumed",
        "clock.started",
        "clock.stopped",
        "entry.check_in_undone",
        "entry.checked_in",
        "schedule.set",
        "tournament.announced",
        "tournament.created",
        "tournament.finished",
        "tournament.imported",
        # the days on which rounds are played
        "day.added",
        "day.changed",
        "day.removed",
        "days.planned",
        # the poster, the prizes and the sign-up, before anything is entered
        "prizes.set",
        "sign_up.changed",
        "sign_up.closed",
        "sign_up.invited",
        "sign_up.joined",
        "sign_up.left",
        "sign_up.passed_over",
        "sign_up.places_noted",
        "sign_up.reopened",
        "sign_up.requested",
        "sign_up.set",
        "sign_up.source_removed",
        "sign_up.sources_set",
        "sign_up.through_noted",
        "tournament.cancelled",
        "tournament.leads_on",
        "tournament.plan_set",
        "tournament.posted",
        "tournament.unposted",
        # rounds: what is signed are those that were closed before
        "round.closed",
        "round.paused",
        "round.play_requested",
        "round.published",
        "round.resumed",
        # matches whose result stays as it is, and who stands in
        "dispute.opened",
        "dispute.taken_up",
        "match.abandoned",
        "match.day_declined",
        "match.day_proposed",
        "match.postponed",
        "match.resumed",
        "record.reported",
        "substitute.comes",
        "substitute.leaves",
    }
)
"""Public verbs after which a signed statement is as it was."""


def test_of_every_verb_it_is_known_whether_it_may_change_what_was_signed() -> None:
    """A new verb belongs to one of both: a legal change would pass for a forgery."""
    assert PUBLIC.keys() | PRIVATE >= CHANGING
    assert PUBLIC.keys() - CHANGING == EXPLAIN_NOTHING


def test_a_draw_explains_the_seeding_of_a_stage_that_begins_and_a_baseline_an_erasure() -> None:
    assert may_change_statement("round.drawn", {"round": 4, "draw": 1})
    assert not may_change_statement("round.drawn", {"round": 4})
    assert may_change_statement("audit.baseline", {"why": "erasure"})
    assert not may_change_statement("audit.baseline", {"why": "release"})


def test_a_new_name_explains_a_difference_and_new_prizes_do_not() -> None:
    assert may_change_statement("tournament.changed", {"after": {"name": "Liga", "place": ""}})
    assert not may_change_statement("tournament.changed", {"after": {"prizes": "Un jamón"}})
