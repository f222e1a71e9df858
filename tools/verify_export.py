"""Verifies the files that the service exports, with the standard library alone.

    python3 tools/verify_export.py FILE… [--key PUBLICKEY]

A file is a tournament's proof (docs/programs/tournament-file.md) or a trail
(docs/operators/audit.md); given together they are compared. It is written from these documents and
docs/clubs/standings.md, and shares no code with the service: what both find is found twice. Exit
code 0: everything holds, 1: something does not, 2: not a file that it can read.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from decimal import Context, Decimal
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from typing import Any

Json = dict[str, Any]

NOT_CHECKED = (
    "that each round is what the draw gives: baza verify-tournament",
    "who qualified, but for boards that are filled from one table: baza verify-tournament",
    "that the records are legal play and give these results: baza verify-tournament --records",
    "that the deals come from the seed of their round: baza verify-round",
    "tie-breaks named below as unknown, lots, and places in brackets and groups",
    "the order of entrants that a draw gave, and changes by hand",
    "places in other tournaments of several stages or groups: baza verify-tournament --source",
    "that the people named did it, and that a decision was right",
)
"""What the report says that it leaves out, and the command that checks it."""

ORDERS = {
    "swiss": ["buchholz_cut1", "direct_encounter", "hand_difference", "point_difference", "won"],
    "liguilla": ["direct_encounter", "hand_difference", "point_difference"],
    "groups": ["direct_encounter", "hand_difference", "point_difference"],
    "individual": ["opponents_partners", "point_difference", "won"],
    "tables": ["tables_won", "points_a_hand"],
    "threes": ["points_for", "tables_won", "mean_table_points_of_opponents"],
    "ladder": ["mean_match_points", "direct_encounter", "point_difference"],
    "duplicate": ["point_difference"],
}
"""The criteria where a stage names none (docs/clubs/standings.md)."""

FIXED = {"liguilla", "groups", "individual", "threes", "tables", "duplicate"}
FORMATS = {*ORDERS, "knockout", "double", "repesca", "lives"}
BRACKETS = {"knockout", "double", "repesca", "lives"}
REQUESTED = {"half", "zero"}
VOLUNTARY = {"half", "zero", "forfeit_loss"}

WORDS = {
    "comparison": ("", "matchpoints", "average"),
    "edition": ("2024", "2026"),
    "late": ("pairing", "full", "half", "zero"),
    "level_cut": ("tie", "hand", "points"),
    "places": ("listed", "played"),
    "scoring": ("match", "hands", "table", "points", "victory", "comparison"),
    "sums": ("rounded", "exact"),
}
"""Rules whose words decide points and places, with those that are computed here."""

RULES = {
    *(*WORDS, "beside", "byes", "carry", "deals", "dealt_by", "drop_rounds", "groups", "length"),
    *("lives", "lots", "match_bonus", "movement", "order", "other_size", "paired_by"),
    *("points_by_size", "points_cap", "reset_final", "rounds", "scale", "seated_by", "seeded"),
    *("seeding", "source", "switch", "table_points", "table_size", "take", "take_from", "take_out"),
    *("third_place", "turns", "typed_only", "victory_margin", "without"),
}
POINTS_BY_SIZE = ([4, "5/2", 1], [4, 3, 2, 1], [4, "13/4", "5/2", "7/4", 1])
MARKS = {"bye_mark", "forfeit_win_mark", "forfeit_loss_mark"}
SCALE = {*MARKS, "win", "tie", "loss", "bye", "full", "half", "forfeit_win", "forfeit_loss"}


class UnreadableError(Exception):
    """The file is not one that this program reads."""


class Report:
    """What was checked, and what does not hold."""

    def __init__(self) -> None:
        self.checked: list[str] = []
        self.faults: list[str] = []
        self.notes: list[str] = []

    def check(self, holds: bool, what: str, fault: str = "") -> bool:
        """Note that something holds, or the fault."""
        (self.checked if holds else self.faults).append(what if holds else fault or what)
        return holds


# --- hashes and signatures ---------------------------------------------------------------------


def sha256(data: bytes) -> str:
    """Return the hash as hex digits."""
    return hashlib.sha256(data).hexdigest()


def canonical(value: Any) -> bytes:
    """Return JSON as docs/operators/audit.md has it: ASCII, sorted keys, no spaces."""
    text = json.dumps(_whole(value), sort_keys=True, separators=(",", ":"), allow_nan=False)
    return text.encode("ascii")


def _whole(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _whole(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_whole(inner) for inner in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def layout(value: Any, depth: int = 0, before: int = 0) -> str:
    """Return JSON in the form of docs/programs/tournament-file.md, without the last line feed."""
    flat = json.dumps(value, ensure_ascii=False, sort_keys=True)
    if not value or not isinstance(value, dict | list) or len(flat) + depth + before <= 100:
        return flat
    inner = "\n" + " " * (depth + 1)
    if isinstance(value, list):
        parts = [layout(item, depth + 1, 1) for item in value]
        return "[" + ",".join(inner + part for part in parts) + "\n" + " " * depth + "]"
    parts = []
    for key in sorted(value):
        name = json.dumps(key, ensure_ascii=False) + ": "
        parts.append(name + layout(value[key], depth + 1, len(name) + 1))
    return "{" + ",".join(inner + part for part in parts) + "\n" + " " * depth + "}"


def tournament_digest(document: Json) -> str:
    """Return the digest of a tournament file: of everything but the proof."""
    rest = {name: value for name, value in document.items() if name != "proof"}
    return "sha256:" + sha256(("baza-tournament/1\n" + layout(rest) + "\n").encode())


P = 2**255 - 19
D = -121665 * pow(121666, P - 2, P) % P
L = 2**252 + 27742317777372353535851937790883648493
Point = tuple[int, int, int, int]


def _add(one: Point, other: Point) -> Point:
    a = (one[1] - one[0]) * (other[1] - other[0]) % P
    b = (one[1] + one[0]) * (other[1] + other[0]) % P
    c = 2 * one[3] * other[3] * D % P
    d = 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def _times(factor: int, point: Point) -> Point:
    total: Point = (0, 1, 1, 0)
    while factor:
        if factor & 1:
            total = _add(total, point)
        point = _add(point, point)
        factor >>= 1
    return total


def _point(data: bytes) -> Point:
    """Decode a point (RFC 8032, 5.1.3); raises ValueError."""
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if y >= P or (x * x - square) % P or (x == 0 and sign):
        raise ValueError("not a point of the curve")
    x = P - x if x & 1 != sign else x
    return x, y, 1, x * y % P


BASE = _point((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def is_signed(key: str, signature: str, message: bytes) -> bool:
    """Verify an Ed25519 signature (RFC 8032, 5.1.7); key and signature in hex digits."""
    try:
        public, signed = bytes.fromhex(key), bytes.fromhex(signature)
        if len(public) != 32 or len(signed) != 64:
            return False
        a, r, s = _point(public), _point(signed[:32]), int.from_bytes(signed[32:], "little")
    except ValueError:
        return False
    if s >= L:
        return False
    digest = hashlib.sha512(signed[:32] + public + message).digest()
    left, right = _times(s, BASE), _add(r, _times(int.from_bytes(digest, "little") % L, a))
    same_x = (left[0] * right[2] - right[0] * left[2]) % P == 0
    return same_x and (left[1] * right[2] - right[1] * left[2]) % P == 0


# --- chain -------------------------------------------------------------------------------------


def texts_of(event: Json, salt: str) -> str:
    """Return the commitment to the texts of an event."""
    texts = {name: event[name] for name in ("actor", "facts", "subject")}
    return sha256(b"baza-texts/1\n" + bytes.fromhex(salt) + canonical(texts))


def says_of(event: Json) -> str:
    """Return the hash of what an event says."""
    names = ("at", "club", "sequence", "subject_pk", "subject_type", "texts", "tournament", "verb")
    return sha256(b"baza-event/1\n" + canonical({name: event[name] for name in names}))


def linked(before: str, says: str) -> str:
    """Return the digest of an event after the digest of the one before."""
    return sha256(b"baza-link/1\n" + canonical({"before": before, "says": says}))


def checkpoint_message(checkpoint: Json) -> bytes:
    """Return the bytes that a checkpoint signs."""
    names = ("at", "before", "club", "digest", "key", "number", "sequence")
    return b"baza-checkpoint/1\n" + canonical({name: checkpoint[name] for name in names})


def check_checkpoint(report: Report, checkpoint: Json, keys: set[str]) -> bool:
    """Check key and signature of a checkpoint."""
    key, label = checkpoint["key"], f"checkpoint {checkpoint['number']}"
    if keys and key not in keys:
        return report.check(False, f"{label} is signed with another key: {key}")
    holds = is_signed(key, checkpoint["signature"], checkpoint_message(checkpoint))
    return report.check(holds, f"{label} is signed", f"{label}: the signature is wrong")


class Trail:
    """A trail file, read and checked from its first line to its last."""

    def __init__(self, lines: list[bytes], report: Report, keys: set[str]) -> None:
        values = [_loaded(line) for line in lines]
        self.report, self.head = report, values[0]
        self.events: list[Json] = []
        last = values[-1]
        body = lines[:-1] if last.get("end") else lines
        whole = {"end": True, "count": len(body), "sha256": sha256(b"".join(body))}
        report.check(last == whole, "the trail is whole", "the trail was cut short or changed")
        self.checkpoints = [value["checkpoint"] for value in values[1:] if "checkpoint" in value]
        self._check_checkpoints(keys)
        self._walk([value for value in values[1:] if "event" in value or "link" in value])
        self._check_redactions()
        self._check_seeds()

    def _check_checkpoints(self, keys: set[str]) -> None:
        for place, checkpoint in enumerate(self.checkpoints):
            check_checkpoint(self.report, checkpoint, keys)
            if place:
                before = self.checkpoints[place - 1]
                follows = checkpoint["before"] == sha256(checkpoint_message(before))
                follows = follows and checkpoint["number"] == before["number"] + 1
                if not follows:
                    self.report.check(
                        False, f"a checkpoint is missing before {checkpoint['number']}"
                    )
        if not self.checkpoints:
            self.report.notes.append("the trail has no checkpoint: its end may be missing")
        elif not keys:
            key = self.checkpoints[-1]["key"]
            self.report.notes.append(
                f"the key is the file's own: compare it with the club's page: {key}"
            )

    def _walk(self, values: list[Json]) -> None:
        """Follow the chain; every checkpoint has to meet the digest of its event."""
        head, number = self.head["before"], self.head["start"] - 1
        digests: dict[int, str] = {}
        broken = 0
        for value in values:
            event = value.get("event")
            entry = event or value["link"]
            says = says_of(event) if event else entry["says"]
            number += 1
            if entry["sequence"] != number:
                self.report.check(False, f"event {number} is missing or out of order")
                broken, number = broken + 1, entry["sequence"]
            elif linked(head, says) != entry["digest"]:
                self.report.check(False, f"event {number} is not as it was chained")
                broken += 1
            if event:
                self.events.append(event)
                if event["salt"] and texts_of(event, event["salt"]) != event["texts"]:
                    self.report.check(False, f"the texts of event {number} were changed")
                    broken += 1
            head = digests[number] = entry["digest"]
        if not broken:
            self.report.check(True, f"the chain holds up to event {number}")
        for entry in self.checkpoints:
            if digests.get(entry["sequence"]) != entry["digest"]:
                fault = f"checkpoint {entry['number']} signed another event {entry['sequence']}"
                self.report.check(False, fault)

    def _check_redactions(self) -> None:
        covered: dict[int, str] = {}
        for event in self.events:
            if event["verb"] == "audit.redacted":
                covered |= dict(event["facts"]["events"])
        for event in self.events:
            if not event["salt"] and covered.get(event["sequence"]) != texts_of(event, ""):
                fault = f"the texts of event {event['sequence']} were replaced without an event"
                self.report.check(False, fault)

    def of_verb(self, *verbs: str) -> list[Json]:
        """Return the events of some verbs whose texts are there."""
        return [event for event in self.events if event["verb"] in verbs and event["salt"]]

    def _check_seeds(self) -> None:
        """Every draw has the seed promised before it, every closed round the one it published."""
        tournament = self.head["tournament"]
        if tournament is None:
            return
        fields: dict[int, str] = {}
        commitments: dict[int, str] = {}
        verbs = ("tournament.created", "tournament.drawn", "round.drawn", "stage.drawn_again")
        for event in self.of_verb(*verbs, "stage.seeding_set", "round.published", "round.closed"):
            facts, verb, number = event["facts"], event["verb"], event["sequence"]
            if verb == "tournament.created":
                planned = enumerate(facts.get("stages", ()), start=1)
                fields = {n: stage_plan.get("draw_commitment", "") for n, stage_plan in planned}
            elif verb == "stage.seeding_set":
                fields.setdefault(facts["stage"], facts.get("commitment", ""))
            elif verb == "round.published":
                commitments[facts["round"]] = facts["commitment"]
            elif verb == "round.closed":
                label = f"{tournament['slug']}/{facts['round']}"
                commitment = seed_commitment(label, facts["seed"])
                if commitment != commitments.get(facts["round"], commitment):
                    fault = f"round {facts['round']}: the seed is not the one committed to"
                    self.report.check(False, fault)
            elif "draw_commitment" in facts:
                stage = facts.get("stage", 1)
                before = fields.get(stage)
                if before and before != facts["draw_commitment"]:
                    fault = f"event {number}: drawn with a seed that was not committed to"
                    self.report.check(False, fault)
                fields[stage] = facts.get("next_commitment", "")


# --- seeds -------------------------------------------------------------------------------------


def seed_commitment(label: str, seed: str) -> str:
    """Return the commitment to a seed under its label."""
    return sha256(f"baza-arena/1|{label}|".encode() + bytes.fromhex(seed))


def check_draws(report: Report, document: Json) -> None:
    """Each draw opens its commitment; the last of a stage is the one in force."""
    draws = document["proof"].get("draws", [])
    for stage in document["stages"]:
        stage_draws = [draw for draw in draws if draw["stage"] == stage["number"]]
        faults = [fault for n, draw in enumerate(stage_draws, 1) if (fault := _draw_fault(draw, n))]
        if stage_draws and stage["rounds"] and stage_draws[-1]["seed"] != stage.get("seed"):
            faults.append("the stage has another seed than its last draw")
        for fault in faults:
            report.check(False, f"stage {stage['number']}: {fault}")
        if stage_draws and not faults:
            report.check(True, f"stage {stage['number']}: the seed is the one committed to")
        for deal in stage_draws[1:]:
            reason = deal.get("reason") or "none"
            report.notes.append(f"stage {deal['stage']}: draw {deal['number']}, reason: {reason}")
        if not stage_draws and stage["rounds"]:
            report.notes.append(f"stage {stage['number']}: the file does not say how it was drawn")
    for deal in document["proof"].get("deals", []):
        if deal["number"] > 1:
            place = f"round {deal['round']}" if "round" in deal else f"stage {deal['stage']}"
            report.notes.append(f"{place}: its deals were committed to {deal['number']} times")


def _draw_fault(one: Json, number: int) -> str:
    """Return what is wrong with the draw at a place of its list, counted from 1; or nothing."""
    is_here = one["number"] == number
    if not is_here or not one["label"].endswith(f"/{one['stage']}/draw/{number}"):
        return f"draw {number} is missing"
    if seed_commitment(one["label"], one["seed"]) != one["commitment"]:
        return f"draw {number}: the seed is not the one committed to"
    return ""


def until(document: Json, after: int) -> Json:
    """Return a tournament up to a round, as a signature states it."""
    stages = []
    for stage in document["stages"]:
        rounds = [
            round_
            for round_ in stage["rounds"]
            if round_["number"] <= after and round_["state"] != "draft"
        ]
        copy = {**stage, "rounds": rounds}
        if not rounds:
            copy = {k: v for k, v in copy.items() if k not in ("seed", "lots", "drawn")}
            copy["entrants"] = []
        stages.append(copy)
    rest = {k: v for k, v in document.items() if k not in ("proof", "penalties", "stages")}
    penalties = [penalty for penalty in document.get("penalties", []) if penalty["round"] <= after]
    return rest | {"stages": stages} | ({"penalties": penalties} if penalties else {})


def check_signed(report: Report, document: Json, keys: set[str]) -> None:
    """The signature of the proof covers this tournament, its seeds and its draws."""
    proof = document["proof"]
    signed = proof.get("signed")
    if signed is None:
        if keys:
            report.check(False, "the proof is not signed, and a key was given")
        report.notes.append("not signed: a changed file could be proved in the same way")
        return
    event, checkpoint = signed["event"], signed["checkpoint"]
    head = linked(signed["before"], says_of(event))
    is_own = head == event["digest"]
    for says in signed["links"]:
        head = linked(head, says)
    chained = is_own and head == checkpoint["digest"] and event["verb"] == "tournament.signed"
    chained = chained and checkpoint["sequence"] == event["sequence"] + len(signed["links"])
    chained = chained and checkpoint["club"] == event["club"] and bool(event["salt"])
    chained = chained and texts_of(event, event["salt"]) == event["texts"]
    if not report.check(
        chained,
        "the statement leads to its checkpoint",
        "the signed statement is not under its checkpoint",
    ):
        return
    check_checkpoint(report, checkpoint, keys)
    if not keys:
        key = checkpoint["key"]
        report.notes.append(f"the key is the file's own: compare it with the club's page: {key}")
    facts = event["facts"]
    part = until(document, facts["after"])
    seeds = {
        str(stage["number"]): stage.get("seed", "") for stage in part["stages"] if stage["rounds"]
    }
    draws = {
        "deals": [
            deal
            for deal in proof.get("deals", [])
            if str(deal["stage"]) in seeds and deal.get("round", 0) <= facts["after"]
        ],
        "draws": [draw for draw in proof.get("draws", []) if str(draw["stage"]) in seeds],
    }
    result = {
        "digest": tournament_digest(part),
        "seeds": seeds,
        "draws": "sha256:" + sha256(b"baza-draws/1\n" + canonical(draws)),
    }
    for name, value in result.items():
        report.check(
            facts.get(name) == value,
            f"{name}: as signed, up to round {facts['after']}",
            f"{name}: not what was signed",
        )
    last = max((round_["number"] for s in document["stages"] for round_ in s["rounds"]), default=0)
    if facts["after"] < last:
        report.notes.append(f"what came after round {facts['after']} is not signed yet")


# --- points and tie-breaks ---------------------------------------------------------------------


class Game:
    """One round of one entrant: what it was, whom it was against, and what it brought."""

    def __init__(self, round_: int, kind: str, match_points: Fraction, **more: Any) -> None:
        self.round, self.kind, self.match_points = round_, kind, match_points
        self.opposed: Fraction = more.get("opposed", Fraction(0))
        self.opponents: list[int] = more.get("opponents", [])
        self.partners: list[int] = more.get("partners", [])
        self.hands, self.points = more.get("hands", 0), more.get("points", 0)
        self.hands_against = more.get("hands_against", 0)
        self.points_against = more.get("points_against", 0)

    @property
    def won(self) -> bool:
        """Played with more points than any other side, or awarded."""
        return self.kind == "forfeit_win" or (
            self.kind == "played" and self.match_points > self.opposed
        )

    @property
    def lost(self) -> bool:
        """Played with fewer points than another side, or forfeited."""
        return self.kind == "forfeit_loss" or (
            self.kind == "played" and self.match_points < self.opposed
        )

    @property
    def tied(self) -> bool:
        """Played and level."""
        return self.kind == "played" and self.match_points == self.opposed


def unknown_words(stage: Json) -> list[str]:
    """Return what a stage states and this program does not know: its table is not computed."""
    rules = stage["rules"]
    stated = [name for name in WORDS if name in rules]
    words = [f"{name} {rules[name]}" for name in stated if rules[name] not in WORDS[name]]
    if stage["format"] not in FORMATS:
        words.append(f"format {stage['format']}")
    return words + sorted({*(rules.keys() - RULES), *(rules["scale"].keys() - SCALE)})


Key = tuple[int, int]
"""A table: the numbers of its round and of itself."""


def stage_points(rules: Json, tables: dict[Key, Json]) -> dict[Key, list[Fraction]]:
    """Return the match points of each side of the tables that count."""
    counted = {
        key: table for key, table in tables.items() if len(table["sides"]) == 1 or has_result(table)
    }
    if rules["scoring"] == "comparison":
        return compared_points(rules, counted)
    points = {key: table_points(rules, table) for key, table in counted.items()}
    scale = rules["scale"]
    is_exact = rules.get("sums") == "exact" and Fraction(scale["bye"]) == Fraction(scale["win"])
    if rules["scoring"] == "victory" and is_exact:
        played = {key: points[key] for key, table in counted.items() if "hands" in table}
        means = _means(counted, played)
        for key, table in counted.items():
            if table.get("bye") == "pairing":
                points[key] = [means.get(table["sides"][0][0], Fraction(10))]
    return points


def compared_points(rules: Json, counted: dict[Key, Json]) -> dict[Key, list[Fraction]]:
    """Return the points of a duplicate: each deal beside the same deal at the other tables."""
    results: dict[int, list[tuple[Key, int]]] = {}
    for key, table in counted.items():
        if table.get("board_points") and not table.get("forfeits"):
            for board, (first, second) in zip(table["boards"], table["board_points"], strict=True):
                results.setdefault(board, []).append((key, first - second))
    is_butler, most = rules["comparison"] == "average", max(map(len, results.values()), default=0)
    points = {key: [Fraction(0)] * 2 for key, table in counted.items() if len(table["sides"]) == 2}
    compared = {key for rows in results.values() for key, _ in rows}
    for rows in results.values():
        for side, sign in enumerate((1, -1)):
            own = [sign * difference for _, difference in rows]
            for (key, _), number in zip(rows, own, strict=True):
                points[key][side] += _of_a_deal(number, own, most, is_butler, rules)
    means = _means(counted, {key: points[key] for key in compared})
    for key, table in counted.items():
        deals = len(table.get("boards", [])) or rules["deals"] or 1
        top = Fraction(0 if is_butler else 2 * max(most - 1, 0)) * deals
        if len(table["sides"]) == 1:
            shares = {"pairing": Fraction(1, 2), "full": Fraction(3, 5), "half": Fraction(1, 2)}
            worth = shares.get(table["bye"], Fraction(0)) * top
            entrant = table["sides"][0][0]
            points[key] = [means.get(entrant, worth) if table["bye"] == "pairing" else worth]
        elif forfeits := table.get("forfeits"):
            blameless = Fraction(3, 5) * top
            points[key] = [Fraction(0) if n in forfeits else blameless for n in range(2)]
    return points


def _of_a_deal(
    number: int, results: list[int], most: int, is_butler: bool, rules: Json
) -> Fraction:
    """Return what one of the results on a deal earns."""
    count = len(results)
    if not is_butler:
        lower = sum(result < number for result in results)
        raw = 2 * lower + results.count(number) - 1
        return Fraction(most, count) * (raw + 1) - 1
    if count == 1:
        return Fraction(0)
    points = number - Fraction(sum(results) - number, count - 1)
    return points if rules.get("sums") == "exact" else Fraction(round(100 * points), 100)


def _means(tables: dict[Key, Json], points: dict[Key, list[Fraction]]) -> dict[int, Fraction]:
    """Return by entrant the mean of its points."""
    rows: dict[int, list[Fraction]] = {}
    for key, awards in points.items():
        for side, award in zip(tables[key]["sides"], awards, strict=True):
            for entrant in side:
                rows.setdefault(entrant, []).append(award)
    return {entrant: sum(row, Fraction(0)) / len(row) for entrant, row in rows.items()}


def victory_points(rules: Json, points: list[int]) -> list[Fraction]:
    """Share out 20 by the continuous scale of the World Bridge Federation, in hundredths."""
    difference, context = abs(points[0] - points[1]), Context(prec=30)
    deals = context.sqrt(Decimal(rules["deals"] or 1))
    full = context.multiply(Decimal(rules["victory_margin"]), deals)
    winner = Fraction(20)
    if difference < full:
        golden = context.divide(context.sqrt(Decimal(5)) - 1, Decimal(2))
        power = context.power(golden, context.divide(Decimal(3 * difference), full))
        part = context.divide(1 - power, 1 - context.power(golden, Decimal(3)))
        winner = Fraction(round(1000 + 1000 * part), 100)
    pair = [winner, 20 - winner]
    return pair if points[0] >= points[1] else pair[::-1]


def table_points(rules: Json, table: Json) -> list[Fraction]:
    """Return the match points of each side of a table that counts by itself."""
    scale, sides = rules["scale"], len(table["sides"])
    forfeits = table.get("forfeits", [])
    hands: list[int] | None = table.get("hands")
    points: list[int] = table.get("points") or [0] * sides
    is_victory = rules["scoring"] == "victory"
    share = Fraction(20) / (Fraction(scale["win"]) or 1) if is_victory else Fraction(1)
    if sides == 1:
        worth = {"pairing": "bye", "full": "full", "half": "half"}.get(table["bye"])
        return [share * Fraction(scale[worth]) if worth else Fraction(0)]
    if rules["scoring"] == "table":
        return _by_rank(rules, table, hands, points)
    if forfeits:
        worth_of = ("forfeit_win", "forfeit_loss")
        return [share * Fraction(scale[worth_of[n in forfeits]]) for n in range(sides)]
    if rules["scoring"] == "points":
        return [Fraction(point) for point in points]
    if is_victory:
        return victory_points(rules, points)
    hands = hands or [0] * sides
    ranks = [-place for place in table.get("places", ())] or hands
    best = [n for n, rank in enumerate(ranks) if rank == max(ranks)]
    winner = table.get("decided", best[0] if len(best) == 1 else None)
    if rules["scoring"] == "hands":
        bonus = Fraction(rules.get("match_bonus", 0))
        return [hand + (bonus if n == winner else Fraction(0)) for n, hand in enumerate(hands)]
    if winner is None:
        return [Fraction(scale["tie"])] * sides
    return [Fraction(scale["win" if n == winner else "loss"]) for n in range(sides)]


def counted_marks(rules: Json, table: Json) -> tuple[list[int], list[int]]:
    """Return hands and card points of each side: a walk-over's own, points up to the cap."""
    sides, forfeits = len(table["sides"]), table.get("forfeits", [])
    win, loss = (rules["scale"].get(f"forfeit_{name}_mark", {}) for name in ("win", "loss"))
    if forfeits and any((*win.values(), *loss.values())):
        marks = [loss if n in forfeits else win for n in range(sides)]
        return [m.get("hands", 0) for m in marks], [m.get("points", 0) for m in marks]
    points = table.get("points") or [0] * sides
    cap = rules.get("points_cap")
    capped = points if cap is None else [min(point, cap) for point in points]
    return table.get("hands") or [0] * sides, capped


def _by_rank(
    rules: Json, table: Json, hands: list[int] | None, points: list[int]
) -> list[Fraction]:
    sides, forfeits, places = len(table["sides"]), table.get("forfeits", []), table.get("places")
    lists = [*rules.get("points_by_size", ()), *POINTS_BY_SIZE] if rules.get("table_size") else []
    own = [values for values in lists if len(values) == sides]
    fractions = [Fraction(value) for value in (own or [rules["table_points"]])[0]]
    if len(fractions) <= sides:
        fractions += [Fraction(0)] * (sides - len(fractions))
    else:
        fractions = [*fractions[: sides - 1], fractions[-1]]

    def strength(n: int) -> tuple[int, int]:
        if hands is None:
            return 0, 0
        if places:
            return -places[n], 0
        return (points[n], hands[n]) if sides == 2 else (hands[n], points[n])

    sides_present = sorted(
        (n for n in range(sides) if n not in forfeits), key=strength, reverse=True
    )
    result, at = [Fraction(rules["scale"]["forfeit_loss"] if own else 0)] * sides, 0
    for _, level in groupby(sides_present, strength):
        equals = list(level)
        for n in equals:
            result[n] = sum(fractions[at : at + len(equals)], Fraction(0)) / len(equals)
        at += len(equals)
    return result


def has_result(table: Json) -> bool:
    """Return whether a match has a result that counts."""
    return "hands" in table or bool(table.get("forfeits"))


def late_byes(
    rules: Json, numbers: list[int], entrants: dict[int, Json], tables: dict[Key, Json]
) -> dict[Key, Json]:
    """Return tables, below all others, for the rounds before a late entry.

    By the rule `exact` they earn what a bye of this kind does, under victory points and compared.
    """
    if rules["scoring"] not in ("victory", "comparison") or rules.get("sums") != "exact":
        return {}
    return {
        (round_, -number): {"sides": [[number]], "bye": rules["late"]}
        for number in numbers
        for round_ in {round_ for round_, _ in tables}
        if entrants[number].get("joined", 1) > round_
    }


class Table:
    """The sums of a stage after a round, from which its criteria are computed."""

    def __init__(self, document: Json, stage: Json, after: int) -> None:
        self.rules, self.format = stage["rules"], stage["format"]
        self.fixed = self.format in FIXED
        self.scale = {
            name: Fraction(value)
            for name, value in self.rules["scale"].items()
            if name not in MARKS
        }
        self.entrants: list[int] = stage["entrants"]
        entrants = {entrant["number"]: entrant for entrant in document["entrants"]}
        rounds = [
            round_
            for round_ in stage["rounds"]
            if round_["state"] != "draft" and round_["number"] <= after
        ]
        self.rounds = sorted(round_["number"] for round_ in rounds)
        self.games: dict[int, list[Game]] = {entrant: [] for entrant in self.entrants}
        self.open: dict[int, set[int]] = {entrant: set() for entrant in self.entrants}
        tables_by_key = {
            (round_["number"], table["number"]): table
            for round_ in stage["rounds"]
            if round_["state"] != "draft"
            for table in round_["tables"]
        }
        tables_by_key |= late_byes(self.rules, self.entrants, entrants, tables_by_key)
        self.points = stage_points(self.rules, tables_by_key)
        for round_ in rounds:
            tables = round_["tables"]
            matches = [table for table in tables if len(table["sides"]) > 1]
            begun = round_["state"] == "closed" or not matches or any(map(has_result, matches))
            byes_count = begun or self.rules.get("places") != "played"
            for table in tables:
                self._take(round_["number"], table, byes_count=byes_count)
        for entrant in self.entrants:
            entrant_rounds = {game.round for game in self.games[entrant]} | self.open[entrant]
            for number in self.rounds:
                if number not in entrant_rounds:
                    self._take_absence(entrants[entrant], number)
            self.games[entrant].sort(key=lambda game: game.round)
        round_numbers = {round_["number"] for round_ in stage["rounds"]}
        if stage["number"] == document["stages"][0]["number"]:
            round_numbers.add(0)
        self.penalties: dict[int, list[Json]] = {entrant: [] for entrant in self.entrants}
        for penalty in document.get("penalties", []):
            if (
                penalty["round"] in round_numbers
                and penalty["round"] <= after
                and penalty["entrant"] in self.penalties
            ):
                self.penalties[penalty["entrant"]].append(penalty)
        self._carry(document, stage, after)
        self.dropped = {entrant: self._dropped(entrant) for entrant in self.games}
        self.totals = {
            entrant: sum((game.match_points for game in self.kept_games(entrant)), Fraction(0))
            - self.taken_off(entrant, "match_points")
            for entrant in self.games
        }
        self.adjusted = {entrant: self._adjusted(entrant) for entrant in self.games}
        self.leavers: set[int] = set()
        if self.rules.get("places") == "played":
            self.leavers = {n for n in self.entrants if self._left_unplayed(entrants[n])}

    def _carry(self, document: Json, stage: Json, after: int) -> None:
        """Add the rounds of the stage that fills this one where their results count here too."""
        number = self.rules.get("source") or stage["number"] - 1
        sources = [other for other in document["stages"] if other["number"] == number]
        if not self.rules.get("carry") or not sources:
            return
        source = Table(document, sources[0], after)
        self.rounds = source.rounds + self.rounds
        for entrant in source.games:
            self.games[entrant] = source.games[entrant] + self.games.get(entrant, [])
            self.open[entrant] = source.open[entrant] | self.open.get(entrant, set())
            penalties = self.penalties.get(entrant, [])
            self.penalties[entrant] = source.penalties[entrant] + penalties

    def _take(self, round_: int, table: Json, *, byes_count: bool) -> None:
        sides = table["sides"]
        if not (byes_count if len(sides) == 1 else has_result(table)):
            for side in sides:
                for entrant in side:
                    self.open[entrant].add(round_)
            return
        points = self.points[round_, table["number"]]
        if len(sides) == 1:
            mark = self.rules["scale"]["bye_mark"] if table["bye"] == "pairing" else {}
            for entrant in sides[0]:
                self.games[entrant].append(Game(round_, table["bye"], points[0], **mark))
            return
        hands, cards = counted_marks(self.rules, table)
        forfeits = table.get("forfeits", [])
        for n, side in enumerate(sides):
            kind = "forfeit_loss" if n in forfeits else "forfeit_win" if forfeits else "played"
            for entrant in side:
                game = Game(
                    round_,
                    kind,
                    points[n],
                    opposed=max(points[:n] + points[n + 1 :]),
                    opponents=[
                        opponent for m, other in enumerate(sides) if m != n for opponent in other
                    ],
                    partners=[partner for partner in side if partner != entrant],
                    hands=hands[n],
                    hands_against=sum(hands) - hands[n],
                    points=cards[n],
                    points_against=sum(cards) - cards[n],
                )
                self.games[entrant].append(game)

    def _take_absence(self, entrant: Json, round_: int) -> None:
        number = entrant["number"]
        if entrant.get("joined", 1) > round_:
            late = self.rules["late"]
            worth = {"pairing": "bye", "zero": ""}.get(late, late)
            points = self.scale[worth] if worth else Fraction(0)
            points = self.points.get((round_, -number), [points])[0]
            self.games[number].append(Game(round_, late, points))
            return
        away = any(
            start <= round_ and (end is None or round_ < end)
            for start, end in entrant.get("absences", [])
        )
        if away or not (self.fixed or self.format in BRACKETS):
            self.games[number].append(Game(round_, "zero", Fraction(0)))

    def _dropped(self, entrant: int) -> set[int]:
        """Return the worst rounds of an entrant, which count in no sum."""

        def worth(game: Game) -> tuple[Any, ...]:
            penalties = [p for p in self.penalties[entrant] if p["round"] == game.round]
            off = {
                name: sum((Fraction(p.get(name, 0)) for p in penalties), Fraction(0))
                for name in ("match_points", "hands", "points")
            }
            return (
                game.kind not in VOLUNTARY,
                game.match_points - off["match_points"],
                game.kind == "played",
                game.hands - game.hands_against - off["hands"],
                game.points - game.points_against - off["points"],
                game.round,
            )

        games = sorted(self.games[entrant], key=worth)
        count = min(self.rules.get("drop_rounds", 0), max(len(games) - 1, 0))
        return {game.round for game in games[:count]}

    def kept_games(self, entrant: int) -> list[Game]:
        """Return the rounds that count in sums."""
        return [game for game in self.games[entrant] if game.round not in self.dropped[entrant]]

    def taken_off(self, entrant: int, name: str) -> Fraction:
        """Return the penalties of the rounds that count."""
        kept = (p for p in self.penalties[entrant] if p["round"] not in self.dropped[entrant])
        return sum((Fraction(penalty.get(name, 0)) for penalty in kept), Fraction(0))

    def _adjusted(self, entrant: int) -> Fraction:
        """Return the final score as opponents see it (article 16.3)."""
        total = self.totals[entrant]
        if self.fixed:
            return total
        last_open = max(self.open[entrant], default=0)
        for game in reversed(self.games[entrant]):
            if game.kind not in VOLUNTARY or game.round < last_open:
                break
            if game.kind in REQUESTED:
                total += self.scale["tie"] - game.match_points
        return total

    # --- criteria ------------------------------------------------------------------------------

    def number(self, code: str, entrant: int, among: list[int]) -> Fraction | None:
        """Return the number of an entrant in a criterion; raises KeyError for one not known."""
        if code == "direct_encounter":
            return self._mini(entrant, among)[0] if among else None
        if code in CUTS:
            return self._of_opponents(entrant, code.startswith("sonneborn"), *CUTS[code])
        if self._lacks_points(code, entrant):
            return None
        if code in SUMS:
            return self._sum(entrant, *SUMS[code])
        return OTHERS[code](self, entrant)

    def _sum(self, entrant: int, penalty: str, of: Any) -> Fraction:
        total = Fraction(sum(of(game) for game in self.kept_games(entrant)))
        return total - self.taken_off(entrant, penalty)

    def _lacks_points(self, code: str, entrant: int) -> bool:
        """Tell whether the rule of places passes a criterion over: a match states no points."""
        of_points = code in OF_POINTS or (code in SUMS and SUMS[code][0] == "points")
        if not of_points or self.rules.get("places") != "played":
            return False
        leaves_out = code != "best_round" and self.rules.get("sums") == "exact"
        return any(
            game.kind == "played" and not (game.points or game.points_against)
            for game in (self.kept_games(entrant) if leaves_out else self.games[entrant])
        )

    def _of_opponents(self, entrant: int, times: bool, least: int, most: int) -> Fraction:
        """Return the sum of the opponents' scores less cuts (articles 8, 9, 14 and 16)."""
        elements: list[tuple[Fraction, Fraction, bool]] = []  # score, contribution, voluntary
        for game in self.games[entrant]:
            voluntary = game.kind in VOLUNTARY and not self.fixed
            for score in self._scores(entrant, game):
                amount = score * game.match_points if times else score
                elements.append((score, amount, voluntary))
        for _ in range(min(least, len(elements))):
            lowest = min(elements, key=lambda e: e[:2])
            absences = [element for element in elements if element[2]]
            absence = min(absences, key=lambda e: e[1], default=None)
            if absence is not None and absence[1] >= lowest[1]:
                lowest = absence
            elements.remove(lowest)
        for _ in range(min(most, len(elements))):
            elements.remove(max(elements, key=lambda e: e[:2]))
        return sum((amount for _, amount, _ in elements), Fraction(0))

    def _scores(self, entrant: int, game: Game) -> list[Fraction]:
        if game.kind == "played" or (self.fixed and game.opponents):
            return [self.adjusted[opponent] for opponent in game.opponents]
        if self.fixed:
            return []
        total = self.totals[entrant]
        if self.rules["edition"] == "2024":
            return [total]
        if game.kind in ("forfeit_win", "forfeit_loss"):
            return [min([total, *(self.adjusted[opponent] for opponent in game.opponents)])]
        return [min(total, self.scale["tie"] * len(self.rounds))]

    def _mini(self, entrant: int, among: list[int]) -> tuple[Fraction, int]:
        """Return the points taken from the others of a tie, and how many of them were not met."""
        scores: dict[int, list[Fraction]] = {}
        for game in self.games[entrant]:
            if game.kind == "played" or self.fixed:
                for opponent in game.opponents:
                    if opponent in among:
                        scores.setdefault(opponent, []).append(game.match_points)
        points = sum(
            (
                sum(meeting_scores) / Fraction(len(meeting_scores))
                for meeting_scores in scores.values()
            ),
            Fraction(0),
        )
        return points, len(among) - 1 - len(scores)

    def _direct(self, tied: list[int]) -> list[tuple[list[int], list[int]]]:
        """Split a tie by article 6: parts, best first, each with the tie whose table split it."""
        rows = {entrant: self._mini(entrant, tied) for entrant in tied}
        if any(missing for _, missing in rows.values()):
            parts = self._certain(tied, rows)
        else:
            ranked = sorted(tied, key=lambda one: rows[one][0], reverse=True)
            parts = [list(level) for _, level in groupby(ranked, lambda one: rows[one][0])]
        if len(parts) == 1:
            return [(tied, tied)]
        results: list[tuple[list[int], list[int]]] = []
        for part in parts:
            results += [(part, tied)] if len(part) == 1 else self._direct(part)
        return results

    def _certain(self, tied: list[int], rows: dict[int, tuple[Fraction, int]]) -> list[list[int]]:
        """Place those whom no missing game can move from the top (article 6.3)."""
        rest, leaders = list(tied), []
        while len(rest) > 1:
            worst = {n: rows[n][0] + rows[n][1] * self.scale["loss"] for n in rest}
            best = {n: rows[n][0] + rows[n][1] * self.scale["win"] for n in rest}
            leader = max(rest, key=lambda n: worst[n])
            if worst[leader] <= max(best[n] for n in rest if n != leader):
                break
            leaders.append([leader])
            rest.remove(leader)
        return [*leaders, rest]

    def blocks(self, order: list[str]) -> tuple[list[list[int]], dict[int, list[Any]]]:
        """Return the entrants level after match points and an order, best first; their numbers."""
        blocks = [sorted(self.entrants)]
        if self.format != "ladder":
            blocks = self._level(blocks[0], lambda one: self.totals[one])
            blocks = self._leavers_last(blocks)
        values: dict[int, list[Any]] = {entrant: [] for entrant in self.entrants}
        for code in order:
            finer: list[list[int]] = []
            for block in blocks:
                if code == "direct_encounter":
                    parts = self._direct(block) if len(block) > 1 else [(block, [])]
                else:
                    numbers = {entrant: self.number(code, entrant, []) for entrant in block}
                    passed_over = None in numbers.values()
                    levels = [block] if passed_over else self._level(block, numbers.__getitem__)
                    parts = [(part, []) for part in levels]
                for part, tied in parts:
                    for entrant in part:
                        values[entrant].append(self.number(code, entrant, tied))
                finer += [part for part, _ in parts]
            blocks = finer
        return self._leavers_last(blocks), values

    def _left_unplayed(self, entrant: Json) -> bool:
        next_round = self.rounds[-1] + 1 if self.rounds else 1
        absences = entrant.get("absences", [])
        has_left = any(end is None and start <= next_round for start, end in absences)
        return has_left and all(game.kind != "played" for game in self.games[entrant["number"]])

    def _leavers_last(self, blocks: list[list[int]]) -> list[list[int]]:
        """Put who left without having played behind all others of the same match points."""
        result = [[n for n in block if n not in self.leavers] for block in blocks]
        behind: list[list[list[int]]] = [[] for _ in blocks]
        for index, block in enumerate(blocks):
            leavers = [n for n in block if n in self.leavers]
            for level in self._level(leavers, self.totals.__getitem__):
                points = self.totals[level[0]]
                places = [
                    n for n, b in enumerate(result) if points in [self.totals[one] for one in b]
                ]
                behind[max([index, *places])].append(level)
        return [block for n, b in enumerate(result) for block in ([b] if b else []) + behind[n]]

    def _level(self, entrants: list[int], number: Any) -> list[list[int]]:
        ranked = sorted(entrants, key=number, reverse=True)
        return [sorted(level) for _, level in groupby(ranked, number)]


CUTS = {
    "buchholz": (0, 0),
    "buchholz_cut1": (1, 0),
    "buchholz_cut2": (2, 0),
    "median_buchholz": (1, 1),
    "median2": (2, 2),
    "sonneborn_berger": (0, 0),
    "sonneborn_berger_cut1": (1, 0),
}
"""How many of the lowest and the highest contributions of opponents are left out."""

SUMS: dict[str, tuple[str, Any]] = {
    "hand_difference": ("hands", lambda game: game.hands - game.hands_against),
    "hands_for": ("hands", lambda game: game.hands),
    "match_points_v_game_points": ("hands", lambda game: game.hands),
    "point_difference": ("points", lambda game: game.points - game.points_against),
    "points_for": ("points", lambda game: game.points),
}
"""Criteria that add up the own games less the penalties of a kind."""


def _wins(table: Table, entrant: int) -> Fraction:
    games, win = table.kept_games(entrant), table.scale["win"]
    return Fraction(sum(g.won if g.kind == "played" else g.match_points >= win for g in games))


def _won(table: Table, entrant: int) -> Fraction:
    return Fraction(sum(g.kind == "played" and g.won for g in table.kept_games(entrant)))


def _best_round(table: Table, entrant: int) -> Fraction:
    return Fraction(max((g.points for g in table.games[entrant] if g.kind == "played"), default=0))


def _points_a_hand(table: Table, entrant: int) -> Fraction:
    games = [g for g in table.kept_games(entrant) if g.kind == "played"]
    hands = Fraction(0)
    for game in games:
        # At a table of four single players the dealer of each hand sits out.
        part = Fraction(3, 4) if len(game.opponents) == 3 else Fraction(1)
        hands += part * (game.hands + game.hands_against) or 1
    points = sum(game.points for game in games) - table.taken_off(entrant, "points")
    return points / hands if hands else Fraction(0)


def _scores_of(table: Table, entrant: int) -> list[Fraction]:
    """Return the final score of each opponent, once for each meeting."""
    return [table.totals[opponent] for game in table.games[entrant] for opponent in game.opponents]


def _opponents_points(table: Table, entrant: int) -> Fraction:
    return sum(_scores_of(table, entrant), Fraction(0))


def _opponents_partners(table: Table, entrant: int) -> Fraction:
    games = table.games[entrant]
    partners = sum((table.totals[partner] for g in games for partner in g.partners), Fraction(0))
    return _opponents_points(table, entrant) / partners if partners else Fraction(0)


def _mean_match_points(table: Table, entrant: int) -> Fraction:
    games = [game for game in table.games[entrant] if game.opponents]
    total = sum(Fraction(penalty.get("match_points", 0)) for penalty in table.penalties[entrant])
    points_sum = sum((game.match_points for game in games), Fraction(0)) - total
    return points_sum / len(games) if games else Fraction(0)


def _mean_of_opponents(table: Table, entrant: int) -> Fraction:
    scores = _scores_of(table, entrant)
    return sum(scores, Fraction(0)) / len(scores) if scores else Fraction(0)


def _progressive(table: Table, entrant: int) -> Fraction:
    """Return the scores after each round, added up (article 7.5)."""
    total = Fraction(0)
    for number in table.rounds:
        games = (g.match_points for g in table.games[entrant] if g.round <= number)
        penalties = (p for p in table.penalties[entrant] if p["round"] <= number)
        score = sum(games, Fraction(0))
        total += score - sum((Fraction(p.get("match_points", 0)) for p in penalties), Fraction(0))
    return total


def _koya(table: Table, entrant: int) -> Fraction:
    """Return the points against those with half of the most that can be scored (article 9.2)."""
    rounds = len(table.rounds)
    if table.fixed:
        rounds = max(sum(bool(game.opponents) for game in games) for games in table.games.values())
    needed = table.scale["win"] * rounds / 2
    return sum(
        (
            game.match_points
            for game in table.games[entrant]
            for opponent in game.opponents
            if table.totals[opponent] >= needed
        ),
        Fraction(0),
    )


OF_POINTS = {"best_round", "points_a_hand"}
OTHERS = {
    "koya": _koya,
    "progressive": _progressive,
    "wins": _wins,
    "won": _won,
    "tables_won": _won,
    "best_round": _best_round,
    "points_a_hand": _points_a_hand,
    "opponents_points": _opponents_points,
    "opponents_partners": _opponents_partners,
    "mean_match_points": _mean_match_points,
    "mean_table_points_of_opponents": _mean_of_opponents,
}
"""Criteria with a sum of their own."""


def check_standings(report: Report, document: Json) -> None:
    """Compute the stated standings: points, records, tie-breaks, places."""
    stages = {stage["number"]: stage for stage in document["stages"]}
    stated = document["proof"].get("standings", [])
    last = {n: s["rounds"][-1]["number"] for n, s in stages.items() if s["rounds"]}
    for number, _ in sorted(set(last.items()) - {(s["stage"], s["after"]) for s in stated}):
        report.check(False, f"stage {number}: the standings are missing")
    for standing in stated:
        label = f"stage {standing['stage']}, round {standing['after']}"
        if standing["stage"] not in stages:
            report.check(False, f"{label}: there is no such stage")
            continue
        stage = stages[standing["stage"]]
        if unknown := unknown_words(stage):
            known = ", ".join(unknown)
            report.notes.append(f"{label}: not computed, as it is unknown here: {known}")
            continue
        rules = stage["rules"]
        is_butler = rules["scoring"] == "comparison" and rules["comparison"] == "average"
        if is_butler and rules.get("sums") != "exact":
            report.notes.append(f"{label}: Butler rounded to hundredths, a rule of before")
        table = Table(document, stage, standing["after"])
        before = len(report.faults)
        _check_lines(report, label, table, standing["lines"], rules["order"])
        if len(report.faults) == before:
            report.check(True, f"{label}: points and tie-breaks come out the same")


def _check_lines(
    report: Report, what: str, table: Table, lines: list[Json], order: list[str] | None
) -> None:
    if sorted(line["entrant"] for line in lines) != sorted(table.entrants):
        report.check(False, f"{what}: the lines are not those of the entrants")
        return
    for line in lines:
        _check_sums(report, what, table, line)
    if table.format in BRACKETS or table.format == "groups":
        return
    codes = []
    for code in ORDERS.get(table.format, []) if order is None else order:
        if code not in {"direct_encounter", *CUTS, *SUMS, *OTHERS}:
            report.notes.append(f"{what}: {code} and what follows it are not checked")
            break
        codes.append(code)
    blocks, values = table.blocks(codes)
    _check_places(report, what, blocks, lines)
    for line in lines:
        for code, value, stated in zip(
            codes, values[line["entrant"]], line["values"], strict=False
        ):
            claimed = None if stated["number"] is None else Fraction(stated["number"])
            if stated["criterion"] != code or claimed != value:
                fault = f"{what}: {code} of entrant {line['entrant']}: {claimed}, not {value}"
                report.check(False, fault)


def _check_sums(report: Report, what: str, table: Table, line: Json) -> None:
    """Compare match points, hands, card points and the record of a line."""
    entrant, games = line["entrant"], table.games[line["entrant"]]
    byes = sum(not game.opponents and game.kind != "zero" for game in games)
    record = [sum(getattr(g, kind) for g in games) for kind in ("won", "tied", "lost")]
    sums = {
        "match_points": table.totals[entrant],
        "hands": [sum(g.hands for g in games), sum(g.hands_against for g in games)],
        "points": [sum(g.points for g in games), sum(g.points_against for g in games)],
        "record": [*record, byes],
    }
    for name, value in sums.items():
        stated = Fraction(line[name]) if name == "match_points" else line[name]
        if stated != value:
            report.check(False, f"{what}: {name} of entrant {entrant}: {stated}, not {value}")


def _check_places(report: Report, what: str, blocks: list[list[int]], lines: list[Json]) -> None:
    """Compare the places of those who are not level after the criteria that were computed."""
    rank, places = 1, iter(lines)
    for block in blocks:
        level = [next(places) for _ in block]
        is_same_block = sorted(line["entrant"] for line in level) == sorted(block)
        if not is_same_block or any(not rank <= line["rank"] < rank + len(block) for line in level):
            report.check(False, f"{what}: place {rank} is of {block}")
        rank += len(block)


# --- boards filled from one table -------------------------------------------------------------


def check_boards(report: Report, document: Json) -> None:
    """Check that nobody plays on two boards, and that each has the best of those who are on none.

    A stage takes places ``take_from`` + 1 to ``take_from`` + ``take`` of its source, of each group;
    who is on a stage that it is filled ``without`` stays there (docs/programs/tournament-file.md).
    """
    stages = {stage["number"]: stage for stage in document["stages"]}
    begun = [stage for stage in document["stages"] if stage["rounds"]]
    for index, stage in enumerate(begun):
        for other in begun[:index]:
            both = sorted(set(stage["entrants"]) & set(other["entrants"]))
            if both and _are_boards(stages, stage, other):
                numbers = f"{other['number']} and {stage['number']}"
                report.check(False, f"stages {numbers}: entrants {both} play on both boards")
    for stage in begun:
        others = [other for other in begun if _are_boards(stages, stage, other)]
        if others:
            _check_line(report, document, stages, stage, others)


def _source(stages: dict[int, Json], stage: Json) -> int | None:
    """Return the number of the stage that fills another one; None for the first."""
    earlier = [number for number in stages if number < stage["number"]]
    return stage["rules"]["source"] or max(earlier, default=None)


def _are_boards(stages: dict[int, Json], stage: Json, other: Json) -> bool:
    """Tell whether two stages take different places of one table."""
    source = _source(stages, stage)
    if source is None or source != _source(stages, other) or stage is other:
        return False
    first, last = _places(stage)
    other_first, other_last = _places(other)
    return last <= other_first or other_last <= first


def _places(stage: Json) -> tuple[int, int]:
    rules = stage["rules"]
    return rules["take_from"], rules["take_from"] + (rules["take"] or 10**6)


def _check_line(
    report: Report, document: Json, stages: dict[int, Json], stage: Json, others: list[Json]
) -> None:
    """Compare a board with the best of its source's table who are on none of the fixed ones."""
    number, first_round = stage["number"], stage["rounds"][0]["number"]
    without = stage["rules"].get("without", [])
    label = f"stage {number}"
    fixed = [other for other in others if other["number"] in without]
    after = [other for other in others if number in other["rules"].get("without", [])]
    if len(fixed) < len(without) or any(other in after for other in fixed):
        report.check(False, f"{label}: it is filled without stages that were not there before it")
        return
    source = stages[_source(stages, stage) or 0]
    ranked = _ranked(document, source)
    drawings = {drawing["round"]: drawing for drawing in document["proof"].get("drawings", [])}
    drawing = drawings.get(first_round, {})
    was = drawing.get("was", {})
    known = {"entrants", "in_use", "later"}  # no place of the source depends on these
    if ranked is None or set(was) - known or drawing.get("edited"):
        report.notes.append(f"{label}: who qualified is not checked: changed by hand or since then")
        return
    draws = [draw for draw in document["proof"].get("draws", []) if draw["stage"] == number]
    people = {entrant["number"]: entrant for entrant in document["entrants"]}
    people |= {entrant["number"]: entrant for entrant in was.get("entrants", [])}
    if draws and draws[-1].get("entrants") is not None:
        people |= {n: {} for n in people} | {e["number"]: e for e in draws[-1]["entrants"]}
    left = {
        n
        for n, entrant in people.items()
        if any(end is None and start <= first_round for start, end in entrant.get("absences", []))
    }
    gone = {entrant for other in fixed for entrant in other["entrants"]}
    first, last = _places(stage)
    first -= sum(o["rules"]["take"] for o in fixed if o["rules"]["take_from"] < first)
    last = max(0, first) + (stage["rules"]["take"] or 10**6)
    free = [[n for n in group if n not in gone | left] for group in ranked]
    best = {n for group in free for n in group[max(0, first) : last]}
    came = {n for group in ranked for n in group} & set(stage["entrants"])
    if (came ^ best) & left:
        report.notes.append(f"{label}: who qualified is not checked: some had left by then")
    elif came == best:
        report.check(True, f"{label}: the best of those who are on no other board play")
    elif stage["rules"].get("beside") and not without and not after:
        report.notes.append(f"{label}: filled by the order of the draws, as until November 2026")
    else:
        fault = f"{label}: {sorted(came - best)} play, and not {sorted(best - came)}"
        report.check(False, fault)


def _ranked(document: Json, source: Json) -> list[list[int]] | None:
    """Return the entrants of a stage by its stated table, of each group; None without one."""
    last = source["rounds"][-1]["number"] if source["rounds"] else 0
    for standing in document["proof"].get("standings", []):
        if (standing["stage"], standing["after"]) == (source["number"], last):
            order = [line["entrant"] for line in standing["lines"]]
            if source["format"] != "groups":
                return [order]
            groups = _groups(source)
            if len(groups) != source["rules"]["groups"]:  # two met by hand, or one met nobody
                return None
            return [[n for n in order if n in group] for group in groups]
    return None


def _groups(stage: Json) -> list[set[int]]:
    """Return the groups of a stage: those who met, and whom these met."""
    groups = [{entrant} for entrant in stage["entrants"]]
    for round_ in stage["rounds"]:
        for table in round_["tables"]:
            sitting = {entrant for side in table["sides"] for entrant in side}
            met = [group for group in groups if group & sitting]
            groups = [g for g in groups if g not in met] + [set().union(*met)]
    return groups


# --- places in other tournaments ----------------------------------------------------------------


def check_sources(report: Report, document: Json, others: list[Json]) -> None:
    """Check the places by which entrants came from tournaments whose files are given beside it.

    Of tournaments of one table, as their standings state it, which are checked by themselves; who
    has left for good may be passed over there.
    """
    by_digest = {tournament_digest(one): one for one in others}
    by_slug = {
        d["label"].split("/")[0]: one for one in others for d in one["proof"].get("draws", [])
    }
    unchecked: list[int] = []
    for came in document["proof"].get("sources", []):
        source = by_digest.get(came.get("digest")) or by_slug.get(came.get("slug"))
        if source is None or len(source["stages"]) > 1 or source["stages"][0]["format"] == "groups":
            unchecked.append(came["entrant"])
            continue
        label = f"entrant {came['entrant']}: place {came['place']} of {source['name']}"
        if came.get("digest") and came["digest"] not in by_digest:
            report.notes.append(f"{label}, which was corrected since then")
        lines = source["proof"]["standings"][-1]["lines"]
        ranks = {line["entrant"]: line["rank"] for line in lines}
        rank = ranks.get(came["number"], 0)
        left = [
            e["number"] for e in source["entrants"] for a in e.get("absences", []) if a[1] is None
        ]
        ahead = sum(ranks.get(number, rank) < rank for number in left)
        holds = rank - ahead <= came["place"] <= rank
        report.check(holds, label, f"{label}, whose table gives {rank or 'none'}")
    if unchecked:
        report.notes.append(f"places in other tournaments are not checked: {unchecked}")


# --- files -------------------------------------------------------------------------------------


def check_proof(report: Report, document: Json, keys: set[str]) -> None:
    """Check a tournament file with its proof."""
    proof = document.get("proof")
    if not proof or "digest" not in proof:
        report.check(False, "there is no proof: any fact in the file may have been changed")
        return
    digest = tournament_digest(document)
    report.check(
        digest == proof["digest"],
        "digest: the tournament is the one that was proved",
        f"digest: {digest}, not {proof['digest']}",
    )
    check_signed(report, document, keys)
    check_draws(report, document)
    check_standings(report, document)
    check_boards(report, document)


def compare(report: Report, document: Json, trail: Trail) -> None:
    """Check that a proof says what the trail of its tournament says."""
    signed = document.get("proof", {}).get("signed")
    statements = trail.of_verb("tournament.signed")
    if signed is not None:
        counterparts = [e for e in statements if e["sequence"] == signed["event"]["sequence"]]
        report.check(
            counterparts == [signed["event"]],
            "the signed statement is the one in the trail",
            "the signed statement is not the one in the trail",
        )
        if statements and statements[-1]["sequence"] > signed["event"]["sequence"]:
            report.notes.append("the trail has a later statement than the proof")
    draws = {draw["commitment"] for draw in document.get("proof", {}).get("draws", [])}
    begun = {stage["number"] for stage in document["stages"] if stage["rounds"]}
    draw_facts = [
        event["facts"]
        for event in trail.of_verb("tournament.drawn", "round.drawn", "stage.drawn_again")
        if "draw_commitment" in event["facts"] and event["facts"].get("stage", 1) in begun
    ]
    hidden = [facts["draw"] for facts in draw_facts if facts["draw_commitment"] not in draws]
    report.check(not hidden, "the proof has every draw of the trail", f"draws left out: {hidden}")


def _loaded(text: bytes) -> Json:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableError(f"no JSON: {error}") from error
    if not isinstance(value, dict):
        raise UnreadableError("no JSON object")
    return value


def _check_files(report: Report, files: list[Path], keys: set[str]) -> None:
    """Check each file by itself, then each proof against each trail."""
    proofs: list[Json] = []
    trails: list[Trail] = []
    for file in files:
        source = file.read_bytes()
        lines = source.splitlines(keepends=True)
        if lines and b"baza-trail/1" in lines[0]:
            trails.append(Trail(lines, report, keys))
            continue
        document = _loaded(source)
        if document.get("format") != "baza-tournament/1":
            raise UnreadableError(f"{file}: neither a tournament file nor a trail")
        proofs.append(document)
        check_proof(report, document, keys)
    for document in proofs:
        if document.get("proof"):
            check_sources(report, document, [one for one in proofs if one.get("proof")])
        for trail in trails:
            compare(report, document, trail)


def main(arguments: list[str] | None = None) -> int:
    """Check the files of the command line and print what was found."""
    parser = argparse.ArgumentParser(
        description="Check a tournament's proof, or a trail, without the service.",
        epilog="Exit code 0: everything holds; 1: something does not; 2: unreadable.",
    )
    parser.add_argument("files", nargs="+", metavar="FILE", type=Path)
    parser.add_argument("--key", action="append", default=[], metavar="PUBLICKEY")
    options = parser.parse_args(arguments)
    report, keys = Report(), {key.lower() for key in options.key}
    try:
        _check_files(report, options.files, keys)
    except (UnreadableError, OSError) as error:
        print(f"verify_export: {error}", file=sys.stderr)
        return 2
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        print(f"verify_export: a field is missing or wrong: {error!r}", file=sys.stderr)
        return 2
    for mark, texts in (("✓", report.checked), ("·", report.notes), ("✗", report.faults)):
        for text in texts:
            print(mark, text)
    print("Not checked here:")
    for text in NOT_CHECKED:
        print("-", text)
    return 1 if report.faults else 0


if __name__ == "__main__":
    sys.exit(main())
