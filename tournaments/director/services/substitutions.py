"""Substitutes: a player of the club plays in place of a pair's or a single player for rounds.

The entry keeps its number, its tables and its results.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Q

from tournaments.core.audit import write_tournament_event
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import lock_club, lock_entry, refresh_row
from tournaments.core.names import validate_name, validate_reason
from tournaments.core.permissions import Actor, may_arbitrate, refuse_unless
from tournaments.director.queries.lists import person_meant
from tournaments.director.queries.seats import refuse_two_seats
from tournaments.director.queries.state import entry_facts, refuse_closed
from tournaments.domain.names import fold_name
from tournaments.domain.roster import WhoAnswer
from tournaments.domain.sides import PLACES, SIDES
from tournaments.models import Entry, Match, Player, Substitution, Tournament
from tournaments.models.matches import at_any_place
from tournaments.people.services.clubs import create_players, person_name


@transaction.atomic
def substitute(
    actor: Actor,
    entry: Entry,
    *,
    leaves: Player,
    comes: Player | str,
    from_round: int,
    until_round: int | None = None,
    reason: str = "",
    who: WhoAnswer | None = None,
    as_written: bool = False,
) -> Substitution:
    """Substitute a player of an entry from ``from_round`` until before ``until_round``.

    A name in ``comes`` is the club's player of that name, created if there is none; ``who`` says
    which person it means where several may be meant, and one in doubt is right ``as_written``.
    Matches that have a result stay as they were played. Refuses FORBIDDEN, TOURNAMENT_OVER,
    BAD_NAME, DOUBTFUL_NAME, WHO_IS_THIS, OTHER_CLUB, NOT_IN_ENTRY, PLAYER_TWICE, BAD_ROUNDS,
    BAD_REASON, REASON_TOO_LONG.
    """
    refuse_unless(may_arbitrate(actor, entry.tournament.club), actor)
    if isinstance(comes, str):
        club = lock_club(entry.tournament.club)
        comes = person_name(club, comes, as_written=as_written)
        name = validate_name(person_meant(entry.tournament, comes, who))
        create_players(actor, club, [name])
        comes = club.players.get(folded=fold_name(name))
    comes = comes.main
    entry = lock_entry(entry)
    tournament = entry.tournament
    refuse_closed("substitute", entry_facts(entry))
    if comes.club_id != tournament.club_id:
        raise Refusal(Reason.OTHER_CLUB, text=comes.name)
    if from_round < 1 or (until_round is not None and until_round <= from_round):
        raise Refusal(Reason.BAD_ROUNDS)
    members = {member.main_pk: member for member in entry.players}
    if leaves.main_pk not in members:
        raise Refusal(Reason.NOT_IN_ENTRY, text=leaves.name)
    if comes.pk in members:
        raise Refusal(Reason.PLAYER_TWICE, text=comes.name)
    leaves = members[leaves.main_pk]
    entry.substitutions.filter(leaves=leaves, from_round__gte=from_round).delete()
    substitutions = entry.substitutions.filter(leaves=leaves, until_round__isnull=True)
    substitutions.update(until_round=from_round)
    substitution = Substitution.objects.create(
        entry=entry,
        leaves=leaves,
        comes=comes,
        from_round=from_round,
        until_round=until_round,
        reason=validate_reason(reason, required=False),
        made_by=actor.label,
    )
    refuse_two_seats(tournament, [entry], from_round)
    set_lineups(entry)
    _note(actor, "substitute.comes", substitution, from_round=from_round, until_round=until_round)
    return substitution


@transaction.atomic
def end_substitution(actor: Actor, substitution: Substitution, *, until_round: int) -> None:
    """Let the replaced player play again from ``until_round`` on.

    With the substitute's first round it is taken back: only what was played so stays. Refuses
    FORBIDDEN, BAD_ROUNDS, PLAYER_TWICE.
    """
    refuse_unless(may_arbitrate(actor, substitution.entry.tournament.club), actor)
    entry = lock_entry(substitution.entry)
    substitutions = entry.substitutions.select_related("leaves", "comes")
    substitution = refresh_row(substitutions, substitution)
    if until_round < substitution.from_round:
        raise Refusal(Reason.BAD_ROUNDS)
    changes_from = min(until_round, substitution.until_round or until_round)
    if until_round == substitution.from_round:
        Substitution.objects.filter(pk=substitution.pk).delete()  # the event still names the row
    else:
        substitution.until_round = until_round
        substitution.save(update_fields=["until_round"])
    refuse_two_seats(entry.tournament, [entry], changes_from)
    set_lineups(entry)
    _note(actor, "substitute.leaves", substitution, until_round=until_round)


def set_lineups(entry: Entry, matches: Iterable[Match] | None = None) -> None:
    """Store who plays for an entry in its matches without a result.

    ``matches`` defaults to all pending and postponed matches of the entry.
    """
    if matches is None:
        open_states = (Match.State.PENDING, Match.State.POSTPONED)
        matches = Match.objects.with_names().filter(at_any_place(entry), state__in=open_states)
    for match in matches:
        index = next(n for n, entries in enumerate(match.sides) if entry in entries)
        people = lineup_in_round(match.sides[index], match.round.number)
        lineup = {name: players for name, players in match.lineup.items() if name != SIDES[index]}
        if people is not None:
            lineup[SIDES[index]] = people
        if lineup != match.lineup:
            match.lineup = lineup
            match.save(update_fields=["lineup"])


def set_all_lineups(tournament: Tournament, matches: Collection[Match] | None = None) -> None:
    """Store who plays for each entry that has had a substitute, as `set_lineups`."""
    replaced = tournament.entries.with_players().filter(substitutions__isnull=False).distinct()
    for entry in replaced:
        set_lineups(entry, None if matches is None else [m for m in matches if _sits_at(entry, m)])


def _sits_at(entry: Entry, match: Match) -> bool:
    return entry.pk in {getattr(match, f"{place}_id") for place in PLACES}


def lineup_in_round(side: Sequence[Entry], round_number: int) -> dict[str, list[Any]] | None:
    """Return the lineup of a side in a round; ``None`` when its own people play.

    Also beside a bot, which is no player of the club and has no place in a lineup.
    """
    is_current = Q(until_round__isnull=True) | Q(until_round__gt=round_number)
    standing_in = {
        substitution.leaves_id: substitution.comes
        for substitution in Substitution.objects.filter(
            is_current, entry__in=side, from_round__lte=round_number
        )
        .select_related("comes")
        .order_by("pk")
    }
    if not standing_in or not all(entry.players for entry in side):
        return None
    people = [standing_in.get(player.pk, player) for entry in side for player in entry.players]
    return {
        "names": [player.name for player in people],
        "players": [player.pk for player in people],
    }


def _note(actor: Actor, verb: str, substitution: Substitution, **facts: Any) -> None:
    tournament = substitution.entry.tournament
    write_tournament_event(
        actor,
        verb,
        substitution,
        tournament,
        entry=substitution.entry.name,
        leaves=substitution.leaves.name,
        comes=substitution.comes.name,
        **facts,
    )
