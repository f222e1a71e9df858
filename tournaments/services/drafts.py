"""Arranging a draft by hand: swap, pin, part, pair, rest, draw again, throw away.

Every verb locks the tournament, keeps a restore point, and marks the tables it makes as made by
hand. What the arrangement breaks is shown (`queries.drafts.warnings_of`) and hinders nobody, but
what is impossible cannot be published.
"""

from typing import Any

from django.db import transaction
from django.db.models import Max

from tournaments.audit import write_event
from tournaments.domain.rows import Bye, Table
from tournaments.errors import Reason, Refusal
from tournaments.models import Entry, Match, Round
from tournaments.permissions import Actor, may_manage, refuse_unless
from tournaments.queries.papers import rows_of
from tournaments.queries.state import refuse_closed, round_facts
from tournaments.services.draws import draw_rounds
from tournaments.services.locks import lock_round, read_again
from tournaments.services.restoring import keep_restore_point

PLACES = ("home", "home_partner", "away", "away_partner", "third")


@transaction.atomic
def swap(actor: Actor, round_: Round, one: Entry, other: Entry) -> Round:
    """Let two entries of a draft change places, wherever each sits; one of them may have no table.

    Refuses FORBIDDEN, ROUND_NOT_DRAFT, NOT_IN_ROUND.
    """
    round_ = _opened(actor, round_, "draft.swapped")
    places = [(_place(round_, one), one, other), (_place(round_, other), other, one)]
    if all(place is None for place, _, _ in places) or one == other:
        raise Refusal(Reason.NOT_IN_ROUND, text=f"{one.name}, {other.name}")
    matches = {match.pk: match for match in round_.matches.all()}
    for place, _, comes in places:
        if place is not None:
            setattr(matches[place[0]], place[1], comes)
            _made_by_hand(matches[place[0]])
    _rewrite(matches[pk] for pk in {place[0] for place, _, _ in places if place is not None})
    _note(actor, "draft.swapped", round_, one=one.name, other=other.name)
    return round_


@transaction.atomic
def pin(actor: Actor, match: Match, *, pinned: bool = True) -> Match:
    """Keep a table as it is when the draft is drawn again, or let it go.

    Refuses FORBIDDEN, ROUND_NOT_DRAFT.
    """
    round_ = _opened(actor, match.round, None)
    match = read_again(round_.matches.all(), match)
    match.pinned = pinned
    match.save(update_fields=["pinned"])
    _note(actor, "draft.pinned" if pinned else "draft.unpinned", round_, table=match.table)
    return match


@transaction.atomic
def part(actor: Actor, match: Match) -> Round:
    """Take a table of a draft apart; its entries have none until they are paired again.

    Refuses FORBIDDEN, ROUND_NOT_DRAFT.
    """
    round_ = _opened(actor, match.round, "draft.parted")
    match = read_again(round_.matches.all(), match)
    names = [entry.name for side in match.sides for entry in side]
    match.delete()
    _note(actor, "draft.parted", round_, entries=names)
    return round_


@transaction.atomic
def pair(actor: Actor, round_: Round, home: Entry, away: Entry) -> Match:
    """Seat two entries without a table at a new one.

    Refuses FORBIDDEN, ROUND_NOT_DRAFT, ALREADY_SEATED.
    """
    round_ = _opened(actor, round_, "draft.paired")
    _refuse_seated(round_, home, away)
    match = Match(round=round_, table=_new_table(round_), home=home, away=away)
    _made_by_hand(match)
    match.save()
    _note(actor, "draft.paired", round_, entries=[home.name, away.name])
    return match


@transaction.atomic
def rest(actor: Actor, round_: Round, entry: Entry, bye: str = Bye.PAIRING) -> Match:
    """Give a bye to an entry without a table. Refuses as :func:`pair`."""
    round_ = _opened(actor, round_, "draft.rested")
    _refuse_seated(round_, entry)
    table = _new_table(round_)
    match = Match(round=round_, table=table, home=entry, state=Match.State.BYE, bye=str(Bye(bye)))
    _made_by_hand(match)
    match.save()
    _note(actor, "draft.rested", round_, entries=[entry.name], bye=match.bye)
    return match


@transaction.atomic
def draw_again(actor: Actor, round_: Round, *, keep_all: bool = False) -> Round:
    """Draw a draft again around its pinned tables, or around all that are left of it.

    Drafts after it are drawn again too. Refuses FORBIDDEN, ROUND_NOT_DRAFT, CANNOT_DRAW.
    """
    round_ = _opened(actor, round_, "draft.drawn_again")
    tournament, stage = round_.stage.tournament, round_.stage
    kept = [m for m in round_.matches.all() if m.away_id and (keep_all or m.pinned)]
    tables = _tables(round_, {match.table for match in kept})
    by_hand = {match.table for match in kept if match.edited}
    Round.objects.filter(stage__tournament=tournament, number__gte=round_.number).delete()
    first, *_ = draw_rounds(tournament, stage, tables)
    first.matches.filter(table__in=by_hand).update(edited=True)
    _note(actor, "draft.drawn_again", first, kept=len(kept))
    return first


@transaction.atomic
def throw_away(actor: Actor, round_: Round) -> None:
    """Throw a draft away, and the drafts after it. Refuses FORBIDDEN, ROUND_NOT_DRAFT."""
    round_ = _opened(actor, round_, "draft.thrown_away")
    tournament = round_.stage.tournament
    _note(actor, "draft.thrown_away", round_)
    Round.objects.filter(stage__tournament=tournament, number__gte=round_.number).delete()


def _opened(actor: Actor, round_: Round, verb: str | None) -> Round:
    """Lock a draft for somebody who may arrange it; keep a restore point before ``verb``."""
    refuse_unless(may_manage(actor, round_.stage.tournament.club), actor)
    round_ = lock_round(round_)
    refuse_closed("arrange", round_facts(round_))
    if verb is not None:
        keep_restore_point(actor, round_.stage.tournament, verb, round_.number)
    return round_


def _place(round_: Round, entry: Entry) -> tuple[int, str] | None:
    """Return where an entry sits: the match and the place at it."""
    for match in round_.matches.all():
        for place in PLACES:
            if getattr(match, f"{place}_id") == entry.pk:
                return match.pk, place
    return None


def _refuse_seated(round_: Round, *entries: Entry) -> None:
    for entry in entries:
        if _place(round_, entry) is not None:
            raise Refusal(Reason.ALREADY_SEATED, text=entry.name)


def _new_table(round_: Round) -> int:
    return int(round_.matches.aggregate(last=Max("table"))["last"] or 0) + 1


def _made_by_hand(match: Match) -> None:
    """Mark a table; the reasons of the draw are no longer its own."""
    match.edited, match.whys, match.lineup = True, [], {}


def _rewrite(matches: Any) -> None:
    """Write matches that exchanged people: away from each other first, for the constraints."""
    changed = list(matches)
    for match in changed:
        Match.objects.filter(pk=match.pk).delete()
    for match in changed:
        match.save(force_insert=True)


def _tables(round_: Round, numbers: set[int]) -> tuple[Table, ...]:
    """Return the tables of a round with these numbers, pinned."""
    rows = rows_of(round_.stage.tournament)
    drawn = next(r for s in rows.stages for r in s.rounds if r.number == round_.number)
    return tuple(_pinned(table) for table in drawn.tables if table.number in numbers)


def _pinned(table: Table) -> Table:
    return Table(table.number, table.sides, boards=table.boards, pinned=True)


def _note(actor: Actor, verb: str, round_: Round, **facts: Any) -> None:
    tournament = round_.stage.tournament
    write_event(
        actor,
        verb,
        round_,
        club=tournament.club,
        tournament=tournament,
        round=round_.number,
        **facts,
    )
