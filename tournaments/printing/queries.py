"""Rows of the papers that `tournaments.sheets` draws, and the page that lists them."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from types import MappingProxyType
from typing import Final

from django.db.models import Max
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext, ngettext, pgettext

import engine
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import not_found_unless
from tournaments.core.permissions import Actor, refuse_unless
from tournaments.director.queries.days import DayMatches, DayRow, days_of, week_page
from tournaments.director.queries.rows import MatchRow, table_sides
from tournaments.director.queries.tournaments import (
    FINISHED_STAGE,
    WAITING_STAGE,
    StageHead,
    TournamentHead,
    VisibleTournament,
    open_tournament,
)
from tournaments.domain.messages import message, passed_over_text
from tournaments.domain.money import Balance
from tournaments.domain.names import ruleset_name, sort_key
from tournaments.domain.pairing import FORMATS
from tournaments.domain.pairing.boards import Meeting
from tournaments.domain.scores import Length
from tournaments.models import Match, Round, SignUp, Tournament
from tournaments.models.matches import day_played
from tournaments.sheets import rows
from tournaments.sheets.messages import PaperMessages
from tournaments.sheets.rows import CardRow, ShareCard
from tournaments.signup.queries.money import PayerRow, money_page
from tournaments.signup.queries.poster import find_poster
from tournaments.signup.templatetags import euros, money_text
from tournaments.standings.queries import crosstables
from tournaments.standings.queries.crosstables import (
    ROUNDS,
    VIEWS,
    CrosstablePage,
    CrosstableRow,
    crosstable_page,
    guide_cards,
)
from tournaments.standings.queries.prizes import prize_list, prizes_on_poster
from tournaments.standings.queries.standings import StandingsPage, standings_page
from tournaments.standings.templatetags.prizes import listed_prize, places_text, prize_text
from tournaments.standings.templatetags.standings import amount, stage_name

# --- Papers of a round, and codes -----------------------------------------------------------------
# `tournaments.sheets` draws these rows.


PAIR_SEATS: Final = ("AC", "BD")
SINGLE_SEATS: Final = ("A", "B", "C")

MAX_DAYS_ON_POSTER: Final = 6
"""Days of play that the poster lists; of more it has the first and the last."""


@dataclass(frozen=True, slots=True)
class PrintFile:
    """Sheets that become one PDF; ``name`` is its file name without the extension."""

    name: str
    title: str
    sheets: tuple[rows.Sheet, ...]


@dataclass(frozen=True, slots=True)
class Addresses:
    """Absolute addresses for QR codes: the page of an entry's table, and the page for its code."""

    table: str
    come: str


@dataclass(frozen=True, slots=True)
class RoundToPrint:
    """A round with tables to play at."""

    number: int
    state: str


@dataclass(frozen=True, slots=True)
class StageToPrint:
    """What can be printed of a stage; ``view`` is how it is shown beside its standings.

    ``diplomas``: a round of it is closed, so that there are places. ``same_deals``: of a duplicate.
    ``guides`` is the file name of its guide cards, empty where it has none.
    """

    stage: StageHead
    view: str
    diplomas: bool
    same_deals: bool
    guides: str


@dataclass(frozen=True, slots=True)
class PrintPage:
    """What can be printed now; codes and diplomas are for the club's staff alone.

    ``together`` are the rounds of several stages that are played at the same time.
    """

    head: TournamentHead
    rounds: tuple[RoundToPrint, ...]
    together: tuple[int, ...]
    stages: tuple[StageToPrint, ...]
    codes: bool


def print_page(slug: str, viewer: Actor) -> PrintPage:
    """Return what can be printed of a tournament: the head's queries alone."""
    access = open_tournament(slug, viewer)
    numbers = set(access.visible_rounds)
    return PrintPage(
        head=access.head,
        rounds=tuple(
            RoundToPrint(round_.number, round_.state)
            for round_ in reversed(access.rounds)
            if round_.number in numbers and round_.matches
        ),
        together=rounds_together(access),
        stages=tuple(
            StageToPrint(
                stage,
                VIEWS.get(stage.format, ROUNDS),
                diplomas=access.head.may.arbitrate and stage.rounds_closed > 0,
                same_deals=FORMATS[stage.format].same_deals,
                guides=_file_name(access.head, stage, "guides")
                if VIEWS.get(stage.format) == crosstables.CARDS
                else "",
            )
            for stage in access.head.stages
            if stage.state != WAITING_STAGE
        ),
        codes=access.head.may.arbitrate and access.head.entries > access.head.bots,
    )


def masthead(
    head: TournamentHead,
    language: str,
    stage: StageHead | None = None,
    round_: Round | None = None,
) -> rows.Masthead:
    """Return the heading of a paper; it names the stage where there are several."""
    return rows.Masthead(
        tournament=head.name,
        club=head.club_name,
        stage=stage_title(stage, language) if stage and len(head.stages) > 1 else "",
        round=round_.number if round_ else 0,
        has_draft=round_ is not None and round_.state == Round.State.DRAFT,
    )


def stage_title(stage: StageHead, language: str) -> str:
    """Return the name of a stage, or that of its format."""
    name = stage.name or message(language, f"format.{stage.format}")
    return name[:1].upper() + name[1:]


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
    """Return a table of a match read with its names; the seats follow from the ruleset."""
    pairs = engine.RULESETS[match.tournament.ruleset].pairs
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
    rules, options = engine.RULESETS[tournament.ruleset], tournament.options
    boards = max(len(table.boards) for table in tables)
    deals = boards or options.get("deals")
    target = None if deals else options.get("to", rules.target)
    length = Length(target, deals, 0, tournament.cotos)
    sides = max(len(table.sides) for table in tables)
    hands = [str(number) for number in range(1, length.most_hands(sides) + 1)]
    if rules.race_to:
        hands = [f"{hand}{deal}" for hand in hands for deal in "ab"]
    cotos = length.most_cotos(sides)
    if cotos > 1:
        hands = [f"{coto}.{hand}" for coto in range(1, cotos + 1) for hand in hands]
    counts, count = (
        ("cotos", cotos) if cotos > 1 else ("first_to", target) if target else ("fixed", deals)
    )
    return rows.ScoreSheets(head, tables, tournament.ruleset, count or 0, counts, tuple(hands))


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


def poster_paper(slug: str, viewer: Actor, language: str, address: str) -> PrintFile:
    """Return the poster with a QR code of its public ``address``.

    Refuses NOT_FOUND to those who may not see it, NO_PUBLIC_URL while no address is set.
    """
    poster = find_poster(slug, viewer)
    if not address:
        raise Refusal(Reason.NO_PUBLIC_URL)
    head = poster.head
    lines = [
        ". ".join((ruleset_name(head.ruleset), *map(stage_name, head.stages))),
        *(f"{name}: {value}" for name, value in poster.house_rules),
    ]
    lines += _day_lines(days_of(head))
    if poster.fee is not None:
        amount, per = euros(poster.fee.cents), SignUp.Per(poster.fee.per).label
        lines.append(gettext("Fee: %(amount)s, %(per)s") % {"amount": amount, "per": per})
    if poster.places is not None:
        lines.append(gettext("Places: %(places)s") % {"places": poster.places})
    prizes = prizes_on_poster(head.pk).lines
    lines += [f"{places_text(line)}: {listed_prize(line)}" for line in prizes]
    if head.prizes and not prizes:
        lines.append(gettext("Prizes: %(prizes)s") % {"prizes": head.prizes})
    begins = None if head.begins_at is None else localtime(head.begins_at)
    when = "" if begins is None else f"{date_format(begins, 'l, j F Y')}, {begins:%H:%M}"
    notice = ""
    if head.cancelled_at is not None:
        notice = gettext("The tournament is cancelled: %(reason)s") % {"reason": head.cancel_reason}
    sheet = rows.Poster(
        head=masthead(head, language),
        when=when,
        place=head.place,
        lines=tuple(lines),
        notice=notice,
        call=gettext("Sign up"),
        address=address,
    )
    return PrintFile(f"{slug}-poster", head.name, (sheet,))


def _day_lines(days: Sequence[DayRow]) -> list[str]:
    """Return the days of play for the poster: each, or the first and the last of many."""
    if len(days) <= MAX_DAYS_ON_POSTER:
        return [", ".join(filter(None, (day.when, day.own_place))) for day in days]
    facts = {"count": len(days), "first": days[0].when, "last": days[-1].when}
    return [gettext("%(count)s days of play: %(first)s to %(last)s") % facts]


def week_paper(slug: str, viewer: Actor, first: date | None, language: str) -> PrintFile:
    """Return the matches of the seven days from ``first`` on, by day, with room for each score.

    Without ``first``, from the next day of play. Refuses NOT_FOUND where there is no match.
    """
    week = week_page(slug, viewer, first)
    played_days = [day for day in week.days if day.matches]
    not_found_unless(bool(played_days))
    columns = (gettext("Table"), *("",) * _most_sides(played_days), gettext("Result"))
    tables = tuple(
        rows.TextTable(day.title, columns, tuple(map(_week_row, day.matches)))
        for day in played_days
    )
    title = gettext("Matches from %(first)s to %(last)s") % {
        "first": date_format(week.first, "MONTH_DAY_FORMAT"),
        "last": date_format(week.last, "DATE_FORMAT"),
    }
    sheet = rows.WeekSheet(masthead(week.head, language), title, tables)
    return PrintFile(f"{slug}-{week.first:%Y-%m-%d}", f"{week.head.name}: {title}", (sheet,))


def _most_sides(days: Sequence[DayMatches]) -> int:
    return max(len(match.sides) for day in days for match in day.matches)


def _week_row(match: MatchRow) -> tuple[str, ...]:
    """Return the table, its sides with their people, and the score, or room for it."""
    names = tuple(side.shown_name for side in match.sides)
    return (str(match.table), *names, match.score.text if match.score else "–")


def money_paper(slug: str, viewer: Actor, language: str) -> PrintFile:
    """Return the money for the treasurer: sums, days, who owes or gets back, every line.

    Refuses SIGN_IN, FORBIDDEN to all but the club's staff.
    """
    page = money_page(slug, viewer)
    totals = page.totals
    sums = (
        (pgettext("sum", "Paid"), totals.paid),
        (pgettext("sum", "Returned"), -totals.returned),
        (gettext("Takings"), totals.takings),
        *(((gettext("Prizes handed out"), -totals.prizes),) if totals.prizes else ()),
        (pgettext("sum", "Waived"), totals.waived),
        (pgettext("sum", "Owed"), page.owed),
        (gettext("To be returned"), page.to_return),
    )
    waiting = page.without_place
    payers = [row for row in page.payers if row.balance != Balance() and row not in waiting]
    lines = (
        (
            f"{date_format(localtime(line.made_at), 'SHORT_DATETIME_FORMAT')} · {line.name}\n"
            + " · ".join(filter(None, (line.made_by, line.note))),
            line.kind_name,
            euros(line.cents),
        )
        for line in reversed(page.lines)
    )
    days = (
        (date_format(day, "SHORT_DATE_FORMAT"), *map(euros, (one.paid, one.returned, one.takings)))
        for day, one in page.days
    )
    heads = (pgettext("sum", "Paid"), pgettext("sum", "Returned"), gettext("Takings"))
    tables = (
        rows.TextTable("", ("", gettext("Amount")), tuple((name, euros(n)) for name, n in sums)),
        rows.TextTable(gettext("By day"), (gettext("Day"), *heads), tuple(days)),
        _payers_table(gettext("Who pays"), payers),
        _payers_table(gettext("Without a place"), waiting),
        rows.TextTable(
            gettext("Cash book"), ("", gettext("Kind"), gettext("Amount")), tuple(lines)
        ),
    )
    sheet = rows.Account(
        head=masthead(page.head, language),
        title=gettext("Money"),
        note=gettext("Internal: names and amounts."),
        tables=tuple(table for table in tables if table.rows),
    )
    return PrintFile(f"{slug}-money", page.head.name, (sheet,))


def _payers_table(title: str, payers: Iterable[PayerRow]) -> rows.TextTable:
    sums = (pgettext("sum", "Waived"), pgettext("sum", "Paid"), pgettext("sum", "Owed"))
    lines = (
        (
            (f"{row.ticket}. {row.name}" if row.ticket else row.name)
            + f"\n{money_text(row.balance)}",
            *map(euros, (row.balance.due, row.balance.waived, row.balance.taken, row.balance.open)),
        )
        for row in payers
    )
    return rows.TextTable(title, ("", gettext("Fee"), *sums), tuple(lines))


# --- Papers of a stage ----------------------------------------------------------------------------


FIRST_THREE: Final = (1, 2, 3)
"""Places that get a diploma by default."""


def print_file(head: TournamentHead, stage: StageHead, kind: str, sheet: rows.Sheet) -> PrintFile:
    """Return a sheet of a stage as a file."""
    return PrintFile(_file_name(head, stage, kind), head.name, (sheet,))


def _file_name(head: TournamentHead, stage: StageHead, kind: str) -> str:
    part = f"-{stage.number}" if len(head.stages) > 1 else ""
    return f"{head.slug}{part}-{kind}"


def standings_paper(slug: str, viewer: Actor, stage: int | None, language: str) -> PrintFile:
    """Return the standings of a stage that has begun, by default the current one.

    The queries of the standings page. Refuses NOT_FOUND.
    """
    page = standings_page(slug, viewer, stage)
    not_found_unless(page.stage.state != WAITING_STAGE)
    sheet = rows.Standings(
        head=masthead(page.head, language, page.stage),
        after=page.stage.rounds_closed,
        is_final=page.stage.state == FINISHED_STAGE and not page.provisional,
        is_provisional=page.provisional,
        columns=page.columns,
        groups=page.parts,
        by_line=page.by_line,
        cotos=page.head.cotos,
        hidden=page.hidden,
        remark=_remark(page, language),
    )
    return print_file(page.head, page.stage, "standings", sheet)


def _remark(page: StandingsPage, language: str) -> str:
    """Return what to know before reading the standings, as sentences; empty for nothing."""
    lists = message(language, page.note) if page.lists and not page.by_line else ""
    facts = page.passed_over, page.tables_without_points, page.head.cotos
    return f"{lists} {passed_over_text(language, *facts)}".strip()


def share_card(slug: str) -> ShareCard:
    """Return what the card to share says of a tournament that everybody sees.

    The queries of the standings page. Refuses NOT_FOUND.
    """
    page = standings_page(slug, Actor.anonymous())
    head, words = page.head, (page.head.place or page.head.club_name)
    begins = "" if head.begins_at is None else date_format(localtime(head.begins_at), "DATE_FORMAT")
    parts = page.parts
    leaders = page.rows if len(parts) == 1 else [part.rows[0] for part in parts if part.rows]
    top_rows = leaders if head.decided else ()
    return ShareCard(
        title=head.name,
        line=" · ".join(filter(None, (words, begins))),
        rows=tuple(CardRow(row.rank, row.shown_name, amount(row.match_points)) for row in top_rows),
        state=_state_of(head),
        note=head.prizes
        or ngettext("%(count)s entry", "%(count)s entries", head.entries) % {"count": head.entries},
    )


def _state_of(head: TournamentHead) -> str:
    """Return how far a tournament is, in the active language."""
    if head.state == "finished":
        return gettext("Final standings")
    if head.current_round is None:
        return head.club_name
    facts = {"number": head.current_round, "rounds": head.rounds}
    if head.rounds_known:
        return gettext("Round %(number)s of %(rounds)s") % facts
    return gettext("Round %(number)s") % facts


def crosstable_paper(slug: str, viewer: Actor, stage: int | None, language: str) -> PrintFile:
    """Return the crosstable, rounds or bracket of a stage, as its page shows it.

    The queries of that page. Refuses NOT_FOUND, also for a stage shown by guide cards.
    """
    page = crosstable_page(slug, viewer, stage)
    not_found_unless(page.stage.state != WAITING_STAGE and page.view in CROSSTABLE_SHEETS)
    head = masthead(page.head, language, page.stage)
    sheet = CROSSTABLE_SHEETS[page.view](page, head, PaperMessages(language))
    return print_file(page.head, page.stage, "crosstable", sheet)


def _crosstable(page: CrosstablePage, head: rows.Masthead, _: PaperMessages) -> rows.Sheet:
    groups = tuple(
        (group.group, tuple(_cross_row(row, index) for index, row in enumerate(group.rows)))
        for group in page.groups
    )
    return rows.Crosstable(head, (), groups)


def _cross_row(row: CrosstableRow, own_index: int) -> rows.CrossRow:
    cells = tuple(
        rows.Cell("", rows.SELF)
        if index == own_index
        else rows.Cell(
            " ".join(f"{cell.hands_for}–{cell.hands_against}" for cell in cells),
            cells[0].outcome if cells else "",
        )
        for index, cells in enumerate(row.cells)
    )
    return rows.CrossRow(row.shown_name, cells, row.match_points)


def _by_rounds(page: CrosstablePage, head: rows.Masthead, message: PaperMessages) -> rows.Sheet:
    places = page.places
    groups = tuple(
        (
            group.group,
            tuple(
                rows.CrossRow(
                    row.shown_name,
                    tuple(_round_cell(cell, places, message) for cell in row.rounds),
                    row.match_points,
                )
                for row in group.rows
            ),
        )
        for group in page.groups
    )
    return rows.Crosstable(head, page.rounds, groups)


def _round_cell(
    cell: crosstables.RoundCell, places: Mapping[int, int], message: PaperMessages
) -> rows.Cell:
    """Return the printed cell of a round: opponents and hands; of a bye its points."""
    if not cell.kind:
        return rows.Cell("")
    if not cell.opponents:
        return rows.Cell(f"+{message.number(cell.match_points)}")
    opponents = "+".join(str(places.get(number, "")) for number in cell.opponents)
    texts = {"played": f"{cell.hands_for}–{cell.hands_against}", "open": "…"}
    unplayed = "+" if cell.outcome == "won" else "−"
    return rows.Cell(f"{opponents}\n{texts.get(cell.kind, unplayed)}", cell.outcome)


def _bracket(page: CrosstablePage, head: rows.Masthead, _: PaperMessages) -> rows.Sheet:
    scores = {
        (round_, row.number): f"{cell.hands_for}–{cell.hands_against}"
        for row in page.rows
        for round_, cell in zip(page.rounds, row.rounds, strict=True)
        if cell.kind == "played"
    }
    columns = tuple(
        rows.BracketColumn(
            column.board.value,
            column.place,
            tuple(_meeting(meeting, page.entries, scores) for meeting in column.meetings),
        )
        for column in page.columns
    )
    return rows.Bracket(head, columns, page.has_two_boards)


def _meeting(
    meeting: Meeting, names: Mapping[int, str], scores: Mapping[tuple[int, int], str]
) -> rows.BracketLine:
    first, second = (
        names[place.entrant]
        if place.entrant is not None
        else (place.won, place.match)
        if place.match
        else ""
        for place in meeting.places
    )
    entrants = [place.entrant for place in meeting.places]
    winner = entrants.index(meeting.winner) if meeting.winner in entrants else None
    key = (meeting.table[0], entrants[0]) if meeting.table and entrants[0] else None
    score = scores.get(key, "") if key else ""
    return rows.BracketLine(
        meeting.number, (first, second), None if meeting.winner is None else winner, score
    )


CROSSTABLE_SHEETS: Final[
    Mapping[str, Callable[[CrosstablePage, rows.Masthead, PaperMessages], rows.Sheet]]
] = MappingProxyType(
    {
        crosstables.CROSSTABLE: _crosstable,
        crosstables.ROUNDS: _by_rounds,
        crosstables.BRACKET: _bracket,
    }
)
"""The function that makes the sheet, by the view of the stage."""


Digests = dict[str, str]
"""Digests of guide cards by the number of the entry, as a session stores them."""


def guides_paper(
    slug: str,
    viewer: Actor,
    stage: int | None,
    language: str,
    entries: Collection[int] = (),
) -> PrintFile:
    """Return guide cards of a stage whose movement is known.

    The club's staff get those of drafts, too. ``entries`` are the numbers of those wanted; empty:
    all. Refuses NOT_FOUND where there are none.
    """
    access = open_tournament(slug, viewer)
    head = access.head.stage(stage)
    cards = tuple(
        rows.GuideCard(card.number, card.name, tuple(map(_turn, card.turns)))
        for card in guide_cards(access, head)
        if not entries or card.number in entries
    )
    not_found_unless(bool(cards))
    sheet = rows.GuideCards(masthead(access.head, language, head), cards)
    return print_file(access.head, head, "guides", sheet)


def guide_digests(printed: PrintFile) -> Digests:
    """Return the digests of printed guide cards."""
    cards = (sheet.cards for sheet in printed.sheets if isinstance(sheet, rows.GuideCards))
    return {str(card.number): _digest(card.turns) for part in cards for card in part}


def changed_guides(slug: str, viewer: Actor, stage: int, printed: Digests) -> tuple[int, ...]:
    """Return the entries whose guide card is not the one that was printed."""
    access = open_tournament(slug, viewer)
    return tuple(
        card.number
        for card in guide_cards(access, access.head.stage(stage))
        if printed.get(str(card.number)) != _digest(tuple(map(_turn, card.turns)))
    )


def _digest(turns: tuple[rows.Turn, ...]) -> str:
    return sha256(repr(turns).encode()).hexdigest()[:16]


def _turn(turn: crosstables.Turn) -> rows.Turn:
    return rows.Turn(
        turn.round,
        turn.table,
        turn.seat,
        ", ".join(partner.shown_name for partner in turn.partners),
        ", ".join(opponent.shown_name for opponent in turn.opponents),
        turn.boards,
    )


def diplomas_paper(
    slug: str, viewer: Actor, stage: int | None, places: tuple[int, ...], language: str
) -> PrintFile:
    """Return diplomas for places of a stage's standings: the standings' queries and nine.

    They name the prizes of these places, of the last stage also those of the final places. All who
    share a place get its diploma, but not those who left without having played. Refuses SIGN_IN and
    FORBIDDEN to people outside the club's staff, NOT_FOUND before a round is closed and where the
    standings have no such place.
    """
    page = standings_page(slug, viewer, stage)
    refuse_unless(page.head.may.arbitrate, viewer)
    tournament = open_tournament(slug, viewer).tournament
    winners = tuple(_winners(page, frozenset(places), _prizes_of_stage(tournament, page)))
    not_found_unless(page.stage.rounds_closed > 0 and bool(winners))
    matches = Match.objects.filter(
        round__stage__tournament=tournament,
        round__stage__number=page.stage.number,
        round__state=Round.State.CLOSED,
    )
    sheet = rows.Diplomas(
        head=masthead(page.head, language, page.stage),
        city=tournament.club.city,
        day=matches.aggregate(last=Max(day_played()))["last"],
        winners=winners,
    )
    return print_file(page.head, page.stage, "diplomas", sheet)


def _prizes_of_stage(tournament: Tournament, page: StandingsPage) -> dict[int, str]:
    """Return the prizes of a stage by entry number; of the last one also those of final places."""
    stages: set[int | None] = {page.stage.number}
    if page.stage.number == page.head.current_stage.number:
        stages.add(None)
    prizes: dict[int, list[str]] = defaultdict(list)
    for one in prize_list(tournament).recipients:
        if one.stage in stages:
            prizes[one.number].append(prize_text(one.cents, one.goods))
    return {number: " + ".join(texts) for number, texts in prizes.items()}


def _winners(
    page: StandingsPage, places: frozenset[int], prizes: Mapping[int, str]
) -> Iterator[rows.Winner]:
    for row in (row for part in page.parts for row in part.rows):
        if row.rank in places and row.on_podium:
            prize = prizes.get(row.number, "")
            yield rows.Winner(row.rank, row.shown_name, row.shown_players, prize)
