"""Papers that hang or lie out: the poster, the week's matches, the money."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Final

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext, pgettext

from tournaments.core.find import not_found_unless
from tournaments.core.permissions import Actor
from tournaments.director.queries.days import DayMatches, DayRow, days_of, week_page
from tournaments.director.queries.rows import MatchRow
from tournaments.director.queries.tournaments import StageHead, TournamentHead
from tournaments.domain.money import Balance
from tournaments.domain.names import ruleset_name
from tournaments.models import SignUp
from tournaments.printing.queries.papers import PrintFile, masthead
from tournaments.sheets import rows
from tournaments.signup.queries.money import PayerRow, money_page
from tournaments.signup.queries.poster import find_poster
from tournaments.signup.queries.texts import euros, money_text
from tournaments.standings.queries.prizes import prizes_on_poster
from tournaments.standings.queries.texts import length_text, listed_prize, places_text, stage_name

MAX_DAYS_ON_POSTER: Final = 6
"""Days of play that the poster lists; of more it has the first and the last."""


def poster_paper(slug: str, viewer: Actor, language: str, address: str) -> PrintFile:
    """Return the poster with a QR code of its ``address``.

    Refuses NOT_FOUND to those who may not see it.
    """
    poster = find_poster(slug, viewer)
    head = poster.head
    lines = [
        ". ".join(
            (
                ", ".join(filter(None, (ruleset_name(head.ruleset), length_text(head.options)))),
                *(_stage_text(head, stage) for stage in head.stages),
            )
        ),
        *(f"{name}: {value}" for name, value in poster.house_rules),
        *head.lateness,
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


def _stage_text(head: TournamentHead, stage: StageHead) -> str:
    """Return the name of a stage, and the length of its matches where it has one of its own."""
    length = length_text(head.options, stage.length) if stage.length else ""
    return ", ".join(filter(None, (stage_name(stage), length)))


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
