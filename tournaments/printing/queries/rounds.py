"""Papers of a round, and the codes of entries."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

import engine
from tournaments.core.find import not_found_unless
from tournaments.core.permissions import Actor, refuse_unless
from tournaments.director.queries.rows import table_sides
from tournaments.director.queries.tournaments import (
    TournamentHead,
    VisibleTournament,
    open_tournament,
)
from tournaments.domain.names import sort_key
from tournaments.models import Match, Round
from tournaments.printing.queries.papers import (
    PAIR_SEATS,
    SINGLE_SEATS,
    Addresses,
    PrintFile,
    masthead,
)
from tournaments.sheets import rows


def round_papers(
    slug: str,
    number: int,
    viewer: Actor,
    kind: str,
    language: str,
    addresses: Addresses,
    *,
    together: bool = False,
) -> PrintFile:
    """Return one kind of a round's papers (`PAPERS`), or ``all`` of them in the order of use.

    ``together``: with those of the rounds that are played beside it. The head's queries and two a
    round. Refuses NOT_FOUND.
    """
    access = open_tournament(slug, viewer)
    not_found_unless(number in access.visible_rounds and (kind == ALL or kind in PAPERS))
    numbers = rounds_together(access) if together else ()
    numbers = numbers if number in numbers else (number,)
    rounds = [_round_to_print(access, one, language) for one in numbers]
    makers = PAPERS.values() if kind == ALL else [PAPERS[kind]]
    sheets = tuple(
        make(access.head, head, tables, addresses) for make in makers for head, tables in rounds
    )
    ending, shown = "" if kind == ALL else f"-{kind}", "-".join(map(str, numbers))
    return PrintFile(f"{slug}-{shown}{ending}", f"{access.head.name} {shown}", sheets)


def rounds_together(access: VisibleTournament) -> tuple[int, ...]:
    """Return the rounds of several stages that are played at the same time; none of one alone.

    Of each stage the first round that is open to the viewer.
    """
    if not access.head.has_stages_beside:
        return ()
    firsts: dict[int, int] = {}
    for round_ in access.rounds:
        is_open = round_.state != Round.State.CLOSED and round_.matches > 0
        if is_open and round_.number in access.visible_rounds:
            firsts.setdefault(round_.stage, round_.number)
    return tuple(sorted(firsts.values())) if len(firsts) > 1 else ()


def _round_to_print(
    access: VisibleTournament, number: int, language: str
) -> tuple[rows.Masthead, tuple[rows.SheetTable, ...]]:
    """Return the heading and the tables of a round; NOT_FOUND where nobody plays in it."""
    rounds = Round.objects.select_related("stage__tournament")
    round_ = rounds.get(stage__tournament=access.tournament, number=number)
    matches = list(Match.objects.with_names().filter(round=round_).order_by("table"))
    tables = tuple(map(_table, matches))
    not_found_unless(any(not table.is_bye for table in tables))
    return masthead(access.head, language, access.head.stage(round_.stage.number), round_), tables


def _table(match: Match) -> rows.SheetTable:
    """Return a table of a match read with its names; the seats follow from the ruleset.

    More than two sides are single players, under whatever rules their results are typed.
    """
    pairs = engine.RULESETS[match.tournament.ruleset].pairs and len(match.sides) <= len(PAIR_SEATS)
    letters = PAIR_SEATS if pairs else SINGLE_SEATS
    return rows.SheetTable(
        match.table,
        tuple(
            rows.Side(
                side.shown_name,
                tuple(map(rows.Seat, letters[number], side.players)),
                side.entries,
            )
            for number, side in enumerate(table_sides(match, None))
        ),
        tuple(match.boards),
        None if match.away is None else match.length,
        match.round.stage.rules.typed_only,
    )


Tables = tuple[rows.SheetTable, ...]


def _by_name(_: TournamentHead, head: rows.Masthead, tables: Tables, __: Addresses) -> rows.Sheet:
    lines = [line for table in tables for line in _lines(table)]
    return rows.PairingsByName(head, tuple(sorted(lines, key=lambda line: sort_key(line.name))))


def _lines(table: rows.SheetTable) -> Iterator[rows.NameLine]:
    """Yield a line for each player at a table or in a bye."""
    for side in table.sides:
        against = ", ".join(other.name for other in table.sides if other is not side)
        for seat in side.seats:
            partners = ", ".join(other.name for other in side.seats if other is not seat)
            where = (0, "") if table.is_bye else (table.number, seat.letter)
            yield rows.NameLine(seat.name, *where, partners, against)


def _score_sheets(
    tournament: TournamentHead, head: rows.Masthead, tables: Tables, _: Addresses
) -> rows.Sheet:
    """Return score sheets ruled for the longest match possible."""
    rules = engine.RULESETS[tournament.ruleset]
    sides = max(len(table.sides) for table in tables)
    lengths = [table.length for table in tables if table.length is not None]
    length = max(lengths, key=lambda length: length.most_hands(sides))
    hands = [str(number) for number in range(1, length.most_hands(sides) + 1)]
    if rules.race_to:
        hands = [f"{hand}{deal}" for hand in hands for deal in "ab"]
    cotos = length.most_cotos(sides)
    if cotos > 1:
        hands = [f"{coto}.{hand}" for coto in range(1, cotos + 1) for hand in hands]
    counts, count = (
        ("cotos", cotos)
        if cotos > 1
        else ("first_to", length.to)
        if length.to
        else ("fixed", length.deals)
    )
    return rows.ScoreSheets(
        head,
        tables,
        tournament.ruleset,
        count or 0,
        counts,
        tuple(hands),
        remark=" ".join(tournament.lateness),
    )


SheetFunction = Callable[[TournamentHead, rows.Masthead, Tables, Addresses], rows.Sheet]

ALL: Final = "all"
PAPERS: Final[Mapping[str, SheetFunction]] = MappingProxyType(
    {
        "names": _by_name,
        "tables": lambda _tournament, head, tables, _addresses: rows.PairingsByTable(head, tables),
        "cards": lambda _tournament, head, tables, addresses: rows.TableCards(
            head, tables, addresses.table
        ),
        "sheets": _score_sheets,
    }
)
"""The papers of a round, in the order of use."""


def codes_paper(slug: str, viewer: Actor, language: str, addresses: Addresses) -> PrintFile:
    """Return the codes of the entries, bots left out: the head's queries and three.

    Refuses SIGN_IN and FORBIDDEN to people outside the club's staff, NOT_FOUND without entries.
    """
    access = open_tournament(slug, viewer)
    refuse_unless(access.head.may.arbitrate, viewer)
    entries = access.tournament.entries.with_players().filter(bot__isnull=True).order_by("number")
    codes = tuple(
        rows.Code(entry.number, entry.shown_name, entry.code, f"{addresses.come}?code={entry.code}")
        for entry in entries
    )
    not_found_unless(bool(codes))
    first = access.tournament.stages.filter(number=1, begun_at=None).first()
    commitment = first.next_commitment if first is not None else ""
    sheet = rows.Codes(masthead(access.head, language), codes, commitment)
    return PrintFile(f"{slug}-codes", access.head.name, (sheet,))
