"""Finds model rows by the names used in addresses, NOT_FOUND for hidden ones, and locks them.

Rows are locked in one order: club, tournament, round, match (docs/contributors/architecture.md).
The locks are PostgreSQL's; on SQLite a transaction has the whole database to itself. They do not
block foreign keys to the rows, so writing an event never waits for another club's work.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar

from django.db.models import F, Model, Q, QuerySet

from tournaments.core.db import one_or_none
from tournaments.core.errors import Reason, Refusal
from tournaments.core.permissions import Actor, is_member, may_see, may_see_record, may_see_round
from tournaments.domain.names import fold_name, sort_key
from tournaments.domain.sides import PLACES
from tournaments.models import (
    Bot,
    Club,
    Dispute,
    Entry,
    Match,
    Pair,
    Player,
    Record,
    RestorePoint,
    Round,
    Stage,
    Tournament,
)
from tournaments.models.matches import set_entries

Key = TypeVar("Key")
Row = TypeVar("Row")
Locked = TypeVar("Locked", bound=Model)

COLUMNS_BEFORE_LOCK: Final = (
    "boards",
    "lineup",
    *(f"{place}_id" for place in PLACES),
    "round__state",
    "round__play_requested_at",
    "round__stage__id",
    *(f"round__stage__tournament__{name}" for name in ("state", "visibility", "cotos")),
    "round__stage__tournament__deal_sets",
    "round__stage__tournament__club__id",
)
"""The columns of a match that are read before it is locked: for visibility and for its kind."""


def or_404(row: Row | None) -> Row:
    """Return the row; refuse NOT_FOUND for None."""
    if row is None:
        raise Refusal(Reason.NOT_FOUND)
    return row


def not_found_unless(allowed: bool) -> None:
    """Refuse NOT_FOUND unless ``allowed``."""
    if not allowed:
        raise Refusal(Reason.NOT_FOUND)


def first_by_name(rows: QuerySet[Any], count: int) -> list[int]:
    """Return the keys of the first ``count`` rows in the order of their names; one query.

    The names are sorted here because a database with another collation would cut others off.
    """
    name_rows = rows.order_by().values_list("name", "pk").distinct()
    return [pk for _, pk in sorted(name_rows, key=lambda row: (sort_key(row[0]), row[1]))[:count]]


def find_club(slug: str) -> Club:
    """Return a club; everybody sees clubs."""
    return or_404(Club.objects.filter(slug=slug).first())


def find_tournament(slug: str, viewer: Actor) -> Tournament:
    """Return a tournament with its club."""
    tournament = or_404(Tournament.objects.select_related("club").filter(slug=slug).first())
    not_found_unless(may_see(viewer, tournament))
    return tournament


def find_round(slug: str, number: int, viewer: Actor) -> Round:
    """Return a round of a tournament with its stage, tournament and club."""
    rounds = Round.objects.select_related("stage__tournament__club")
    round_ = or_404(rounds.filter(stage__tournament__slug=slug, number=number).first())
    not_found_unless(may_see_round(viewer, round_))
    return round_


def find_stage(slug: str, number: int, viewer: Actor) -> Stage:
    """Return a stage of a tournament with its tournament and club."""
    stages = find_tournament(slug, viewer).stages.select_related("tournament__club")
    return or_404(stages.filter(number=number).first())


def find_match(pk: int, viewer: Actor) -> Match:
    """Return a match with its names, round, stage, tournament and club."""
    matches = Match.objects.select_related("round__stage__tournament__club")
    match = _refuse_invisible(one_or_none(matches.filter(pk=pk)), viewer)
    set_entries([match])
    return match


def find_match_to_lock(pk: int, viewer: Actor) -> Match:
    """Return a match with only the columns needed before it is locked and read again.

    All other columns are read after locking.
    """
    matches = Match.objects.select_related("round__stage__tournament__club").only(
        *COLUMNS_BEFORE_LOCK
    )
    return _refuse_invisible(one_or_none(matches.filter(pk=pk)), viewer)


def _refuse_invisible(row: Match | None, viewer: Actor) -> Match:
    match = or_404(row)
    not_found_unless(may_see_round(viewer, match.round))
    return match


def find_restore_point(slug: str, pk: int, viewer: Actor) -> RestorePoint:
    """Return a restore point of a tournament; members only."""
    tournament = find_tournament(slug, viewer)
    not_found_unless(is_member(viewer, tournament.club))
    points = tournament.restore_points.select_related("tournament__club")
    return or_404(points.filter(pk=pk).first())


def find_entry(slug: str, number: int, viewer: Actor) -> Entry:
    """Return an entry of a tournament by its number, with its people."""
    tournament = find_tournament(slug, viewer)
    entries = tournament.entries.with_players().select_related("tournament__club")
    return or_404(entries.filter(number=number).first())


def find_record(pk: int, viewer: Actor) -> Record:
    """Return a record with its match."""
    record = or_404(Record.objects.with_match().filter(pk=pk).first())
    not_found_unless(may_see_record(viewer, record))
    return record


def find_dispute(pk: int, viewer: Actor) -> Dispute:
    """Return a dispute with its match."""
    disputes = Dispute.objects.select_related("match__round__stage__tournament__club")
    dispute = or_404(disputes.filter(pk=pk).first())
    not_found_unless(may_see_round(viewer, dispute.match.round))
    return dispute


# A merged player or pair has a main one (`same_as`), which queries follow and pages show.


def main_players(club: int | None = None) -> dict[int, Player]:
    """Return the main player of every merged one of a club, or of all, by its key; one query."""
    rows = Player.objects.exclude(same_as=None).select_related("same_as")
    of_club = rows if club is None else rows.filter(club=club)
    return {row.pk: row.main for row in of_club}


def main_pairs(club: int) -> dict[int, Pair]:
    """Return the main pair of every merged one of a club, with its players; one query."""
    rows = Pair.objects.filter(club=club).exclude(same_as=None)
    return {row.pk: row.main for row in rows.with_players()}


def find_player(pk: int) -> Player:
    """Return a player with the club; everybody sees players."""
    return or_404(Player.objects.select_related("club").filter(pk=pk).first())


def find_pair(pk: int) -> Pair:
    """Return a pair with its club; everybody sees pairs."""
    return or_404(Pair.objects.select_related("club").filter(pk=pk).first())


def find_main_player(pk: int) -> Player:
    """Return a player with the club; for a merged one the main one."""
    return _find_main(Player.objects.select_related("club"), pk)


def find_main_pair(pk: int) -> Pair:
    """Return a pair with its club and its players; for a merged one the main one."""
    return _find_main(Pair.objects.select_related("first", "second", "club"), pk)


def _find_main(rows: QuerySet[Locked], pk: int) -> Locked:
    main = rows.model._default_manager.filter(pk=pk).values("same_as")  # noqa: SLF001 - Django's
    return or_404(rows.filter(Q(pk=pk, same_as=None) | Q(pk__in=main)).first())


def find_player_of(slug: str, code: str) -> Player:
    """Return a player of a club by code, with the club and the main player."""
    club = find_club(slug)
    return or_404(club.players.select_related("club", "same_as").filter(code=code).first())


def find_pair_of(slug: str, code: str) -> Pair:
    """Return a pair of a club by its code, with its club, its players and the main pair."""
    pairs = find_club(slug).pairs.select_related("club", "first", "second", "same_as")
    return or_404(pairs.filter(code=code).first())


def find_pairs(slug: str, codes: Sequence[str], viewer: Actor) -> tuple[Pair, ...]:
    """Return pairs of a tournament's club in the order of ``codes``, as main ones; members only."""
    pairs = _club_of_member(slug, viewer).pairs.with_players().filter(code__in=codes)
    return _in_order({pair.code: pair.main for pair in pairs}, codes)


def find_players(slug: str, codes: Sequence[str], viewer: Actor) -> tuple[Player, ...]:
    """Return players of a tournament's club in the order of ``codes``, as :func:`find_pairs`."""
    players = _club_of_member(slug, viewer).players.select_related("same_as").filter(code__in=codes)
    return _in_order({player.code: player.main for player in players}, codes)


def find_named_players(slug: str, texts: Sequence[str], viewer: Actor) -> tuple[Player, ...]:
    """Return players of a tournament's club by their codes or names, the main ones; members only.

    Refuses UNKNOWN_PLAYER.
    """
    players = _club_of_member(slug, viewer).players.select_related("same_as")
    found = []
    for text in texts:
        by_code, by_name = players.filter(code=text), players.filter(folded=fold_name(text))
        player = by_code.first() or by_name.first()
        if player is None:
            raise Refusal(Reason.UNKNOWN_PLAYER, text=text[:60])
        found.append(player.main)
    return tuple(found)


def _club_of_member(slug: str, viewer: Actor) -> Club:
    club = find_tournament(slug, viewer).club
    not_found_unless(is_member(viewer, club))
    return club


def _in_order(rows: Mapping[Key, Row], keys: Sequence[Key]) -> tuple[Row, ...]:
    return tuple(or_404(rows.get(key)) for key in keys)


def find_bot(slug: str, key: str, viewer: Actor) -> Bot:
    """Return a bot by its short name that a tournament can enter; refuses NOT_FOUND."""
    return or_404(_bots_offered(slug, viewer).filter(slug=key).first())


def find_bots(slug: str, pks: Sequence[int], viewer: Actor) -> tuple[Bot, ...]:
    """Return bots that a tournament can enter, in the order of ``pks`` and as often."""
    return _in_order(_bots_offered(slug, viewer).in_bulk(pks), pks)


def _bots_offered(slug: str, viewer: Actor) -> QuerySet[Bot]:
    tournament = find_tournament(slug, viewer)
    return Bot.objects.filter(Q(club__isnull=True) | Q(club=tournament.club_id))


# --- Locks ----------------------------------------------------------------------------------------


def refresh_row(rows: QuerySet[Locked], row: Locked) -> Locked:
    """Read a row again. Refuses NOT_FOUND when it was deleted since it was read."""
    return or_404(rows.filter(pk=row.pk).first())


def lock_club(club: Club) -> Club:
    """Lock a club and read it again.

    Its key stays free, so that rows that refer to it can be inserted meanwhile.
    """
    return refresh_row(Club.objects.select_for_update(no_key=True), club)


def lock_tournament(tournament: Tournament) -> Tournament:
    """Lock a tournament and read it again, with its club.

    The club is not locked with it, else the club's tournaments would wait for each other.
    """
    tournaments = Tournament.objects.select_related("club")
    return refresh_row(tournaments.select_for_update(of=("self",), no_key=True), tournament)


def lock_entry(entry: Entry) -> Entry:
    """Lock an entry's tournament, and read the entry again with its people."""
    lock_tournament(entry.tournament)
    entries = Entry.objects.with_players().select_related("tournament__club")
    return refresh_row(entries, entry)


def lock_round(round_: Round) -> Round:
    """Lock a round's tournament, then the round, and read it again.

    All take the locks in this order, or two that need both could wait for each other.
    """
    lock_tournament(round_.stage.tournament)
    rounds = Round.objects.select_related("stage__tournament__club")
    return refresh_row(rounds.select_for_update(of=("self",), no_key=True), round_)


def lock_match(match: Match) -> Match:
    """Lock a match's tournament, then the match, and read it again with its names."""
    return or_404(lock_matches(match.tournament, [match.pk]).get(match.pk))


def lock_matches(tournament: Tournament, keys: Iterable[int]) -> dict[int, Match]:
    """Lock a tournament, then matches of it in order, and read them again with their names.

    They share one tournament object.
    """
    tournament = lock_tournament(tournament)
    rows = Match.objects.filter(pk__in=keys).with_rounds().order_by("pk")
    matches = {match.pk: match for match in rows.select_for_update(no_key=True)}
    for match in matches.values():
        match.round.stage.tournament = tournament
    set_entries(matches.values())
    return matches


def lock_bot(bot: Bot) -> Bot:
    """Lock a bot and read it again, with its club; no tournament is locked after it."""
    bots = Bot.objects.select_related("club")
    return refresh_row(bots.select_for_update(of=("self",), no_key=True), bot)


def raise_version(tournament: Tournament) -> None:
    """Raise a locked tournament's version, which invalidates what was cached of its standings.

    The version also shows that ratings are out of date (`ratings.services.wake_ratings`): all the
    results of a round's end are rated together.
    """
    rows = Tournament.objects.filter(pk=tournament.pk, version=tournament.version)
    if rows.update(version=F("version") + 1):
        tournament.version += 1
    else:  # raised since this was read, in the same transaction
        Tournament.objects.filter(pk=tournament.pk).update(version=F("version") + 1)
        tournament.refresh_from_db(fields=["version"])
