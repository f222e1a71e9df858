"""Why a verb of a match is closed, by its facts; one function a verb."""

from tournaments.domain.state.facts import (
    ACCEPTED,
    BYE,
    CLOSED,
    DISPUTED,
    DRAFT,
    INTERIM,
    PENDING,
    POSTPONED,
    PUBLISHED,
    REPORTED,
    RUNNING,
    UNDER_REVIEW,
    ClosedReason,
    MatchFacts,
    Role,
)


def submit(facts: MatchFacts) -> ClosedReason | None:
    """Open while the round is played, and afterwards as long as the match lacks its result.

    It lacks it when it was postponed, or its result was voided. What contradicts a result that
    counts is taken too: it opens a dispute. What the arbiter gave takes no records.
    """
    if facts.state == BYE:
        return ClosedReason("nothing_to_play")
    is_late = facts.round_state == CLOSED and facts.state != ACCEPTED
    if facts.tournament == RUNNING and (facts.round_state == PUBLISHED or is_late):
        return ClosedReason("settled") if facts.settled else None
    return ClosedReason("round_closed", {"round": facts.round})


def report(facts: MatchFacts) -> ClosedReason | None:
    """Open as long as the match waits for a score, or for the confirmation of one."""
    if (reason := submit(facts)) is not None:
        return reason
    if facts.state == DISPUTED:
        return ClosedReason("already_disputed")
    return ClosedReason("has_result") if facts.state == ACCEPTED else None


def closed_for_bots(facts: MatchFacts, _: Role) -> ClosedReason | None:
    """People do not submit for bots."""
    return ClosedReason("played_by_bots") if facts.of_bots else None


def closed_to_records(facts: MatchFacts, role: Role) -> ClosedReason | None:
    """People do not submit for bots, nor records where results are typed."""
    return closed_for_bots(facts, role) or (
        ClosedReason("typed_only") if facts.typed_only else None
    )


def confirm(facts: MatchFacts) -> ClosedReason | None:
    """Return why nothing can be confirmed."""
    if facts.state == DISPUTED:
        return ClosedReason("already_disputed")
    return None if facts.state == REPORTED else ClosedReason("nothing_to_confirm")


def own_report(facts: MatchFacts, role: Role) -> ClosedReason | None:
    """Return why a side cannot confirm: the report is its own."""
    return ClosedReason("own_report") if role.side and role.side == facts.reported_for else None


def dispute(facts: MatchFacts) -> ClosedReason | None:
    """Return why the result cannot be disputed."""
    if facts.tournament != RUNNING:
        return ClosedReason("not_running")
    if facts.state == DISPUTED or facts.dispute == INTERIM:
        return ClosedReason("already_disputed")
    has_result = facts.state in {ACCEPTED, REPORTED}
    return None if has_result or facts.in_play else ClosedReason("nothing_to_dispute")


def rule(facts: MatchFacts) -> ClosedReason | None:
    """Open until the last ruling: also when the result counts for now."""
    return None if facts.dispute else ClosedReason("already_ruled")


def rule_interim(facts: MatchFacts) -> ClosedReason | None:
    """A result is there that can count until the last ruling."""
    if facts.dispute in {"", INTERIM}:
        return ClosedReason("already_ruled")
    return None if facts.has_result else ClosedReason("nothing_to_dispute")


def take_up(facts: MatchFacts) -> ClosedReason | None:
    """Return why the dispute cannot be taken up."""
    if facts.dispute in {"", INTERIM}:
        return ClosedReason("already_ruled")
    if facts.dispute == UNDER_REVIEW:
        return ClosedReason("already_taken_up", {"text": facts.reviewed_by})
    return None


def correct(facts: MatchFacts) -> ClosedReason | None:
    """Return why the result cannot be corrected."""
    if facts.state == BYE:
        return ClosedReason("nothing_to_play")
    if facts.state == DISPUTED:
        return ClosedReason("already_disputed")
    if facts.round_state == DRAFT:
        return ClosedReason("round_not_open", {"round": facts.round})
    return None


def decide(facts: MatchFacts) -> ClosedReason | None:
    """Return why the winner cannot be decided."""
    can = facts.in_brackets and facts.state == ACCEPTED and facts.is_level
    return None if can else ClosedReason("not_level")


def forfeit(facts: MatchFacts) -> ClosedReason | None:
    """Return why the match cannot be forfeited."""
    return correct(facts) or (ClosedReason("bots_are_there") if facts.of_bots else None)


def no_show(facts: MatchFacts) -> ClosedReason | None:
    """Return why an absent side does not forfeit yet."""
    if (reason := correct(facts)) is not None:
        return reason
    if facts.round_state != PUBLISHED:
        return ClosedReason("round_not_open", {"round": facts.round})
    if facts.state != PENDING:
        return ClosedReason("has_result")
    if facts.of_bots:
        return ClosedReason("bots_are_there")
    return None if facts.waited else ClosedReason("no_show_too_early", {"minutes": facts.wait})


def seat_late(facts: MatchFacts) -> ClosedReason | None:
    """Open at a table of a round that waits for its players, where it is not planned who meets."""
    if facts.tournament != RUNNING:
        return ClosedReason("not_running")
    if (reason := correct(facts)) is not None:
        return reason
    if facts.round_state != PUBLISHED:
        return ClosedReason("round_not_open", {"round": facts.round})
    if facts.state != PENDING or facts.in_play:
        return ClosedReason("has_result")
    if facts.of_bots:
        return ClosedReason("bots_are_there")
    return ClosedReason("no_late_entry") if facts.planned else None


def postpone(facts: MatchFacts) -> ClosedReason | None:
    """Return why the match cannot be postponed."""
    if (reason := correct(facts)) is not None:
        return reason
    if facts.tournament != RUNNING:
        return ClosedReason("not_running")
    return None if facts.state in {PENDING, POSTPONED} else ClosedReason("has_result")


def resume(facts: MatchFacts) -> ClosedReason | None:
    """Return why the match cannot be resumed."""
    if facts.state != POSTPONED:
        return ClosedReason("not_postponed")
    is_open = facts.tournament == RUNNING and facts.round_state == PUBLISHED
    return None if is_open else ClosedReason("round_closed", {"round": facts.round})


def propose_day(facts: MatchFacts) -> ClosedReason | None:
    """Open while the match can be postponed, where its two sides may agree another day."""
    if (reason := postpone(facts)) is not None:
        return reason
    return None if facts.sides_agree_days else ClosedReason("day_is_set")


def decline_day(facts: MatchFacts) -> ClosedReason | None:
    """Open while a day is proposed: to the other side, and to the one that takes it back."""
    if (reason := propose_day(facts)) is not None:
        return reason
    return None if facts.day_proposed_by else ClosedReason("no_day_proposed")


def own_proposal(facts: MatchFacts, role: Role) -> ClosedReason | None:
    """Return why a side cannot agree: the proposal is its own."""
    return ClosedReason("own_proposal") if role.side == facts.day_proposed_by else None
