"""Locks rows in one order: club, tournament, round, match (docs/architecture.md).

The locks are PostgreSQL's; on SQLite a transaction has the whole database to itself. They do not
block foreign keys to the rows, so writing an event never waits for another club's work.
"""

from collections.abc import Iterable
from typing import TypeVar

from django.db.models import F, Model, QuerySet

from tournaments.core.find import found
from tournaments.models import Bot, Club, Entry, Match, Round, Tournament
from tournaments.models.matches import set_entries

Row = TypeVar("Row", bound=Model)


def read_again(rows: QuerySet[Row], row: Row) -> Row:
    """Return the present state of a row.

    Refuses NOT_FOUND when it was deleted since it was read.
    """
    return found(rows.filter(pk=row.pk).first())


def lock_club(club: Club) -> Club:
    """Lock a club and read it again."""
    return read_again(Club.objects.select_for_update(no_key=True), club)


def lock_tournament(tournament: Tournament) -> Tournament:
    """Lock a tournament and read it again, with its club."""
    tournaments = Tournament.objects.select_related("club")
    return read_again(tournaments.select_for_update(of=("self",), no_key=True), tournament)


def lock_entry(entry: Entry) -> Entry:
    """Lock an entry's tournament, and read the entry again with its people."""
    lock_tournament(entry.tournament)
    entries = Entry.objects.with_players().select_related("tournament__club")
    return read_again(entries, entry)


def lock_round(round_: Round) -> Round:
    """Lock a round's tournament, then the round, and read it again."""
    lock_tournament(round_.stage.tournament)
    rounds = Round.objects.select_related("stage__tournament__club")
    return read_again(rounds.select_for_update(of=("self",), no_key=True), round_)


def lock_match(match: Match) -> Match:
    """Lock a match's tournament, then the match, and read it again with its names."""
    return found(lock_matches(match.tournament, [match.pk]).get(match.pk))


def lock_matches(tournament: Tournament, keys: Iterable[int]) -> dict[int, Match]:
    """Lock a tournament, then matches of it in order, and read them again with their names.

    They share one tournament object.
    """
    tournament = lock_tournament(tournament)
    rows = Match.objects.select_related("round__stage").filter(pk__in=keys)
    locked = rows.select_for_update(of=("self",), no_key=True).order_by("pk")
    matches = {match.pk: match for match in locked}
    for match in matches.values():
        match.round.stage.tournament = tournament
    set_entries(matches.values())
    return matches


def lock_bot(bot: Bot) -> Bot:
    """Lock a bot and read it again, with its club; no tournament is locked after it."""
    bots = Bot.objects.select_related("club")
    return read_again(bots.select_for_update(of=("self",), no_key=True), bot)


def bump(tournament: Tournament) -> None:
    """Raise a locked tournament's version, which invalidates what was cached of its standings.

    The version also shows that ratings are out of date (`ratings.services.wake_ratings`): all the
    results of a round's end are rated together.
    """
    seen = Tournament.objects.filter(pk=tournament.pk, version=tournament.version)
    if seen.update(version=F("version") + 1):
        tournament.version += 1
    else:  # raised since this was read, in the same transaction
        Tournament.objects.filter(pk=tournament.pk).update(version=F("version") + 1)
        tournament.refresh_from_db(fields=["version"])
