"""Imports a tournament from its export: completely, or not at all with the place of the fault.

The document is read strictly and checked against itself: records are replayed, references must
resolve, and the imported tournament must have the digest that the export states. Players are
matched with the club's by name.
"""

import hashlib
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.db.models import NOT_PROVIDED, Model

import engine
from tournaments.core.audit import copy_events, write_baseline, write_event
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import lock_club
from tournaments.core.jobs import Job, post
from tournaments.core.names import SLUG, create_with_slug
from tournaments.core.permissions import Actor, may_manage, refuse_unless
from tournaments.director.queries.snapshot import rows_of
from tournaments.director.services.settings import refuse_bots_where_typed
from tournaments.domain.file import FileError, rules_from_dict
from tournaments.domain.file.places import (
    child_path,
    choice,
    fields_of,
    integer,
    optional,
    text,
    wrong_type,
)
from tournaments.domain.match_parts import (
    MAX_SETS,
    complete_stop,
    coto_of,
    has_two_sides,
    sets_of,
    stored_part,
    tally,
)
from tournaments.domain.names import (
    MAX_NAME_LENGTH,
    BadNameError,
    clean_name,
    fold_name,
    name_of_two,
)
from tournaments.domain.pairing import FORMATS
from tournaments.domain.proof import digest_of
from tournaments.domain.ranking import CannotRank, order_of
from tournaments.domain.rows import Stage as StageRows
from tournaments.domain.rows import TournamentRows
from tournaments.domain.scores import are_places, score_of, sides_of
from tournaments.domain.sides import COUNTED, MORE_SIDES, SCORES, SIDES
from tournaments.domain.trail.rows import ROWS
from tournaments.domain.trf import is_report
from tournaments.exchange.queries.exports import (
    BY_TYPE,
    EVENT,
    FORMAT,
    KINDS,
    TOURNAMENT,
    ListKind,
    file_refusal,
    map_players,
)
from tournaments.exchange.services.columns import any_value, check_event, lines_of, readers_of
from tournaments.models import (
    AuditEvent,
    Bot,
    Club,
    Match,
    Pair,
    Player,
    Record,
    Result,
    Stage,
    Tournament,
)
from tournaments.results.services.results import coto_rows, set_rows
from tournaments.results.services.submission import ParsedRecord, parse_record
from tournaments.results.services.write import write_hands

MAX_BYTES: Final = 64 * 1024 * 1024
"""Bytes of a document, at most."""

LISTS: Final = (*(kind.name for kind in KINDS), "events")
LATER: Final = frozenset(
    (
        "confirm_minutes",
        "round_minutes",
        "warn_minutes",
        "late_minutes",
        "grace_minutes",
        "proposed_day",
        "begins_at",
        "cancelled_at",
        "prizes_meant_for",
        "places",
        *MORE_SIDES,
        *(f"{side}_{counted}" for side in MORE_SIDES for counted in COUNTED),
    )
)
"""Fields that older documents lack, besides those with a default in the database."""

ROW: Final = integer(1)


def _required(model: type[Model], names: Iterable[str]) -> set[str]:
    """Return the fields of every document: later columns have a default in the database."""
    later = {f.name for f in model._meta.concrete_fields if f.db_default is not NOT_PROVIDED}
    return set(names) - LATER - later


@transaction.atomic
def import_tournament(actor: Actor, club: Club, source: bytes | str) -> Tournament:
    """Create a tournament of the club from an export of another installation.

    It continues in the same state, under the same short name, because its deals are drawn from
    that. Refuses FORBIDDEN, SLUG_TAKEN, and BAD_EXPORT with the first fault and its place.
    """
    refuse_unless(may_manage(actor, club), actor)
    club = lock_club(club)
    try:
        with transaction.atomic():
            tournament = _Import(club, _document(source)).run()
    except FileError as error:
        raise file_refusal(error, Reason.BAD_EXPORT) from error
    post(Job.RATE, tournament.pk)
    write_baseline(actor, tournament, "import")
    write_event(
        actor,
        "tournament.imported",
        tournament,
        club=club,
        entries=tournament.entries.count(),
        version=tournament.version,
    )
    return tournament


def _document(source: bytes | str) -> Mapping[str, Any]:
    """Read the JSON of an export and check the names of its parts."""
    if len(source) > MAX_BYTES:
        raise FileError("too_large", most=MAX_BYTES)
    try:
        decoded = source if isinstance(source, str) else engine.decode_text(source)[0]
    except UnicodeDecodeError:
        raise FileError("bad_encoding") from None
    start = decoded[:400].encode(errors="replace")
    if is_report(start):
        raise FileError("is_report")
    if start.strip() and not start.lstrip().startswith((b"{", b"[")):
        raise FileError("not_an_export")
    try:
        document = engine.read_json(decoded)
    except engine.RecordError as error:
        detail = error.fault.facts.get("detail", error.reason)
        raise FileError("bad_json", detail=detail, line=error.line, column=error.column) from error
    if not isinstance(document, Mapping):
        raise wrong_type("", "object", document)
    choice(FORMAT)(document.get("format"), "/format")
    readers = {
        "format": text(),
        "made_by": text(),
        "club": any_value,
        "tournament": any_value,
        "digest": text(),
        **dict.fromkeys(LISTS, lines_of),
    }
    return fields_of(document, "", readers, required=readers)


@dataclass
class _Import:
    """One import.

    ``made`` are the rows by list and by their number in the document, ``parsed`` the replayed
    records by the hash of their text, ``file_names`` the names in the document of players and pairs
    by the names that they have in the club, ``entry_names`` those of their entries by number.
    """

    club: Club
    document: Mapping[str, Any]
    made: dict[str, dict[int, Any]] = field(default_factory=dict)
    parsed: dict[str, ParsedRecord] = field(default_factory=dict)
    file_names: dict[tuple[type[Model], str], str] = field(default_factory=dict)
    entry_names: dict[int, str] = field(default_factory=dict)

    def run(self) -> Tournament:
        """Create all rows and compare the tournament with what the document states."""
        tournament = self._tournament()
        for kind in KINDS:
            read_rows = [self._read(kind, *line) for line in self._lines(kind.name)]
            self._make(kind, tournament, read_rows)
        self._check(tournament)
        copy_events(self.club, [self._event(tournament, *line) for line in self._lines("events")])
        return tournament

    def _lines(self, name: str) -> Iterable[tuple[str, Any]]:
        """Yield the rows of a list with their places."""
        for index, row in enumerate(self.document[name]):
            yield child_path(f"/{name}", index), row

    def _tournament(self) -> Tournament:
        readers = readers_of(Tournament, TOURNAMENT)
        required = _required(Tournament, readers)
        fields = fields_of(self.document["tournament"], "/tournament", readers, required=required)
        fields["name"] = _name(fields["name"], "/tournament/name")
        _check_game(fields)
        name, slug = fields.pop("name"), fields.pop("slug")
        rows = Tournament.objects.all()
        try:
            return create_with_slug(rows, name, slug, club=self.club, **fields)
        except IntegrityError as error:
            raise FileError("bad_row", "/tournament", detail=_detail(error)) from error

    def _read(self, kind: ListKind, path: str, row: Any) -> tuple[str, int, dict[str, Any]]:
        """Read a row: its place, its number, and its fields with the rows that they refer to."""
        readers = {"id": ROW, **readers_of(kind.model, kind.fields)}
        nullable = {name: kind.model._meta.get_field(name).null for name in kind.refs}
        readers |= {name: optional(ROW) if nullable[name] else ROW for name in kind.refs}
        fields = fields_of(row, path, readers, required=_required(kind.model, readers))
        number = fields.pop("id")
        for name, where in kind.refs.items():
            if fields.get(name) is not None:
                fields[name] = self._named(where, fields[name], child_path(path, name))
        return path, number, fields

    def _named(self, where: str, number: int, path: str) -> Any:
        rows = self.made[where]
        if number not in rows:
            raise FileError("unknown_row", path, list=where, found=number)
        return rows[number]

    def _make(
        self, kind: ListKind, tournament: Tournament, rows: list[tuple[str, int, dict[str, Any]]]
    ) -> None:
        """Create the rows of a list."""
        rows_by_number = self.made.setdefault(kind.name, {})
        new: list[Model] = []
        for path, number, fields in rows:
            if number in rows_by_number:
                raise FileError("twice", child_path(path, "id"), found=number)
            rows_by_number[number], is_new = self._row(kind, tournament, path, fields)
            new += [rows_by_number[number]] if is_new else []
        try:
            with transaction.atomic():
                kind.model._default_manager.bulk_create(new)  # noqa: SLF001 - Django's own name
        except IntegrityError as error:
            raise FileError("bad_row", f"/{kind.name}", detail=_detail(error)) from error
        if kind.model is Record:
            self._write_hands(rows)

    def _row(
        self, kind: ListKind, tournament: Tournament, path: str, fields: dict[str, Any]
    ) -> tuple[Any, bool]:
        """Return a row and whether it is new."""
        if kind.model in {Player, Pair, Bot}:
            return self._participant(kind, fields, path)
        if kind.name == "entries":
            if tournament.deal_sets and fields["bot"] is None:
                raise FileError("bad_row", child_path(path, "bot"), detail="bots_only")
            fields["name"] = self._entry_name(fields)
            fields["folded"] = fold_name(fields["name"])
        if kind.name in {"entries", "stages"}:
            fields["tournament"] = tournament
        if kind.model is Stage:
            self._check_stage(fields, path, tournament)
            # An export leaves the seed of the next draw out: this installation commits to its own.
            fields["next_seed"] = secrets.token_hex(32)
        if kind.model is Match:
            fields["lineup"] = self._lineup(fields["lineup"], child_path(path, "lineup"))
        if kind.model is Record:
            self.parsed[fields["sha256"]] = _checked_record(fields, path)
        if kind.model is Result:
            self._check_result(fields, path, tournament.version)
        return kind.model(**fields), True

    def _check_stage(self, fields: Mapping[str, Any], path: str, tournament: Tournament) -> None:
        """Check that a stage has a known format, valid rules, and entrants that can play in it."""
        choice(*FORMATS)(fields["format"], child_path(path, "format"))
        settings_path = child_path(path, "settings")
        rules = rules_from_dict(fields["settings"], FORMATS[fields["format"]].rules, settings_path)
        try:
            order_of(StageRows(number=1, format=fields["format"], rules=rules))
        except CannotRank as error:
            raise FileError(
                "bad_row", child_path(settings_path, "order"), detail=error.code
            ) from error
        entries = self.made["entries"].values()
        if tournament.deal_sets or any(entry.bot for entry in entries):
            try:
                refuse_bots_where_typed(
                    [Stage(settings=fields["settings"], format=fields["format"])]
                )
            except Refusal as refusal:
                typed_path = child_path(settings_path, "typed_only")
                raise FileError("bad_row", typed_path, detail=refusal.reason.code) from refusal
        entry_numbers = {entry.number for entry in entries}
        for index, number in enumerate(fields["entrants"]):
            if number not in entry_numbers:
                entrant_path = child_path(child_path(path, "entrants"), index)
                raise FileError("unknown_entrant", entrant_path, found=number)

    # --- people ------------------------------------------------------------------------------

    def _participant(self, kind: ListKind, fields: dict[str, Any], path: str) -> tuple[Any, bool]:
        """Return a player, pair or bot and whether it is new; the club may have it already."""
        fields["name"] = _name(fields["name"], child_path(path, "name"))
        if kind.model is Bot:
            bot = self._bot(fields, path)
            return (Bot(club=self.club, **fields), True) if bot is None else (bot, False)
        file_name = fields["name"]
        if kind.model is Player:
            person: Any = self._player(fields, path)
        else:
            fields["name"] = self._pair_name(fields)
            person = self._pair(fields, file_name, path)
        is_new = person is None
        if is_new:
            person = kind.model(club=self.club, folded=fold_name(fields["name"]), **fields)
        self.file_names[kind.model, person.name] = file_name
        return person, is_new

    def _pair_name(self, fields: Mapping[str, Any]) -> str:
        """Return the name of a pair; one named after its players has the names of the club's."""
        name: str = fields["name"]
        names = [fields["first"].name, fields["second"].name]
        if name != name_of_two(*(self.file_names[Player, called] for called in names)):
            return name
        new = name_of_two(*names)
        return new if len(new) <= MAX_NAME_LENGTH else name

    def _entry_name(self, fields: Mapping[str, Any]) -> str:
        """Return the name that the club has for an entry, unless the entry has one of its own."""
        name: str = fields["name"]
        person: Player | Pair | None = fields["pair"] or fields["player"]
        if person is None or self.file_names[type(person), person.name] != name:
            return name
        self.entry_names[fields["number"]] = name
        return person.name

    def _player(self, fields: dict[str, Any], path: str) -> Player | None:
        """Return the player of the club with this name, or with this code who had it before.

        Checks the earlier names of the player in the document.
        """
        earlier, earlier_path = fields.get("earlier", ""), child_path(path, "earlier")
        fields["earlier"] = "\n".join(
            _name(line, earlier_path) for line in earlier.split("\n") if line
        )
        players, folded = Player.objects.filter(club=self.club), fold_name(fields["name"])
        player = players.filter(folded=folded).first()
        if player is None:
            player = players.filter(code=fields["code"]).first()
            if player is not None and folded not in map(fold_name, player.earlier_names):
                raise FileError("name_of_another", child_path(path, "code"), found=fields["code"])
        return player

    def _pair(self, fields: Mapping[str, Any], file_name: str, path: str) -> Pair | None:
        """Return the pair of the club with this name or, of the same players, with this code.

        Refuses one with other players.
        """
        pairs = Pair.objects.filter(club=self.club)
        members = fields["first"].pk, fields["second"].pk
        for name in (fields["name"], file_name):
            if pair := pairs.filter(folded=fold_name(name)).first():
                if (pair.first_id, pair.second_id) != members:
                    raise FileError("other_people", child_path(path, "name"), found=name)
                return pair
        of_code = pairs.filter(code=fields["code"]).first()
        if of_code is not None and (of_code.first_id, of_code.second_id) != members:
            raise FileError("name_of_another", child_path(path, "code"), found=fields["code"])
        return of_code

    def _bot(self, fields: Mapping[str, Any], path: str) -> Bot | None:
        """Return the bot of the house or of the club with this short name."""
        if not SLUG.fullmatch(fields["slug"]):  # it is in addresses
            raise FileError("bad_row", child_path(path, "slug"), detail=fields["slug"])
        bot = Bot.objects.filter(slug=fields["slug"]).first()
        if bot is not None and (
            bot.kind != fields["kind"] or bot.club_id not in {None, self.club.pk}
        ):
            raise FileError("name_of_another", child_path(path, "slug"), found=fields["slug"])
        return bot

    def _lineup(self, lineup: Mapping[str, Any], path: str) -> dict[str, Any]:
        players = self.made["players"]
        for side, people in lineup.items():
            players_path = child_path(child_path(path, side), "players")
            rows = [self._named("players", number, players_path) for number in people["players"]]
            people["names"] = [row.name for row in rows]
        return map_players(lineup, {number: row.pk for number, row in players.items()})

    # --- what follows from the rest ----------------------------------------------------------

    def _write_hands(self, rows: Iterable[tuple[str, int, dict[str, Any]]]) -> None:
        """Write the hands of the records that results were made from."""
        for _, number, fields in rows:
            if fields["state"] in {Record.State.ACCEPTED, Record.State.SUPERSEDED}:
                parsed = self.parsed[fields["sha256"]]
                if parsed.record is not None:
                    write_hands(self.made["records"][number], parsed.record, parsed.verdict)

    def _check_result(self, fields: Mapping[str, Any], path: str, version: int) -> None:
        """Check that the versions and sides of a result exist, and its score with its record."""
        for name in ("counts_from", "counts_until"):
            if fields[name] is not None and fields[name] > version:
                raise _contradiction(child_path(path, name), version, fields[name])
        _check_sides(fields, path)
        record = fields["record"]
        if record is None or fields["depth"] != Result.Depth.RECORD:
            return
        if record.match is not fields["match"]:
            raise _contradiction(child_path(path, "record"), "null", "a record of another match")
        tournament = fields["match"].tournament
        if tournament.cotos > 1 or tournament.deal_sets:
            check = self._check_sets if tournament.deal_sets else self._check_cotos
            check(fields, path)
            return
        if record.state == Record.State.REFUSED:
            raise _contradiction(child_path(path, "record"), "a valid record", record.state)
        score = score_of(self.parsed[record.sha256].verdict, record.home_side)
        for name in (*SCORES, "places"):
            if (given := fields.get(name)) != (replayed := getattr(score, name)):
                raise _contradiction(child_path(path, name), replayed, given)

    def _check_cotos(self, fields: Mapping[str, Any], path: str) -> None:
        """Check that a result of several cotos is that of their records."""
        match, counted = fields["match"], {Record.State.ACCEPTED, Record.State.SUPERSEDED}
        rows = [
            (record.coto, row)
            for record in self.made["records"].values()
            if record.match is match and record.state in counted
            for row in coto_rows([coto_of(record.verdict, record.home_side)])
        ]
        for number, row in enumerate(fields["hand_scores"], start=1):
            if (number, row) not in rows:
                row_path = child_path(child_path(path, "hand_scores"), number - 1)
                raise _contradiction(row_path, "a record of this coto", "another")
        for side in SIDES[: len(match.sides)]:
            won = sum(row.get("winner") == side for row in fields["hand_scores"])
            if fields[f"{side}_hands"] != won:
                raise _contradiction(
                    child_path(path, f"{side}_hands"), won, fields[f"{side}_hands"]
                )

    def _check_sets(self, fields: Mapping[str, Any], path: str) -> None:
        """Check that a result of deal sets is that of their records."""
        match = fields["match"]
        accepted = [
            record
            for record in self.made["records"].values()
            if record.match is match and record.state == Record.State.ACCEPTED
        ]
        sets = sets_of(
            [
                stored_part(record.verdict, record.home_side)
                for record in sorted(accepted, key=lambda record: record.coto)
            ]
        )
        rows = list(set_rows(sets))
        if fields["live"] and list(fields["hand_scores"]) != rows:
            raise _contradiction(child_path(path, "hand_scores"), rows, fields["hand_scores"])
        score = tally(sets, len(match.sides))
        names = [*SIDES[: len(match.sides)]]
        for name, hands, points in zip(names, score.hands, score.points, strict=True):
            for field_, value in ((f"{name}_hands", hands), (f"{name}_points", points)):
                if fields["live"] and fields[field_] != value:
                    raise _contradiction(child_path(path, field_), value, fields[field_])

    def _check(self, tournament: Tournament) -> None:
        """Compare the states of matches with their results, and the tournament with its digest."""
        counting = {
            row.match.pk
            for row in self.made["results"].values()
            if row.counts_from is not None and row.counts_until is None
        }
        for index, match in enumerate(self.made["matches"].values()):
            counts = match.pk in counting
            # A result that counted goes on counting while it is disputed.
            is_known = match.state == Match.State.DISPUTED or counts == (
                match.state == Match.State.ACCEPTED
            )
            if not is_known:
                expected = "accepted" if counts else "pending"
                raise _contradiction(f"/matches/{index}/state", expected, match.state)
        rows = rows_of(tournament)
        earlier: set[int] = set()
        for index, stage in enumerate(rows.stages):
            source = stage.rules.source or stage.number - 1
            if stage.number > 1 and source not in earlier:
                raise FileError("unknown_stage", f"/stages/{index}/settings/source", found=source)
            earlier.add(stage.number)
            numbers = {
                number for r in stage.published for table in r.tables for number in table.entrants
            }
            for stranger in sorted(numbers - set(stage.entrants)):
                entrants_path = f"/stages/{index}/entrants"
                raise _contradiction(entrants_path, stranger, list(stage.entrants))
        digest = digest_of(self._with_file_names(rows))
        if digest != self.document["digest"]:
            raise _contradiction("/digest", digest, self.document["digest"])

    def _with_file_names(self, rows: TournamentRows) -> TournamentRows:
        """Return the rows with the names of the document, which its digest covers."""
        names = {name: n for (kind, name), n in self.file_names.items() if kind is Player}
        entrants = tuple(
            replace(
                entrant,
                name=self.entry_names.get(entrant.number, entrant.name),
                players=tuple(names.get(name, name) for name in entrant.players),
            )
            for entrant in rows.entrants
        )
        return replace(rows, entrants=entrants)

    def _event(self, tournament: Tournament, path: str, row: Any) -> AuditEvent:
        readers = {"about": optional(ROW), **readers_of(AuditEvent, EVENT)}
        fields = fields_of(row, path, readers, required=readers)
        about, where = fields.pop("about"), BY_TYPE.get(fields["subject_type"])
        subject = 0
        if where is None and about is not None:
            raise FileError("unknown_row", child_path(path, "about"), list="", found=about)
        if fields["subject_type"] == "tournament":
            subject = tournament.pk
        elif where is not None and about is not None:
            subject = self._named(where, about, child_path(path, "about")).pk
        fields["facts"].pop(ROWS, None)  # digests of rows by keys of the other installation
        check_event(fields["verb"], fields["facts"], path)
        return AuditEvent(tournament=tournament, subject_pk=subject, **fields)


def _contradiction(path: str, expected: object, actual: object) -> FileError:
    return FileError("contradicts", path, expected_value=expected, found=str(actual)[:100])


def _check_sides(fields: Mapping[str, Any], path: str) -> None:
    """Check that a result names sides of its match alone, and for each hand the points of all."""
    match = fields["match"]
    sides = SIDES[: len(match.sides)]
    choice(*sides, "")(fields["decided"], child_path(path, "decided"))
    if (places := fields.get("places")) is not None:
        is_typed = "typed_only" in FORMATS[match.round.stage.format].settings
        has_hands = any(fields.get(f"{side}_hands") for side in sides)
        if has_hands or not is_typed or not are_places(places, len(sides)):
            raise FileError("bad_places", child_path(path, "places"), sides=len(sides))
    for index, side in enumerate(fields["forfeits"]):
        choice(*sides)(side, child_path(child_path(path, "forfeits"), index))
    for index, hand in enumerate(fields["hand_scores"]):
        if missing := [side for side in sides if side not in hand]:
            hand_path = child_path(child_path(path, "hand_scores"), index)
            raise FileError("missing_field", hand_path, field=missing[0])


def _detail(error: IntegrityError) -> str:
    """Return the first line of the database's error."""
    return str(error).splitlines()[0][:200]


def _name(text: str, path: str) -> str:
    try:
        return clean_name(text)
    except BadNameError as error:
        raise FileError("bad_row", path, detail=error.code) from error


def _check_game(fields: Mapping[str, Any]) -> None:
    """Check with the engine the rules that the tournament was played under."""
    choice(*engine.RULESETS)(fields["ruleset"], "/tournament/ruleset")
    seats = list(engine.RULESETS[fields["ruleset"]].seats)
    empty = {"format": "baza/1", "ruleset": fields["ruleset"], "options": fields["options"]}
    try:
        engine.parse_record({**empty, "seats": seats, "hands": []})
    except engine.RecordError as error:
        path = f"/tournament{error.fault.path}"
        raise FileError("bad_row", path, detail=error.fault.code) from error
    _check_sets(fields)


def _check_sets(fields: Mapping[str, Any]) -> None:
    """Check the number of deal sets, which exclude cotos, and that a test has sets of two sides."""
    if fields["deal_sets"] > (MAX_SETS if fields["cotos"] == 1 else 0):
        raise FileError("bad_row", "/tournament/deal_sets", detail=str(fields["deal_sets"]))
    try:
        test = complete_stop(fields["stop"])
    except ValueError as error:
        raise FileError("bad_row", "/tournament/stop", detail=str(error)) from error
    if test and not (fields["deal_sets"] and has_two_sides(fields["ruleset"])):
        raise FileError("bad_row", "/tournament/stop", detail="no deal sets of two sides")


def _checked_record(fields: dict[str, Any], path: str) -> ParsedRecord:
    """Replay a record and check its hash, its digest and its verdict."""
    parsed = parse_record(fields["text"])
    hashed = hashlib.sha256(fields["text"].encode()).hexdigest()
    if fields["sha256"] != hashed:
        raise _contradiction(child_path(path, "sha256"), hashed, fields["sha256"])
    if fields["digest"] != (parsed.verdict.digest or ""):
        raise _contradiction(child_path(path, "digest"), parsed.verdict.digest, fields["digest"])
    if fields["verdict"] != parsed.verdict_json:
        raise _contradiction(child_path(path, "verdict"), parsed.verdict.valid, "other")
    counted = fields["state"] in {Record.State.ACCEPTED, Record.State.SUPERSEDED}
    if counted and not parsed.verdict.valid:
        raise _contradiction(child_path(path, "state"), Record.State.REFUSED.value, fields["state"])
    if fields["state"] != Record.State.REFUSED:
        _check_home_side(fields["home_side"], parsed, child_path(path, "home_side"))
    return parsed


def _check_home_side(home_side: str, parsed: ParsedRecord, path: str) -> None:
    """Check that home can have sat so in a record."""
    try:
        sides = sides_of(home_side)
    except ValueError as error:
        raise FileError("bad_row", path, detail=home_side) from error
    if parsed.verdict.score is not None and set(sides) != set(parsed.verdict.score):
        raise FileError("bad_row", path, detail=home_side)
