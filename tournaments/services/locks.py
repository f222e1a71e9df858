"""Taking rows for oneself, always from the tournament down (see the package's docstring).

The locks are PostgreSQL's; on SQLite a transaction has the whole database to itself. They leave
foreign keys to the rows alone, so writing an event never waits for another club's work.
"""

from django.db.models import F

from tournaments.jobs import Job, post
from tournaments.models import Club, Entry, Match, Round, Tournament


def lock_club(club: Club) -> Club:
    """Lock a club and read it afresh."""
    return Club.objects.select_for_update(no_key=True).get(pk=club.pk)


def lock_tournament(tournament: Tournament) -> Tournament:
    """Lock a tournament and read it afresh, with its club."""
    tournaments = Tournament.objects.select_related("club")
    return tournaments.select_for_update(of=("self",), no_key=True).get(pk=tournament.pk)


def lock_entry(entry: Entry) -> Entry:
    """Lock an entry's tournament, and read the entry afresh with its people."""
    lock_tournament(entry.tournament)
    entries = Entry.objects.with_players().select_related("tournament__club")
    return entries.get(pk=entry.pk)


def lock_round(round_: Round) -> Round:
    """Lock a round's tournament, then the round, and read it afresh."""
    lock_tournament(round_.stage.tournament)
    rounds = Round.objects.select_related("stage__tournament__club")
    return rounds.select_for_update(of=("self",), no_key=True).get(pk=round_.pk)


def lock_match(match: Match) -> Match:
    """Lock a match's tournament, then the match, and read it afresh with its names."""
    lock_tournament(match.tournament)
    matches = Match.objects.with_names()
    return matches.select_for_update(of=("self",), no_key=True).get(pk=match.pk)


def bump(tournament: Tournament) -> None:
    """Move a locked tournament's version on: what was cached of its standings no longer counts.

    Ratings follow in the background.
    """
    Tournament.objects.filter(pk=tournament.pk).update(version=F("version") + 1)
    tournament.refresh_from_db(fields=["version"])
    post(Job.RATE, tournament.pk)
