"""``baza submit``: sends records from files to a service, in all-or-nothing batches.

No state is stored between two runs: the key of a batch follows from its content, so that an
interrupted run is continued by running it again.
"""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from threading import Semaphore, Thread
from typing import Final

import engine
from baza_client import Batch, Client, Line, Problem, Unreachable
from engine.cli import CommandError, print_form
from tournaments.domain.messages import message

MAX_LINES: Final = 500  # chosen: half of what the service takes at once (docs/programs/api.md)
MAX_BYTES: Final = 4 * 1024 * 1024  # below the 5 MiB that the service takes at once
TOKEN: Final = "BAZA_TOKEN"  # noqa: S105 - the name of a variable
IN_ORDER, AT_FAULT, BROKEN_OFF = 0, 1, 130
"""Exit codes; 2 is for an unusable call or input (`CommandError`)."""


@dataclass(frozen=True, slots=True)
class RecordLine:
    """A record as a line, with its place ``FILE:LINE``; ``source`` is its text form, if any."""

    place: str
    text: bytes
    source: engine.TextRecord | None = None


@dataclass(frozen=True, slots=True)
class UnreadableRecord:
    """A record in text that cannot be read, or contradicts itself: its place and fault."""

    place: str
    fault: engine.Fault


def submit_files(options: argparse.Namespace) -> int:
    """Submit the records of files; 0 when all count, 1 when one is at fault, 2 on a failure.

    130 when it was interrupted. With an unreadable record the faults are printed and nothing is
    sent.
    """
    all_records = [record for name in options.files for record in records_in(name, options.lang)]
    records = [record for record in all_records if isinstance(record, RecordLine)]
    if unread := [record for record in all_records if isinstance(record, UnreadableRecord)]:
        for record in unread:
            explanation = engine.explain(record.fault, options.lang)
            print(f"{record.place}: {record.fault.code}: {explanation}")
        return AT_FAULT
    if not records:
        raise CommandError("no records")
    client = Client(options.to, _token(options.token_file), language=options.lang)
    try:
        slug = options.tournament or _running_tournament(client)
        return RecordUpload(client, slug, records, options).send()
    except (Problem, Unreachable, ValueError) as error:
        raise CommandError(str(error)) from error


def records_in(name: str, language: str = "en") -> list[RecordLine | UnreadableRecord]:
    """Return the records of a file, and say on stderr what an unusual one was read as."""
    try:
        source = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror}") from error
    reader = engine.RecordReader(BytesIO(source), name)
    records = [_record(name, record) for record in reader]
    print_form(name, reader, language)
    return records


def _record(name: str, record: engine.SourceRecord) -> RecordLine | UnreadableRecord:
    """Return a record as a line of JSON."""
    content = record.content
    if isinstance(content, bytes):
        # A line break in JSON is always whitespace between two tokens.
        text = content.replace(b"\r\n", b" ").replace(b"\n", b" ").strip()
        return RecordLine(f"{name}:{record.line}", text)
    try:
        if isinstance(content, engine.RecordError):
            raise content
        text = engine.text_to_json(content).encode()
    except engine.RecordError as error:
        column = "" if error.column is None else f":{error.column}"
        return UnreadableRecord(f"{name}:{error.line or record.line}{column}", error.fault)
    return RecordLine(f"{name}:{record.line}", text, content)


def batches(records: Sequence[RecordLine]) -> Iterator[list[RecordLine]]:
    """Yield the records in batches that a service accepts; equal input gives equal batches."""
    batch: list[RecordLine] = []
    size = 0
    for record in records:
        if batch and (len(batch) == MAX_LINES or size + len(record.text) >= MAX_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(record)
        size += len(record.text) + 1
    yield batch


class RecordUpload:
    """Records being sent, and their outcomes so far."""

    def __init__(
        self, client: Client, slug: str, records: Sequence[RecordLine], options: argparse.Namespace
    ) -> None:
        self.client, self.slug, self.written, self.options = client, slug, records, options
        self.count = {"new": 0, "known": 0, "refused": 0, "undone": 0}
        self.done = 0

    def send(self) -> int:
        """Send the records and print faults at once; a failure leaves the rest unsent."""
        try:
            for batch, answer in self._answers():
                self._print(batch, answer)
        except KeyboardInterrupt:
            print(f"\nbaza: {self._message('broken_off')}", file=sys.stderr)
            return BROKEN_OFF
        kind = "dry_run" if self.options.dry_run else "accepted"
        print(self._message(kind))
        return AT_FAULT if self.count["refused"] else IN_ORDER

    def _answers(self) -> Iterator[tuple[list[RecordLine], Batch]]:
        """Yield the batches with their answers, in order; `jobs` of them are sent at a time.

        Daemon threads, since a ThreadPoolExecutor would make Ctrl-C wait for minutes for a service
        that does not answer. What they have sent is sent again by the next run, under its key.
        """
        places = Semaphore(self.options.jobs)
        sent: list[Future[tuple[list[RecordLine], Batch]]] = []

        def work(batch: list[RecordLine], future: Future[tuple[list[RecordLine], Batch]]) -> None:
            with places:
                if not future.set_running_or_notify_cancel():
                    return
                try:
                    future.set_result(self._send_batch(batch))
                except BaseException as error:  # noqa: BLE001 - raised again by `result`
                    future.set_exception(error)

        for batch in batches(self.written):
            sent.append(Future())
            Thread(target=work, args=(batch, sent[-1]), daemon=True).start()
        try:
            for future in sent:
                yield future.result()
        finally:
            for future in sent:
                future.cancel()

    def _message(self, code: str) -> str:
        counts = {"done": self.done, "all": len(self.written), **self.count}
        return message(self.options.lang, f"cli.submit.{code}", **counts)

    def _send_batch(self, batch: list[RecordLine]) -> tuple[list[RecordLine], Batch]:
        texts = [record.text for record in batch]
        return batch, self.client.submit_many(self.slug, texts, dry_run=self.options.dry_run)

    def _print(self, batch: list[RecordLine], answer: Batch) -> None:
        for record, line in zip(batch, answer.lines, strict=True):
            self.count[_kind(line, answer)] += 1
            if line.is_refused:
                print(_sentence(record, line, self.options.lang))
        self.done += len(batch)
        self._show_progress()

    def _show_progress(self) -> None:
        """Print the progress: in one line of a terminal, else a line a batch."""
        is_terminal = sys.stderr.isatty()
        if not (is_terminal or self.options.progress):
            return
        text = self._message("progress")
        if not is_terminal:
            print(text, file=sys.stderr, flush=True)
            return
        end = "\n" if self.done == len(self.written) else ""
        print(f"\r\033[K{text}", end=end, file=sys.stderr, flush=True)


def _kind(line: Line, answer: Batch) -> str:
    if line.is_refused:
        return "refused"
    if line.duplicate or answer.repeated:
        return "known"
    return "undone" if answer.refused and not answer.dry_run else "new"


def _sentence(record_line: RecordLine, line: Line, language: str) -> str:
    record = record_line.place
    if record_line.source is not None and line.pointer:
        line_number, column = record_line.source.place(line.pointer)
        record = f"{record.rpartition(':')[0]}:{line_number}:{column}"
    facts = {"record": record, "code": line.code, "detail": line.detail}
    if line.pointer:
        return message(language, "cli.submit.fault_at", **facts, place=line.pointer)
    if line.column:
        return message(language, "cli.submit.fault_at_column", **facts, column=line.column)
    return message(language, "cli.submit.fault", **facts)


def _token(name: str | None) -> str:
    if name is None:
        token = os.environ.get(TOKEN, "")
    else:
        try:
            token = Path(name).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"{name}: {error}") from error
    if not token.isascii() or any(letter.isspace() for letter in token):
        # The error of the HTTP library would print it.
        raise CommandError(f"{name or TOKEN}: this is not one token")
    return token


def _running_tournament(client: Client) -> str:
    """Return the running tournament; with several of them the user has to name one."""
    slugs = [
        tournament.slug for tournament in client.tournaments() if tournament.state == "running"
    ]
    if len(slugs) != 1:
        raise CommandError(f"--tournament: {', '.join(slugs) or 'nothing is running'}")
    return slugs[0]
