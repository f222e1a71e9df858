"""``baza play``: matches between bots, and what they say about who is better."""

from __future__ import annotations

import json
import re
import signal
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, Self

from engine.bots.house import HOUSE_BOTS
from engine.bots.table import agreed_rules
from engine.cli.failure import CommandError
from engine.cli.progress import Progress
from engine.cli.series_table import format_results
from engine.contest import MODELS
from engine.contest.makers import PROGRAM, Entrant, UnknownBot, maker_of
from engine.contest.sequential import Sprt
from engine.contest.series import PlayedSet, SeriesError, Terms, play_series
from engine.contest.tally import Tally
from engine.dealing import commitment, round_header
from engine.errors import RecordError
from engine.rulesets import RULESETS, Ruleset
from engine.strict_json import read_json

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence
    from types import FrameType

INTERRUPTED: Final = 130
"""The exit code after Ctrl-C: what was played until then is whole."""

_TABLE: Final = "play"

COUNT_DIGITS: Final = 12
"""Characters for the count of matches in the first line of a round's file."""


def play_and_print(options: argparse.Namespace) -> int:
    """Play, write the records, print the result; 130 when interrupted."""
    terms = _terms(options)
    sprt = _sprt(options, terms)
    names = tuple(entrant.name for entrant in terms.entrants)
    tally = Tally(names, terms.sides, len(terms.orders(1)), sprt)
    try:
        with _Interruption() as interruption:
            for deal_set in _play_and_write(options, terms):
                tally.add(deal_set)
                if tally.decision is not None or interruption.asked:
                    break
    except SeriesError as error:
        raise CommandError(f"after {tally.sets} deal sets: {error}") from error
    complete = tally.decision is not None or tally.sets == options.matches * len(terms.tables)
    if options.json:
        result = {**_terms_to_dict(options, terms), "complete": complete, **tally.as_dict()}
        print(json.dumps(result, ensure_ascii=False))
    else:
        print(format_results(tally, options.ruleset, options.seed, options.lang, complete=complete))
    return 0 if complete else INTERRUPTED


def _play_and_write(options: argparse.Namespace, terms: Terms) -> Iterator[PlayedSet]:
    """The deal sets in order, each written to the files before it is counted."""
    total = options.matches * len(terms.tables)
    with ExitStack() as stack:
        records = _open_output(stack, options.output)
        sealed = _open_output(stack, options.reveal)
        round_file = None if sealed is None else _RoundFile(sealed, terms)
        if round_file is not None:
            stack.callback(round_file.write_header)
        series = play_series(terms, options.matches, options.jobs)
        stack.callback(series.close)
        progress, sets, hands = Progress(), 0, 0
        stack.callback(progress.clear)
        for deal_set in series:
            for line in deal_set.lines:
                if records is not None:
                    print(line.written, file=records)
                if round_file is not None:
                    round_file.write_match(deal_set.number, line.written)
            sets, hands = sets + 1, hands + sum(line.hands for line in deal_set.lines)
            progress.show(partial(_format_progress, total, sets, hands))
            yield deal_set


class _RoundFile:
    """The file that `baza verify-round` reads, written while it is played.

    Its first line is written again at the end, in as many characters: only then the count of the
    matches is known. Until then it states none, and a file that was cut short contradicts it.
    """

    def __init__(self, file: IO[str], terms: Terms) -> None:
        self.file, self.terms, self.count = file, terms, 0
        self.write_header()

    def write_header(self) -> None:
        """Write the first line; a pipe, which has it for good, states no count."""
        is_first, can_return = not self.count, self.file.seekable()
        if is_first or can_return:
            header = round_header(
                self.terms.table, self.terms.seed, self.count if can_return else None
            )
            if can_return:
                self.file.seek(0)
            line = json.dumps(header, ensure_ascii=False)
            print(line + " " * (COUNT_DIGITS - len(str(self.count))), file=self.file)

    def write_match(self, number: int, record: str) -> None:
        """Write the record of a match of a deal set."""
        label = json.dumps(f"{self.terms.table}/{number}")
        print(f'{{"label": {label}, "record": {record}}}', file=self.file)
        self.count += 1


def _format_progress(total: int, sets: int, hands: int, seconds: float) -> str:
    eta = seconds / sets * (total - sets)
    return f"{sets:,} of {total:,} deal sets, {hands / seconds:,.0f} hands/s, {eta:,.0f} s left"


def _open_output(stack: ExitStack, name: str | None) -> IO[str] | None:
    if name is None:
        return None
    try:
        return stack.enter_context(Path(name).open("w", encoding="utf-8"))
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror}") from error


def _terms_to_dict(options: argparse.Namespace, terms: Terms) -> dict[str, Any]:
    return {
        "ruleset": terms.ruleset,
        "options": dict(terms.options),
        "seats": terms.seat_count,
        "seed": options.seed,
        "duplicate": terms.duplicate or None,
        "commitment": commitment(terms.table, terms.seed),
    }


# --- reading the call --------------------------------------------------------------------------


def _terms(options: argparse.Namespace) -> Terms:
    if options.matches < 1 or options.jobs < 1:
        raise CommandError("--matches and --jobs are numbers from 1")
    rules = RULESETS[options.ruleset]
    seats = options.seats or rules.seat_counts[0]
    house = _options(options)
    table = _rules(rules, house, seats)
    entrants = _entrants(options.bots, len(table.sides), trusted=options.trusted)
    for entrant in entrants:
        try:
            maker_of(entrant, house)
        except UnknownBot as error:
            raise CommandError(str(error)) from error
    return Terms(
        options.ruleset,
        entrants,
        options.seed.encode(),
        seats,
        len(table.sides),
        house,
        options.duplicate,
        _TABLE,
    )


def _rules(rules: Ruleset, house: dict[str, Any], seats: int) -> Ruleset:
    if "deals" in house and rules.race_to:
        raise CommandError(f"{rules.name} is played for games, not for a number of deals")
    if any(house.get(length, 1) < 1 for length in ("to", "deals")):
        raise CommandError("--to and --deals are numbers from 1")
    try:
        return agreed_rules(rules, house, seats)
    except KeyError as error:
        raise CommandError(f"{rules.name} has no rule {error.args[0]}") from error
    except ValueError as error:
        raise CommandError(str(error)) from error


def _options(options: argparse.Namespace) -> dict[str, Any]:
    """The options of the record: its length and its house rules."""
    house: dict[str, Any] = {}
    for text in options.option:
        name, _, value = text.partition("=")
        try:
            house[name] = read_json(value)
        except RecordError:
            house[name] = value
    for name in ("to", "deals"):
        if getattr(options, name) is not None:
            house[name] = getattr(options, name)
    return house


def _entrants(text: str, sides: int, *, trusted: bool) -> tuple[Entrant, ...]:
    """The bots of the call, the last one again until there is one a side; no name comes twice."""
    kinds = "|".join([re.escape(PROGRAM), *(rf"{name}\b" for name in HOUSE_BOTS)])
    separator = rf",(?=(?:[\w-]+=)?(?:{kinds}))" if PROGRAM in text else ","
    entrants: list[Entrant] = []
    words = [word.strip() for word in re.split(separator, text)]
    words += [words[-1]] * max(0, sides - len(words))
    for word in words:
        match = re.match(r"([\w-]+)=(.+)", word)
        name, kind = match.groups() if match else (_program_name(word), word)
        twins = sum(re.sub(r" \d+$", "", other.name) == name for other in entrants)
        entrants.append(Entrant(f"{name} {twins + 1}" if twins else name, kind, trusted))
    return tuple(entrants)


def _program_name(word: str) -> str:
    """The name of a program: of the last of its words that is a file, or of its first."""
    if not word.startswith(PROGRAM):
        return word
    words: Sequence[str] = word.removeprefix(PROGRAM).split() or [word]
    files = [each for each in words if Path(each).is_file()]
    return Path(files[-1] if files else words[0]).stem


def _sprt(options: argparse.Namespace, terms: Terms) -> Sprt | None:
    if options.sprt is None:
        return None
    if len(terms.tables) > 1:
        raise CommandError("--sprt compares the bots of one table; there are more")
    if options.model != MODELS[0] and terms.sides != 2:
        raise CommandError(f"--model {options.model} is for games of two sides")
    try:
        low, high = (float(bound) for bound in options.sprt.split(","))
        return Sprt(low, high, options.model)
    except ValueError as error:
        raise CommandError(f"--sprt {options.sprt}: two numbers, LOW,HIGH: {error}") from error


class _Interruption:
    """Ctrl-C ends the series after the deal set that is being played; a second one at once."""

    def __init__(self) -> None:
        self.asked = False

    def __enter__(self) -> Self:
        self._usual = signal.signal(signal.SIGINT, self._note)
        return self

    def _note(self, _number: int, _frame: FrameType | None) -> None:
        self.asked = True
        signal.signal(signal.SIGINT, self._usual)

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGINT, self._usual)
