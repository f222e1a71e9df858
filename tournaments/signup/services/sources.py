"""Sets the sources of a sign-up and notes those who come through from them."""

import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext

from tournaments.core.audit import write_tournament_event
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import lock_tournament, or_404
from tournaments.core.names import validate_name, validate_reason
from tournaments.core.permissions import Actor, may_manage, refuse_unless
from tournaments.director.queries.lists import MAX_ENTRIES, ClubNames, plan_of
from tournaments.director.queries.public_rows import public_rows
from tournaments.director.queries.state import refuse_closed
from tournaments.domain.proof import digest_of
from tournaments.domain.seeding import order_by_lots
from tournaments.domain.sources import stated_places
from tournaments.models import SignUp, SignUpPerson, SignUpRequest, SignUpSource, Tournament
from tournaments.models.tournaments import MAX_LINE_LENGTH
from tournaments.signup.queries.places import sign_up_facts
from tournaments.signup.queries.sources import (
    SourceRow,
    ThroughRow,
    possible_sources,
    sources_of,
    stated_rows,
)
from tournaments.signup.services.requests import (
    Application,
    sign_up_of,
    store_people,
    store_request,
    take_off,
)

SEED_BYTES: Final = 16
"""Random bytes of the seed of a lot: not to be guessed."""

Entrant = tuple[int, int]
"""A source, by its key, and the number of an entry in it."""

Through = tuple[SourceRow, ThroughRow]
"""An entry of a source that is through, with its source."""


def _open(actor: Actor, tournament: Tournament, verb: str) -> SignUp:
    """Return the sign-up of a locked tournament; refuses those who may not, and in its state."""
    refuse_unless(may_manage(actor, tournament.club), actor)
    tournament = lock_tournament(tournament)
    signup = sign_up_of(tournament)
    refuse_closed(verb, sign_up_facts(tournament, signup))
    return signup


# --- The sources ----------------------------------------------------------------------------------


@transaction.atomic
def set_sources(
    actor: Actor,
    tournament: Tournament,
    sources: Sequence[Tournament],
    take: int,
    origin: str | None = None,
) -> list[SignUpSource]:
    """Let the first ``take`` of each of these tournaments come into the sign-up of a final.

    ``origin`` is what their tickets come from (`SourceRow`). Sources that there are get the new
    values; tickets that were noted stay as they are.
    Refuses FORBIDDEN, NOT_A_DRAFT, TOURNAMENT_CANCELLED, BAD_SIGN_UP, BAD_NAME, BAD_SOURCE.
    """
    if origin:
        origin = validate_name(origin)
    signup = _open(actor, tournament, "set_sources")
    if not 1 <= take <= MAX_ENTRIES:
        raise Refusal(Reason.BAD_SIGN_UP, text="take")
    possible = possible_sources(signup.tournament).filter(pk__in=[one.pk for one in sources])
    keys = set(possible.values_list("pk", flat=True))
    values = {"take": take} if origin is None else {"take": take, "origin": origin}
    last = signup.sources.aggregate(last=Max("order"))["last"] or 0
    stored = []
    for order, source in enumerate(sources, last + 1):
        if source.pk not in keys:
            raise Refusal(Reason.BAD_SOURCE, text=source.name)
        row, _ = SignUpSource.objects.update_or_create(
            signup=signup,
            tournament=source,
            defaults=values,
            create_defaults={**values, "order": order},
        )
        stored.append(row)
    tournament = signup.tournament
    facts = [{"source": row.tournament.slug, "take": row.take} for row in stored]
    write_tournament_event(
        actor, "sign_up.sources_set", tournament, tournament, take=take, sources=facts
    )
    for source in sources:  # its pages, which are cached by its events, lead to the final
        write_tournament_event(
            actor, "tournament.leads_on", source, source, final=tournament.slug, take=take
        )
    return stored


@transaction.atomic
def remove_source(actor: Actor, tournament: Tournament, pk: int) -> None:
    """Remove a source from which no ticket has come.

    Refuses FORBIDDEN, NOT_A_DRAFT, TOURNAMENT_CANCELLED, NOT_FOUND, SOURCE_USED.
    """
    signup = _open(actor, tournament, "set_sources")
    source = or_404(signup.sources.select_related("tournament").filter(pk=pk).first())
    if source.requests.exists():
        raise Refusal(Reason.SOURCE_USED, text=source.tournament.name)
    tournament, left = signup.tournament, source.tournament
    source.delete()
    write_tournament_event(
        actor, "sign_up.source_removed", tournament, tournament, source=left.slug
    )
    write_tournament_event(actor, "tournament.leads_on", left, left, final=tournament.slug, take=0)


# --- Those who come through -----------------------------------------------------------------------


@dataclass
class _NewTickets:
    """The tickets that one press makes.

    ``people`` are the keys of the players in them, ``digests`` those of the sources by short name.
    """

    requests: list[SignUpRequest] = field(default_factory=list)
    rows: list[SignUpRequest | SignUpPerson] = field(default_factory=list)
    people: set[int] = field(default_factory=set)
    lots: list[dict[str, Any]] = field(default_factory=list)
    digests: dict[str, str] = field(default_factory=dict)

    def digest_of(self, source: Tournament) -> str:
        """Return the digest of a source's proof as it is now, computed once in a press."""
        if source.slug not in self.digests:
            self.digests[source.slug] = digest_of(public_rows(source))
        return self.digests[source.slug]


@transaction.atomic
def note_through(
    actor: Actor,
    tournament: Tournament,
    come: Collection[Entrant] = (),
    *,
    draw_lots: bool = False,
) -> list[SignUpRequest]:
    """Make the missing tickets of those who are through; pressed again it makes none.

    Where a place at the cut is shared, ``come`` names those of them who come, or with ``draw_lots``
    a lot decides, whose seed the event states. Who is through from another source already gets
    none: the organiser passes one of the places on. The best of the others are noted once all
    sources are finished and no place of one is shared. Neither the waiting list nor the quota of a
    link stops a ticket; beyond the places it waits. Refuses FORBIDDEN, NOT_A_DRAFT,
    TOURNAMENT_CANCELLED, SHARED_PLACE.
    """
    signup = _open(actor, tournament, "note_through")
    new = _NewTickets()
    sources, others = sources_of(signup)
    through: list[Through] = []
    for source in sources:
        through += [(source, row) for row in source.missing]
        if not any(row.elsewhere for row in source.level):
            level = {row.number: (source, row) for row in source.level}
            shared = _Shared(source.tournament.slug, source.tournament.name, source.free, level)
            through += _who_of_level(shared, come, new, draw_lots=draw_lots)
    if others is not None:
        through += [(one.source, one.row) for one in others.missing]
        level = {n: (one.source, one.row) for n, one in enumerate(others.level, 1)}
        shared = _Shared("", gettext("The best of the others"), others.free, level)
        through += _who_of_level(shared, come, new, draw_lots=draw_lots)
    for source, row in through:
        keys = {player.pk for player in row.players}
        if new.people.isdisjoint(keys):
            new.people |= keys
            _note(actor, signup, source, row, new)
    if new.requests:
        tickets = [request.ticket for request in new.requests]
        lots = {"lots": new.lots} if new.lots else {}
        write_tournament_event(
            actor,
            "sign_up.through_noted",
            signup.tournament,
            signup.tournament,
            tickets=tickets,
            digests=new.digests,
            **lots,
            rows=new.rows,
        )
    return new.requests


class _Shared(NamedTuple):
    """A place at a cut that is shared, of a source or of all of them (``slug`` empty).

    ``free`` of those who are ``level`` come; lots draw their numbers.
    """

    slug: str
    name: str
    free: int
    level: Mapping[int, Through]


def _who_of_level(
    shared: _Shared, come: Collection[Entrant], new: _NewTickets, *, draw_lots: bool
) -> list[Through]:
    """Return who of those who share the place at a cut come; refuses SHARED_PLACE."""
    if not shared.free:
        return []
    level = shared.level
    chosen = [n for n, (source, row) in level.items() if (source.pk, row.number) in come]
    if not chosen and draw_lots:
        seed = secrets.token_hex(SEED_BYTES)
        order = order_by_lots([list(level)], seed)
        chosen = [n for n in level if n in order[: shared.free]]
        lot: dict[str, Any] = {"source": shared.slug, "seed": seed, "order": list(order)}
        if not shared.slug:
            lot["of"] = [[source.tournament.slug, row.number] for source, row in level.values()]
        new.lots.append(lot)
    if len(chosen) != shared.free:
        names = ", ".join(row.name for _, row in level.values())
        raise Refusal(Reason.SHARED_PLACE, text=f"{shared.name}: {names}")
    return [level[n] for n in chosen]


def _note(
    actor: Actor,
    signup: SignUp,
    source: SourceRow,
    row: ThroughRow,
    new: _NewTickets,
    **columns: Any,
) -> SignUpRequest:
    """Store the ticket of an entry of a source: without a contact, with a code of its own."""
    names = tuple(player.name for player in row.players)
    application = Application(names, pair_name=row.pair_name, origin=source.origin)
    request = store_request(
        signup,
        application,
        actor.label,
        source_id=source.pk,
        source_entry=row.number,
        source_place=row.place,
        source_digest=new.digest_of(source.tournament),
        **columns,
    )
    new.requests.append(request)
    new.rows += [request, *store_people(request, names, row.players)]
    return request


@transaction.atomic
def note_places(
    actor: Actor, tournament: Tournament, source: str, origin: str
) -> list[SignUpRequest]:
    """Make the tickets of a list of those who are through elsewhere; noted again it makes none.

    ``origin`` is a tournament of another club or system, of which the organiser states the places
    (`stated_places`): nothing computes them. The list is read and judged like one of entries;
    closing the sign-up asks who its people are. Refuses FORBIDDEN, NOT_A_DRAFT,
    TOURNAMENT_CANCELLED, BAD_NAME, IMPORT_REFUSED.
    """
    origin = validate_name(origin)
    signup = _open(actor, tournament, "note_places")
    tournament = signup.tournament
    plan = plan_of(ClubNames.of(tournament), source)
    if plan.hard_faults:
        raise Refusal(Reason.IMPORT_REFUSED, errors=plan.faults, count=len(plan.faults))
    noted = {row.names for row in stated_rows(signup) if row.origin == origin}
    lines, new = plan.read.lines, _NewTickets()
    places = stated_places([plan.read.texts[line.line] for line in lines])
    for line, place in zip(lines, places, strict=True):
        names = tuple(filter(None, (line.first, line.second)))
        if names not in noted:
            application = Application(names, pair_name=line.name, origin=origin)
            request = store_request(signup, application, actor.label, source_place=place)
            new.requests.append(request)
            new.rows += [request, *store_people(request, names)]
    if new.requests:
        tickets = [request.ticket for request in new.requests]
        facts = {"tickets": tickets, "origin": origin, "rows": new.rows}
        write_tournament_event(actor, "sign_up.places_noted", tournament, tournament, **facts)
    return new.requests


def _find(signup: SignUp, entrant: Entrant) -> tuple[SourceRow, ThroughRow]:
    """Return a source and one of its entries; refuses NOT_FOUND."""
    pk, number = entrant
    source = or_404(next((row for row in sources_of(signup).rows if row.pk == pk), None))
    return source, or_404(next((row for row in source.everybody if row.number == number), None))


@transaction.atomic
def pass_over(actor: Actor, tournament: Tournament, entrant: Entrant, reason: str) -> SignUpRequest:
    """Note with a reason that an entry of a source does not come: the next of it is through then.

    Its ticket, if it has one, leaves the list with its entry. Refuses FORBIDDEN, NOT_A_DRAFT,
    TOURNAMENT_CANCELLED, NOT_FOUND, REQUEST_LEFT, REASON_MISSING.
    """
    reason = validate_reason(reason)
    signup = _open(actor, tournament, "pass_over")
    source, row = _find(signup, entrant)
    if row.ticket:
        rows = SignUpRequest.objects.select_related("joined", "signup__tournament__club")
        return take_off(actor, rows.get(signup=signup, ticket=row.ticket), reason)
    left = {"left_at": timezone.now(), "left_why": reason[:MAX_LINE_LENGTH]}
    new = _NewTickets()
    request = _note(actor, signup, source, row, new, **left)
    write_tournament_event(
        actor,
        "sign_up.passed_over",
        signup.tournament,
        signup.tournament,
        ticket=request.ticket,
        reason=reason,
        digests=new.digests,
        rows=new.rows,
    )
    return request


@transaction.atomic
def invite(actor: Actor, tournament: Tournament, entrant: Entrant, reason: str) -> SignUpRequest:
    """Give an entry of a source a ticket with a reason, though it is not through.

    One that was off the list is on it again, with its ticket. Of one that is on the list the reason
    is noted: it stays, also where it is no longer through. Refuses FORBIDDEN, NOT_A_DRAFT,
    TOURNAMENT_CANCELLED, NOT_FOUND, REASON_MISSING.
    """
    reason = validate_reason(reason)
    signup = _open(actor, tournament, "invite")
    source, row = _find(signup, entrant)
    why, new = reason[:MAX_LINE_LENGTH], _NewTickets()
    if row.ticket:
        request = signup.requests.get(ticket=row.ticket)
        request.left_at, request.left_why, request.source_why = None, "", why
        request.save(update_fields=["left_at", "left_why", "source_why"])
        new.rows.append(request)
    else:
        request = _note(actor, signup, source, row, new, source_why=why)
    write_tournament_event(
        actor,
        "sign_up.invited",
        signup.tournament,
        signup.tournament,
        ticket=request.ticket,
        reason=reason,
        digests=new.digests,
        rows=new.rows,
    )
    return request
