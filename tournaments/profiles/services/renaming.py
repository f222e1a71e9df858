"""Corrects names, and replaces names in every row that may hold them."""

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import Any, Final

from django.apps import apps
from django.db import transaction
from django.db.models import CharField, Model, Q

from tournaments.core.audit import (
    RewordedRow,
    redact_events,
    write_baseline,
    write_club_baseline,
    write_event,
    write_tournament_event,
)
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import lock_club, lock_tournament, raise_version, refresh_row
from tournaments.core.names import validate_name, validate_person
from tournaments.core.permissions import Actor, may_manage, refuse_unless
from tournaments.domain.names import fold_name, name_of_two
from tournaments.domain.personal_data import searched_columns
from tournaments.domain.pseudonyms import Renaming
from tournaments.domain.trail.chain import REDACTED, Texts
from tournaments.domain.trail.rows import ALL_KINDS, CLUB_KINDS, KINDS, ROWS
from tournaments.models import (
    AuditEvent,
    Club,
    Erasure,
    Match,
    Pair,
    Player,
    Record,
    RestorePoint,
    Tournament,
)
from tournaments.models.audited import audited_rows, audited_rows_of_club
from tournaments.people.services.clubs import extended_earlier_names, refuse_alike
from tournaments.profiles.queries.person import (
    BATCH_SIZE,
    all_rows,
    rows_naming,
    rows_with_letters,
    tournaments_showing,
)
from tournaments.results.services.submission import ParsedRecord, parse_record

# --- Renaming -------------------------------------------------------------------------------------
# Corrects the name of a player, pair or club. Code, entries, results and rating stay, and every
# page shows the new name at once. Records and history stay as written: the player's earlier name is
# stored, so that a record with it still counts as the player's.


ENTRY, MATCH = "tournaments.entry", "tournaments.match"


@dataclass
class NewNames:
    """The new names by key; ``before`` maps old names to new ones."""

    players: dict[int, str] = field(default_factory=dict)
    pairs: dict[int, str] = field(default_factory=dict)
    before: dict[str, str] = field(default_factory=dict)

    def of_entry(self, name: str, pair: int | None, player: int | None) -> str:
        """Return the new name of an entry; unchanged if the entry has a name of its own."""
        new = self.pairs.get(pair or 0) or self.players.get(player or 0)
        return new if new is not None and self.before.get(name) == new else name

    def of_lineup(self, lineup: Mapping[str, Any]) -> dict[str, Any]:
        """Return a line-up with the new names of substitutes."""
        return {side: self._substitute_names(side_lineup) for side, side_lineup in lineup.items()}

    def _substitute_names(self, side_lineup: Mapping[str, Any]) -> dict[str, Any]:
        people = zip(side_lineup["players"], side_lineup["names"], strict=False)
        return {**side_lineup, "names": [self.players.get(key, name) for key, name in people]}


@transaction.atomic
def rename_player(actor: Actor, player: Player, name: str, *, as_written: bool = False) -> Player:
    """Correct a player's name, and the names of pairs that are made of their players' names.

    The same name changes nothing; one in doubt is right ``as_written``. Refuses FORBIDDEN,
    BAD_NAME, DOUBTFUL_NAME, ALREADY_ERASED, NAME_TAKEN.
    """
    refuse_unless(may_manage(actor, player.club), actor)
    club, name = lock_club(player.club), validate_name(name)
    player = refresh_row(club.players.select_related("club"), player)
    if Erasure.objects.filter(player_key=player.pk).exists():
        raise Refusal(Reason.ALREADY_ERASED)
    if name == player.name:
        return player
    validate_person(name, as_written=as_written)
    _refuse_taken(club.players.exclude(pk=player.pk).values_list("folded", flat=True), name)
    new = NewNames({player.pk: name}, before={player.name: name})
    pairs = _pairs_named_after(player, name)
    for pair, called in pairs:
        _refuse_taken(club.pairs.exclude(pk=pair.pk).values_list("folded", flat=True), called)
        new.pairs[pair.pk] = new.before[pair.name] = called
    tournaments = _locked(club, new, tournaments_showing(player))
    player.earlier = extended_earlier_names(player, name)
    player.name, player.folded = name, fold_name(name)
    player.save(update_fields=["name", "folded", "earlier"])
    for pair, called in pairs:
        Pair.objects.filter(pk=pair.pk).update(name=called, folded=fold_name(called))
    changed = _rename_in_tournaments(new, tournaments)
    write_event(actor, "player.renamed", club, club=club, code=player.code)
    for pair, _called in pairs:
        write_event(actor, "pair.renamed", club, club=club, code=pair.code)
    _log_events(actor, changed)
    return player


@transaction.atomic
def rename_pair(actor: Actor, pair: Pair, name: str) -> Pair:
    """Correct a pair's name; its players keep theirs.

    The same name changes nothing. Refuses FORBIDDEN, BAD_NAME, NAME_TAKEN.
    """
    refuse_unless(may_manage(actor, pair.club), actor)
    club, name = lock_club(pair.club), validate_name(name)
    pair = refresh_row(club.pairs.select_related("club", "first", "second"), pair)
    if name == pair.name:
        return pair
    _refuse_taken(club.pairs.exclude(pk=pair.pk).values_list("folded", flat=True), name)
    new = NewNames(pairs={pair.pk: name}, before={pair.name: name})
    tournaments = _locked(club, new, Tournament.objects.filter(entries__pair=pair))
    pair.name, pair.folded = name, fold_name(name)
    pair.save(update_fields=["name", "folded"])
    changed = _rename_in_tournaments(new, tournaments)
    write_event(actor, "pair.renamed", club, club=club, code=pair.code)
    _log_events(actor, changed)
    return pair


@transaction.atomic
def rename_club(
    actor: Actor, club: Club, *, name: str, city: str, may_be_alike: bool = True
) -> Club:
    """Correct the name and the town of a club; its URL stays.

    The same values change nothing. Refuses FORBIDDEN, BAD_NAME, and CLUB_ALIKE for a new name
    unless ``may_be_alike``.
    """
    refuse_unless(may_manage(actor, club), actor)
    club, name = lock_club(club), validate_name(name)
    city = validate_name(city) if city else ""
    if (name, city) == (club.name, club.city):
        return club
    if name != club.name and not may_be_alike:
        refuse_alike(Club.objects.exclude(pk=club.pk), name)
    club.name, club.city = name, city
    for tournament in club.tournaments.order_by("pk"):  # their pages show the club's name
        raise_version(lock_tournament(tournament))
    club.save(update_fields=["name", "city"])
    write_event(actor, "club.renamed", club, club=club, code=club.slug)
    return club


def _refuse_taken(names: Iterable[str], name: str) -> None:
    if fold_name(name) in set(names):
        raise Refusal(Reason.NAME_TAKEN, text=name)


def _pairs_named_after(player: Player, name: str) -> list[tuple[Pair, str]]:
    """Return the pairs named after their two players, each with its new name.

    Refuses BAD_NAME for a name that would be too long.
    """
    pairs = Pair.objects.filter(Q(first=player) | Q(second=player)).select_related(
        "first", "second"
    )
    renamed = []
    for pair in pairs.order_by("pk"):
        members = (pair.first, pair.second)
        if pair.name == name_of_two(*(member.name for member in members)):
            names = (name if member == player else member.name for member in members)
            renamed.append((pair, validate_name(name_of_two(*names))))
    return renamed


def _locked(club: Club, new: NewNames, tournaments: Iterable[Tournament]) -> list[Tournament]:
    """Lock the tournaments that show an old name, and those whose restore points contain it."""
    restorable = {point.tournament_id for point in _points(club, new)}
    keys = sorted({tournament.pk for tournament in tournaments} | restorable)
    rows = Tournament.objects.in_bulk(keys)
    return [lock_tournament(rows[key]) for key in keys]


def _points(club: Club, new: NewNames) -> Iterable[RestorePoint]:
    points: Iterable[RestorePoint] = rows_naming(
        RestorePoint, ("snapshot",), Renaming(new.before), club
    )
    return points


def _rename_in_tournaments(
    new: NewNames, tournaments: Sequence[Tournament]
) -> list[tuple[Tournament, list[int]]]:
    """Rename in locked tournaments; return each with the numbers of its entries that changed.

    Refuses NAME_TAKEN if another entry has the name.
    """
    changed = [(tournament, _entries_renamed(new, tournament)) for tournament in tournaments]
    matches = Match.objects.filter(round__stage__tournament__in=tournaments).exclude(lineup={})
    for match in matches.only("lineup"):
        lineup = new.of_lineup(match.lineup)
        if lineup != match.lineup:
            Match.objects.filter(pk=match.pk).update(lineup=lineup)
    for point in RestorePoint.objects.filter(tournament__in=tournaments).iterator():
        snapshot = _renamed_snapshot(new, point.snapshot)
        if snapshot != point.snapshot:
            RestorePoint.objects.filter(pk=point.pk).update(snapshot=snapshot)
    for tournament in tournaments:
        raise_version(tournament)
    return changed


def _entries_renamed(new: NewNames, tournament: Tournament) -> list[int]:
    """Rename the entries of a tournament; return the numbers of all that show another name."""
    entries = list(tournament.entries.with_players().order_by("number"))
    renamed = []
    for entry in entries:
        name = new.of_entry(entry.name, entry.pair_id, entry.player_id)
        if name != entry.name:
            _refuse_taken((other.folded for other in entries if other != entry), name)
            entry.name, entry.folded = name, fold_name(name)
            entry.save(update_fields=["name", "folded"])
        elif all(player.pk not in new.players for player in entry.players):
            continue
        renamed.append(entry.number)  # also of a pair with a name of its own: files name players
    return renamed


def _renamed_snapshot(new: NewNames, snapshot: Mapping[str, Any]) -> dict[str, Any]:
    """Return the snapshot of a restore point with the new names."""
    rows = json.loads(snapshot["rows"])
    for row in rows:
        fields = row["fields"]
        if row["model"] == ENTRY:
            name = new.of_entry(fields["name"], fields["pair"], fields["player"])
            fields |= {"name": name, "folded": fold_name(name)}
        elif row["model"] == MATCH and fields["lineup"]:
            fields["lineup"] = new.of_lineup(fields["lineup"])
    if rows == json.loads(snapshot["rows"]):
        return dict(snapshot)
    return {**snapshot, "rows": json.dumps(rows, ensure_ascii=False)}


def _log_events(actor: Actor, changed: Collection[tuple[Tournament, list[int]]]) -> None:
    """Write into the history of tournaments which entries were renamed."""
    for tournament, numbers in changed:
        if numbers:
            rows = tournament.entries.filter(number__in=numbers)
            facts = {"entries": numbers, "rows": rows}
            write_tournament_event(actor, "entry.renamed", tournament, tournament, **facts)


# --- Scrubbing ------------------------------------------------------------------------------------
# Replaces names in every row that may contain them. The columns are listed in
# :mod:`tournaments.domain.personal_data`. The database preselects rows by letters that every
# spelling of a name has.


class RedactionError(RuntimeError):
    """A record that would describe another game without the name; nothing is changed then."""


def scrub_texts(renaming: Renaming, club: Club | None) -> dict[str, list[int]]:
    """Replace names in the texts of a club, or of all clubs for None.

    Returns the keys of changed rows that the audit compares, by kind.
    """
    changed = {
        model.__name__.lower(): _scrub_rows(model, columns, renaming, club)
        for model in sorted(apps.get_models(), key=lambda model: model.__name__)
        if (columns := searched_columns().get(model.__name__))
    }
    return {kind: changed.get(kind, []) for kind in ALL_KINDS}


def _scrub_rows(
    model: type[Model], columns: tuple[str, ...], renaming: Renaming, club: Club | None
) -> list[int]:
    changed = []
    for row in rows_naming(model, columns, renaming, club):
        values = {name: getattr(row, name) for name in columns}
        new = {name: _replaced(model, name, value, renaming) for name, value in values.items()}
        if new != values:
            all_rows(model).filter(pk=row.pk).update(**new)
            changed.append(row.pk)
    return changed


def _replaced(model: type[Model], name: str, value: Any, renaming: Renaming) -> Any:
    if model is RestorePoint and name == "snapshot":
        return _snapshot(value, renaming)
    new = renaming.value(value)
    field = model._meta.get_field(name)
    if isinstance(field, CharField) and field.max_length and isinstance(new, str):
        return new[: field.max_length]
    return new


def _snapshot(snapshot: Mapping[str, Any], renaming: Renaming) -> dict[str, Any]:
    """Return the snapshot of a restore point with names replaced and folded names recomputed."""
    before = json.loads(snapshot["rows"])
    rows = renaming.value(before)
    if rows == before:
        return dict(snapshot)
    for row in rows:
        fields = row["fields"]
        if "folded" in fields:
            fields["folded"] = fold_name(fields["name"])
    return {**snapshot, "rows": json.dumps(rows, ensure_ascii=False)}


def write_reworded_rows(
    actor: Actor, club: Club, changed: Mapping[str, Collection[int]], redacted: Collection[int]
) -> None:
    """Write the baseline of reworded rows into the audit; ``changed`` has their keys by kind.

    Rows that an event of ``redacted`` (numbers) stated are stated again: with its salt went what
    their texts could be compared by. Call it last in a transaction.
    """
    keys = {kind: set(changed.get(kind, ())) for kind in ALL_KINDS}
    for facts in _facts_with_rows(club, redacted):
        for kind, rows in facts[ROWS].items():
            keys[kind].update(row[0] for row in rows if row[-1])  # not those without texts
    for tournament in Tournament.objects.filter(club=club).select_related("club").order_by("pk"):
        rows = (
            RewordedRow(row)
            for kind in KINDS
            if keys[kind]
            for row in audited_rows(kind, tournament.pk)
            if row.pk in keys[kind]
        )
        write_baseline(actor, tournament, "erasure", rows)
    rows = (
        RewordedRow(row)
        for kind in CLUB_KINDS
        if keys[kind]
        for row in audited_rows_of_club(kind, club.pk)
        if row.pk in keys[kind]
    )
    write_club_baseline(actor, club, "erasure", rows)


def _facts_with_rows(club: Club, sequences: Collection[int]) -> Iterator[dict[str, Any]]:
    """Yield the facts of these events that state rows."""
    rest = iter(sequences)
    while batch := list(islice(rest, BATCH_SIZE)):
        events = AuditEvent.objects.filter(club=club, sequence__in=batch, facts__has_key=ROWS)
        yield from events.values_list("facts", flat=True)


# --- records -------------------------------------------------------------------------------------


def scrub_records(renaming: Renaming, club: Club | None, redacted_at: datetime) -> set[int]:
    """Replace names in the texts of records and replay them; return the keys of changed records.

    A record that counts keeps its digest, which covers no names. Raises RedactionError otherwise.
    """
    changed: set[int] = set()
    for record in rows_naming(Record, ("text", "verdict"), renaming, club):
        parsed = _redacted(record, renaming)
        if parsed is None:
            continue
        Record.objects.filter(pk=record.pk).update(
            text=parsed.text,
            sha256=parsed.sha256,
            digest=parsed.verdict.digest or "",
            verdict=parsed.verdict_json,
            redacted_at=redacted_at,
        )
        changed.add(record.pk)
    return changed


def _redacted(record: Record, renaming: Renaming) -> ParsedRecord | None:
    """Return a record without the names, or None if it contains none of them."""
    for hands in (True, False):
        text = _text(record, renaming, hands=hands)
        if text == record.text:
            return None
        parsed = parse_record(_unique_text(record, text))
        if not record.digest or parsed.verdict.digest == record.digest:
            return parsed
    raise RedactionError(f"record {record.pk} would tell of another game")


def _text(record: Record, renaming: Renaming, *, hands: bool) -> str:
    try:
        return renaming.record(record.text, hands=hands)
    except ValueError:  # not JSON: kept as evidence
        return renaming.text(record.text)


def _unique_text(record: Record, text: str) -> str:
    """Return the text, with line feeds added while another record of the match has the same hash.

    Two refused texts may have differed only by the spelling of the name.
    """
    others = Record.objects.filter(match=record.match_id).exclude(pk=record.pk)
    digests = set(others.values_list("sha256", flat=True))
    while hashlib.sha256(text.encode()).hexdigest() in digests:
        text += "\n"
    return text


# --- the history ---------------------------------------------------------------------------------

# Columns of an event that may contain names.
EVENT_TEXTS: Final = ("actor", "subject", "facts")


def scrub_history(
    actor: Actor,
    club: Club,
    renaming: Renaming,
    *,
    user_pk: int | None = None,
    records: Collection[int] = (),
) -> Collection[int]:
    """Replace names in the events of a club by a redaction; return the numbers of these events.

    Includes the events of a user, and those about ``records`` whose texts have changed: their old
    hash is removed, since it would allow guessing the name. The redaction is itself an event: call
    it last in a transaction.
    """
    other = Q(subject_type="record", subject_pk__in=records)
    if user_pk is not None:
        other |= Q(user=user_pk)
    events = AuditEvent.objects.filter(club=club).exclude(verb=REDACTED)
    rows = rows_with_letters(events, EVENT_TEXTS, renaming, other).order_by("sequence")
    replaced: dict[int, Texts] = {}
    for event in rows.iterator(BATCH_SIZE):
        new = _renamed_texts(event, renaming, records)
        if new != event.texts:
            replaced[event.sequence] = new
    redact_events(actor, club, replaced)
    return replaced.keys()


def _renamed_texts(event: AuditEvent, renaming: Renaming, records: Collection[int]) -> Texts:
    facts: dict[str, Any] = renaming.value(event.facts)
    if event.subject_type == "record" and event.subject_pk in records:
        facts = {key: value for key, value in facts.items() if key != "sha256"}
    if ROWS in facts:  # digests and states: no names
        facts[ROWS] = event.facts[ROWS]
    return Texts(renaming.text(event.actor)[:200], renaming.text(event.subject)[:200], facts)
