"""Entries of a tournament: the list, the check-in, and the page of one entry."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from typing import Final, NamedTuple

from django.db.models import Q

from tournaments.core.db import row_of
from tournaments.core.find import or_404
from tournaments.core.permissions import Actor, is_own_entry
from tournaments.director.queries.expected import expected_today
from tournaments.director.queries.mass_acts import MassAct, act_to_take_back
from tournaments.director.queries.rows import competitor_ref
from tournaments.director.queries.seats import people_seated
from tournaments.director.queries.state import entry_facts, is_drawn, next_rounds, role_of
from tournaments.director.queries.tournaments import (
    TournamentHead,
    VisibleTournament,
    open_tournament,
)
from tournaments.domain.names import ShownNames, sort_key
from tournaments.domain.pairing import FORMATS
from tournaments.domain.state import Role, Verbs, verbs
from tournaments.models import (
    Absence,
    Bot,
    ByeRequest,
    Entry,
    Penalty,
    Substitution,
    Tournament,
)
from tournaments.people.queries.who import people_elsewhere

# --- Entries --------------------------------------------------------------------------------------
# The list of entries, with their absences, byes, substitutes and penalties.


@dataclass(frozen=True, slots=True)
class EntryRow(ShownNames):
    """An entry with its present state.

    ``away`` is the kind of its absence (`Absence.Kind`), or empty; ``bye_rounds`` the coming rounds
    with a requested bye; ``substitutes`` who plays for one of its people now; ``penalties`` how
    many are in force. ``who`` identifies the pair, player or bot
    (`director.queries.rows.competitor_ref`). ``expected`` today and ``rests`` (the round of the
    day in which it has a granted bye) are read for the check-in alone (`with_expected`).
    """

    number: int
    name: str
    players: tuple[str, ...]
    is_bot: bool
    origin: str = ""
    rating: float = 0.0
    checked_in_at: datetime | None = None
    joined_round: int = 1
    fixed_table: int = 0
    away: str = ""
    bye_rounds: tuple[int, ...] = ()
    substitutes: tuple[str, ...] = ()
    penalties: int = 0
    who: str = ""
    expected: bool = False
    rests: int = 0

    @property
    def is_missing(self) -> bool:
        """Whether it is an entry of people that is expected today and has not checked in."""
        return self.may_be_missing and self.expected

    @property
    def may_arrive(self) -> bool:
        """Whether it is asked on its own page to check in: also where it rests in the round."""
        return self.may_be_missing and (self.expected or self.rests > 0)

    @property
    def may_be_missing(self) -> bool:
        """Whether it is an entry of people that has not checked in and is not away."""
        return not (self.is_bot or self.away or self.checked_in_at)


def with_expected(rows: Iterable[EntryRow], tournament: Tournament) -> tuple[EntryRow, ...]:
    """Return entries with who is expected today; no query where nobody may be missing."""
    rows = tuple(rows)
    if not any(row.may_be_missing for row in rows):
        return rows
    today = expected_today(tournament)
    return tuple(
        replace(row, expected=row.number in today.coming, rests=today.resting.get(row.number, 0))
        for row in rows
    )


@dataclass(frozen=True, slots=True)
class BotRow:
    """A bot that could be entered."""

    pk: int
    slug: str
    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class Clash:
    """A person of an entry who is entered in another tournament of the same day, by its name."""

    person: str
    entry: int
    tournament: str


@dataclass(frozen=True, slots=True)
class EntriesPage:
    """The entries in order, and the bots that can be added; ``unit`` is what enters.

    ``clashes`` are for arbiters.
    """

    head: TournamentHead
    entries: tuple[EntryRow, ...]
    bots: tuple[BotRow, ...]
    unit: str
    shows_origin: bool
    shows_rating: bool
    act: MassAct | None
    clashes: tuple[Clash, ...] = ()


BOT: Final = "bot:"
"""Prefix of a bot's short name in `Newcomer.key`."""


class Newcomer(NamedTuple):
    """A pair or a player of the club that is not entered, or a bot that can enter.

    ``key`` is its value in forms.
    """

    key: str
    name: str


@dataclass(frozen=True, slots=True)
class CheckInPage:
    """The check-in page: ``entries`` match the search, the counts are of all entries.

    ``missing`` are expected today and have not come, ``resting`` have a granted bye in their first
    round of the day: closing the check-in leaves them. ``round`` is the first that is not published
    yet: closing the check-in affects that one. ``act`` can be taken back.
    """

    head: TournamentHead
    entries: tuple[EntryRow, ...]
    missing: tuple[EntryRow, ...]
    resting: tuple[EntryRow, ...]
    come: int
    away: int
    closed_at: datetime | None
    self_check_in: bool
    round: int
    act: MassAct | None


def entries_page(slug: str, viewer: Actor) -> EntriesPage:
    """Return the entries and the bots that can be added: the head's queries and six.

    For arbiters three more: the last act on many entries, which they may take back, and who is
    entered elsewhere on the same day, for which a day takes up to three.
    """
    access = open_tournament(slug, viewer)
    entries = entry_rows(access)
    return EntriesPage(
        access.head,
        entries,
        tuple(row_of(BotRow, bot) for bot in _bots(access.tournament)),
        unit=access.tournament.unit,
        shows_origin=any(entry.origin for entry in entries),
        shows_rating=any(entry.rating for entry in entries),
        act=act_to_take_back(access.tournament) if access.powers.arbitrate else None,
        clashes=_clashes(access.tournament) if access.powers.arbitrate else (),
    )


def _clashes(tournament: Tournament) -> tuple[Clash, ...]:
    """Return who of the entries is entered in another tournament of the same day as well."""
    elsewhere = people_elsewhere(tournament)
    entries = tournament.entries.with_players().order_by("number") if elsewhere else ()
    return tuple(
        Clash(player.name, entry.number, elsewhere[player.main_pk])
        for entry in entries
        for player in entry.players
        if player.main_pk in elsewhere
    )


def check_in_page(slug: str, viewer: Actor, search: str = "") -> CheckInPage:
    """Return the entries with ``search`` in a name for check-in.

    The head's queries and seven, twelve more unless all have come.
    """
    access = open_tournament(slug, viewer)
    rows = with_expected(entry_rows(access), access.tournament)
    people = [entry for entry in rows if not entry.is_bot]
    text = search.strip().casefold()
    return CheckInPage(
        access.head,
        tuple(e for e in people if _matches_search(e, text)),
        missing=tuple(entry for entry in people if entry.is_missing),
        resting=tuple(entry for entry in people if entry.may_be_missing and entry.rests),
        come=sum(entry.checked_in_at is not None and not entry.away for entry in people),
        away=sum(bool(entry.away) for entry in people),
        closed_at=access.tournament.check_in_closed_at,
        self_check_in=access.tournament.self_check_in,
        round=access.open_round,
        act=act_to_take_back(access.tournament),
    )


def newcomers(slug: str, viewer: Actor) -> tuple[Newcomer, ...]:
    """Return the pairs or players of the club that could enter: the head's queries and five.

    Where only bots play and the rounds are drawn, also the bots: a bot may enter several times.
    """
    access = open_tournament(slug, viewer)
    people = () if access.tournament.deal_sets else tuple(_people(access.tournament))
    if access.head.is_of_bots and not access.head.may.verbs["enter"]:
        bots = (Newcomer(f"{BOT}{bot.slug}", bot.name) for bot in _bots(access.tournament))
        return (*bots, *people)
    return people


def _bots(tournament: Tournament) -> list[Bot]:
    """Return the bots that can be entered: of the house or the club, and play the ruleset."""
    bots = Bot.objects.playable().filter(Q(club__isnull=True) | Q(club=tournament.club_id))
    return [bot for bot in bots if bot.plays(tournament.ruleset)]


def _people(tournament: Tournament) -> Iterator[Newcomer]:
    if tournament.unit == Tournament.Unit.PAIR:
        seated = people_seated(tournament)
        pairs = tournament.club.pairs.filter(same_as=None).exclude(entries__tournament=tournament)
        rows = pairs.select_related("first__same_as", "second__same_as")
        for pair in rows.order_by("code"):
            if seated.isdisjoint((pair.first.main, pair.second.main)):
                yield Newcomer(pair.code, pair.shown_name)
    else:
        entered = Q(entries__tournament=tournament) | Q(merged__entries__tournament=tournament)
        others = tournament.club.players.filter(same_as=None).exclude(entered)
        yield from (Newcomer(player.code, player.name) for player in others.order_by("code"))


def entry_rows(access: VisibleTournament) -> tuple[EntryRow, ...]:
    """Return the entries in order with their present state; five queries."""
    entries = access.tournament.entries.with_players().order_by("number")
    return rows_of_entries(entries, access.open_round, Q(entry__tournament=access.tournament))


def rows_of_entries(entries: Iterable[Entry], round_: int, of_them: Q) -> tuple[EntryRow, ...]:
    """Return entries with their state before a round; ``of_them`` filters their related rows."""
    away = dict(
        Absence.objects.filter(of_them, until_round__isnull=True).values_list("entry", "kind")
    )
    bye_rounds: dict[int, list[int]] = {}
    requests = ByeRequest.objects.filter(of_them, round_number__gte=round_).order_by("round_number")
    for entry, number in requests.values_list("entry", "round_number"):
        bye_rounds.setdefault(entry, []).append(number)
    names: dict[int, list[str]] = {}
    is_current = Q(until_round__isnull=True) | Q(until_round__gt=max(1, round_ - 1))
    replaced = Substitution.objects.filter(of_them & is_current).order_by("pk")
    for entry, name in replaced.values_list("entry", "comes__name"):
        names.setdefault(entry, []).append(name)
    counting = Penalty.objects.filter(of_them, revoked_at__isnull=True)
    penalties = Counter(counting.values_list("entry", flat=True))
    return tuple(
        _row(e, away.get(e.pk, ""), bye_rounds.get(e.pk, ()), names.get(e.pk, ()), penalties[e.pk])
        for e in entries
    )


def _row(
    entry: Entry, away: str, bye_rounds: Iterable[int], substitutes: Iterable[str], penalties: int
) -> EntryRow:
    return row_of(
        EntryRow,
        entry,
        players=entry.seat_names,
        is_bot=entry.bot_id is not None,
        away=away,
        bye_rounds=tuple(bye_rounds),
        substitutes=tuple(substitutes),
        penalties=penalties,
        who=competitor_ref(entry),
        expected=False,
        rests=0,
    )


def _matches_search(entry: EntryRow, text: str) -> bool:
    return any(text in name.casefold() for name in (str(entry.number), entry.name, *entry.players))


# --- Entry ----------------------------------------------------------------------------------------
# One entry of a tournament, as the staff sees it and as its own people do.


class Person(NamedTuple):
    """A player of the club."""

    pk: int
    name: str


@dataclass(frozen=True, slots=True)
class ByeRow:
    """A requested bye; ``is_open`` while its round is not published."""

    pk: int
    round: int
    kind: str
    is_open: bool


@dataclass(frozen=True, slots=True)
class AbsenceRow:
    """An absence of an entry, from ``from_round`` until before ``until_round``."""

    kind: str
    from_round: int
    until_round: int | None
    reason: str
    made_by: str


@dataclass(frozen=True, slots=True)
class SubstituteRow:
    """A substitution; ``is_open`` while it has no end."""

    pk: int
    leaves: str
    comes: str
    from_round: int
    until_round: int | None
    reason: str

    @property
    def is_open(self) -> bool:
        """Whether no end is set."""
        return self.until_round is None


@dataclass(frozen=True, slots=True)
class PenaltyRow:
    """A penalty, in force or revoked."""

    pk: int
    round: int
    match_points: Decimal
    hands: int
    points: int
    reason: str
    made_by: str
    made_at: datetime
    revocation: str
    is_revoked: bool


@dataclass(frozen=True, slots=True)
class EntryPage:
    """An entry with all decisions about it. ``code`` is shown to the staff only.

    ``round`` is the next one that it can be absent from, ``rest`` the next that it can rest in,
    ``ticket`` its number on the list of the sign-up, or 0.
    """

    head: TournamentHead
    entry: EntryRow
    code: str
    ticket: int
    apart: tuple[str, ...]
    people: tuple[Person, ...]
    spare: tuple[Person, ...]
    round: int
    rest: int
    absences: tuple[AbsenceRow, ...]
    byes: tuple[ByeRow, ...]
    bye_quota: int
    substitutions: tuple[SubstituteRow, ...]
    penalties: tuple[PenaltyRow, ...]
    may: Verbs

    @property
    def has_planned_tables(self) -> bool:
        """Whether a stage's deals move from table to table, so that no entry can keep one."""
        return any(FORMATS[stage.format].same_deals for stage in self.head.stages)


@dataclass(frozen=True, slots=True)
class OwnPage:
    """An entry as its own people see it; ``left`` counts the byes with points still available.

    ``round`` is the next one that it can be absent from, ``rest`` the next that it can rest in.
    """

    entry: EntryRow
    round: int
    rest: int
    byes: tuple[ByeRow, ...]
    left: int
    may: Verbs


def entry_page(slug: str, number: int, viewer: Actor) -> EntryPage:
    """Return an entry for the staff: the head's queries and twelve."""
    access = open_tournament(slug, viewer)
    entry = or_404(
        access.tournament.entries.with_players()
        .select_related("request")
        .filter(number=number)
        .first()
    )
    round_, rest = next_rounds(access.tournament, [number])[number]
    (row,) = rows_of_entries([entry], round_, Q(entry=entry))
    absences = list(entry.absences.order_by("from_round"))
    away = next((absence for absence in absences if absence.until_round is None), None)
    replaced = entry.substitutions.select_related("leaves", "comes")
    role = role_of(viewer, access.powers, own=is_own_entry(viewer, entry))
    facts = entry_facts(entry, away, is_drawn=is_drawn(entry))
    ticket = entry.request.ticket if entry.request and entry.request.is_ticket else 0
    return EntryPage(
        head=access.head,
        entry=row,
        code=entry.code,
        ticket=ticket,
        apart=tuple(entry.apart),
        people=_people_of(entry),
        spare=spare_people(access.tournament) if entry.players else (),
        round=round_,
        rest=rest,
        absences=tuple(row_of(AbsenceRow, absence) for absence in absences),
        byes=_byes(entry, round_),
        bye_quota=access.tournament.bye_quota,
        substitutions=tuple(
            _substitute(substitution) for substitution in replaced.order_by("from_round", "pk")
        ),
        penalties=tuple(
            _penalty(penalty) for penalty in entry.penalties.order_by("round_number", "pk")
        ),
        may=verbs(facts, role),
    )


def own_page(entry: Entry, role: Role, *, asks_check_in: bool = False) -> OwnPage:
    """Return an entry for its own people, in any state of the tournament; seven queries.

    ``asks_check_in`` takes more, where it has not checked in: whether it is expected today.
    """
    tournament = entry.tournament
    round_, rest = next_rounds(tournament, [entry.number])[entry.number]
    (row,) = rows_of_entries([entry], round_, Q(entry=entry))
    if asks_check_in:
        (row,) = with_expected([row], tournament)
    byes = _byes(entry, round_)
    paid_byes = sum(bye.kind != ByeRequest.Kind.ZERO for bye in byes)
    away = entry.absences.filter(until_round=None).first() if row.away else None
    return OwnPage(
        entry=row,
        round=round_,
        rest=rest,
        byes=byes,
        left=max(0, tournament.bye_quota - paid_byes),
        may=verbs(entry_facts(entry, away), role),
    )


def _people_of(entry: Entry) -> tuple[Person, ...]:
    return tuple(Person(player.pk, player.name) for player in entry.players)


def spare_people(tournament: Tournament) -> tuple[Person, ...]:
    """Return the players of the club that sit for no entry in the rounds to come."""
    seated = people_seated(tournament)
    players = tournament.club.players.filter(same_as=None)
    spare = [Person(p.pk, p.name) for p in players if p not in seated]
    return tuple(sorted(spare, key=lambda person: sort_key(person.name)))


def _byes(entry: Entry, round_: int) -> tuple[ByeRow, ...]:
    return tuple(
        ByeRow(bye.pk, bye.round_number, bye.kind, bye.round_number >= round_)
        for bye in entry.bye_requests.order_by("round_number")
    )


def _substitute(substitution: Substitution) -> SubstituteRow:
    leaves, comes = substitution.leaves.name, substitution.comes.name
    return row_of(SubstituteRow, substitution, leaves=leaves, comes=comes)


def _penalty(penalty: Penalty) -> PenaltyRow:
    is_revoked = penalty.revoked_at is not None
    return row_of(PenaltyRow, penalty, round=penalty.round_number, is_revoked=is_revoked)


def tournament_for_codes(slug: str) -> Tournament | None:
    """Return a tournament for check-in by code, even if it is a draft."""
    return Tournament.objects.select_related("club").filter(slug=slug).first()
