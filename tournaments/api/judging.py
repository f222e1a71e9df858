"""Judging over the API: results corrected, matches forfeited, disputes ruled on, entries out."""

from __future__ import annotations

from datetime import datetime

from django.utils.dateparse import parse_datetime

from tournaments.api.bodies import said
from tournaments.api.organising import acts
from tournaments.api.reports import Body, score_of
from tournaments.api.shapes import directing as shapes
from tournaments.api.shapes.organising import Nothing
from tournaments.domain.moments import in_utc
from tournaments.domain.scores import Score
from tournaments.errors import Reason, Refusal
from tournaments.models import Tournament
from tournaments.permissions import Actor
from tournaments.queries.find import (
    find_dispute,
    find_entry,
    find_match,
    find_players,
    find_tournament,
)
from tournaments.services import absences, attendance, forfeits, matches, penalties, substitutions


@acts(shapes.Correction, name="correct_result")
def correct(actor: Actor, body: Body, pk: int) -> Tournament:
    """Give a match another result, or its first; the old one is kept and counts no more.

    With the `version` that is put right, a result that is another by now stays as it is and is
    answered with `report_changed`.
    """
    match, wanted = find_match(pk, actor), said(shapes.Correction, body)
    reason, version = wanted.pop("reason"), wanted.pop("version", None)
    matches.correct_result(actor, match, score_of(wanted), reason=reason, version=version)
    return find_tournament(match.tournament.slug, actor)


@acts(shapes.MatchForfeit, name="forfeit_match")
def forfeit(actor: Actor, body: Body, pk: int) -> Tournament:
    """Give a match as lost by some of its sides, or by all of them."""
    match, wanted = find_match(pk, actor), said(shapes.MatchForfeit, body)
    forfeits.forfeit(actor, match, wanted["sides"], reason=wanted["reason"])
    return find_tournament(match.tournament.slug, actor)


@acts(shapes.Missing, name="tell_no_show")
def no_show(actor: Actor, body: Body, pk: int) -> Tournament:
    """Give a match as lost by those who have not come in time."""
    match = find_match(pk, actor)
    forfeits.no_show(actor, match, said(shapes.Missing, body)["sides"])
    return find_tournament(match.tournament.slug, actor)


@acts(shapes.Decision, name="decide_match")
def decide(actor: Actor, body: Body, pk: int) -> Tournament:
    """Say who goes on where a match was tied and somebody has to."""
    match, wanted = find_match(pk, actor), said(shapes.Decision, body)
    matches.decide(actor, match, wanted["side"], reason=wanted["reason"])
    return find_tournament(match.tournament.slug, actor)


@acts(shapes.Postponement, name="postpone_match")
def postpone(actor: Actor, body: Body, pk: int) -> Tournament:
    """Put a match off, to a time if that is known."""
    match, wanted = find_match(pk, actor), said(shapes.Postponement, body)
    to, reason = wanted.get("to"), wanted.get("reason", "")
    moment = moment_of(to) if to is not None else None
    matches.postpone(actor, match, moment, reason=reason)
    return find_tournament(match.tournament.slug, actor)


@acts(Nothing, name="resume_match")
def resume(actor: Actor, _body: Body, pk: int) -> Tournament:
    """Take a match up again that was put off."""
    match = find_match(pk, actor)
    matches.resume(actor, match)
    return find_tournament(match.tournament.slug, actor)


@acts(Nothing, name="take_dispute_up")
def take_up(actor: Actor, _body: Body, pk: int) -> Tournament:
    """Say that an arbiter looks into a dispute."""
    dispute = find_dispute(pk, actor)
    matches.take_up(actor, dispute)
    return find_tournament(dispute.match.tournament.slug, actor)


@acts(shapes.Ruling, name="rule_on_dispute")
def rule(actor: Actor, body: Body, pk: int) -> Tournament:
    """Rule on a dispute: let the result count for now, uphold, amend or void it."""
    dispute, wanted = find_dispute(pk, actor), said(shapes.Ruling, body)
    ruling, reason = wanted.pop("ruling"), wanted.pop("reason")
    score: Score | None = score_of(wanted)
    matches.rule_on_dispute(actor, dispute, ruling, reason=reason, score=score)
    return find_tournament(dispute.match.tournament.slug, actor)


@acts(Nothing, name="check_in")
def check_in(actor: Actor, _body: Body, slug: str, number: int) -> Tournament:
    """Say that an entry has come."""
    return attendance.check_in(actor, find_entry(slug, number, actor)).tournament


@acts(Nothing, name="undo_check_in")
def undo_check_in(actor: Actor, _body: Body, slug: str, number: int) -> Tournament:
    """Say that an entry has not come after all."""
    return attendance.undo_check_in(actor, find_entry(slug, number, actor)).tournament


@acts(shapes.Leave, name="withdraw_entry")
def withdraw(actor: Actor, body: Body, slug: str, number: int) -> Tournament:
    """Let an entry leave; it may come back."""
    absences.withdraw(actor, find_entry(slug, number, actor), **said(shapes.Leave, body))
    return find_tournament(slug, actor)


@acts(shapes.Reason, name="expel_entry")
def expel(actor: Actor, body: Body, slug: str, number: int) -> Tournament:
    """Send an entry away for good."""
    absences.expel(actor, find_entry(slug, number, actor), **said(shapes.Reason, body))
    return find_tournament(slug, actor)


@acts(Nothing, name="bring_entry_back")
def bring_back(actor: Actor, _body: Body, slug: str, number: int) -> Tournament:
    """Let an entry that left play again from the next round on."""
    absences.bring_back(actor, find_entry(slug, number, actor))
    return find_tournament(slug, actor)


@acts(shapes.Bye, name="request_bye")
def request_bye(actor: Actor, body: Body, slug: str, number: int) -> Tournament:
    """Ask for a bye of an entry in a round that is not published yet."""
    entry, wanted = find_entry(slug, number, actor), said(shapes.Bye, body)
    absences.request_bye(actor, entry, wanted["round"], wanted["kind"])
    return find_tournament(slug, actor)


@acts(shapes.NewPenalty, name="penalise_entry")
def penalise(actor: Actor, body: Body, slug: str, number: int) -> Tournament:
    """Take match points, hands or points from an entry; negative numbers give."""
    entry, wanted = find_entry(slug, number, actor), said(shapes.NewPenalty, body)
    penalties.penalise(actor, entry, round_number=wanted.pop("round"), **wanted)
    return find_tournament(slug, actor)


@acts(shapes.Substitution, name="substitute_player")
def substitute(actor: Actor, body: Body, slug: str, number: int) -> Tournament:
    """Let somebody play in the place of one of a pair."""
    entry, wanted = find_entry(slug, number, actor), said(shapes.Substitution, body)
    leaves, comes = find_players(slug, [wanted.pop("leaves"), wanted.pop("comes")], actor)
    substitutions.substitute(actor, entry, leaves=leaves, comes=comes, **wanted)
    return find_tournament(slug, actor)


def moment_of(text: str) -> datetime:
    """Return a moment; refuses one without its offset."""
    try:
        moment = parse_datetime(text)
    except ValueError as error:
        raise Refusal(Reason.BAD_PARAMETER, name="to") from error
    if moment is None or moment.tzinfo is None:
        raise Refusal(Reason.BAD_PARAMETER, name="to")
    return in_utc(moment)
