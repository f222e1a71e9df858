"""Reads the records of a file in any form and encoding, and submits them one by one."""

from dataclasses import dataclass
from io import BytesIO
from itertools import islice
from typing import Final

from django.utils.translation import get_language
from django.utils.translation import gettext as _

import engine
from tournaments.core.errors import Reason, Refusal, refuse_large_body
from tournaments.core.permissions import Actor, may_submit_to, refuse_unless
from tournaments.models import Record, Tournament
from tournaments.results.services.submission import (
    NumberedRecord,
    OutcomeKind,
    ParsedRecord,
    SubmissionOutcome,
    parse_content,
)
from tournaments.results.services.submit import MAX_BYTES, MAX_LINES, submit_to_tournament

MAX_FILE_RECORDS: Final = 200
"""Records of a file on a page, which are submitted one by one: some seconds."""


@dataclass(frozen=True, slots=True)
class RecordFile:
    """The records of a file, and the reader that says what it was taken for."""

    raw: bytes
    reader: engine.RecordReader
    records: tuple[NumberedRecord, ...]

    @property
    def description(self) -> str:
        """What the file was taken for, in the current language."""
        return self.reader.describe(get_language() or "en")

    def parse(self) -> list[ParsedRecord]:
        """Return the records, replayed."""
        return [parse_content(content, self.raw) for _number, content in self.records]


def read_records(
    body: bytes | str, name: str = "", *, limit: int = MAX_LINES, only_utf_8: bool = False
) -> RecordFile:
    """Return the records of a file, in the form that its content shows. Refuses TOO_LARGE."""
    raw = body.encode("utf-8", "surrogatepass") if isinstance(body, str) else body
    refuse_large_body(raw, MAX_BYTES)
    reader = engine.RecordReader(BytesIO(raw), name, only_utf_8=only_utf_8)
    found = list(islice(reader, limit + 1))
    if len(found) > limit:
        raise Refusal(Reason.TOO_LARGE, most=_("%(count)s records") % {"count": f"{limit:,}"})
    records = tuple((record.number or 1, record.content) for record in found)
    return RecordFile(raw, reader, records)


def parse_text(body: bytes) -> ParsedRecord:
    """Replay the one record of a text (``.tute``)."""
    try:
        content: engine.RecordSource = engine.parse_text(body)
    except engine.TextError as error:
        content = error
    return parse_content(content, body)


def submit_file(actor: Actor, tournament: Tournament, file: RecordFile) -> list[SubmissionOutcome]:
    """Submit the records of a file one by one, so that each counts or is refused for itself.

    The same file again changes nothing. Refuses SIGN_IN, FORBIDDEN.
    """
    refuse_unless(may_submit_to(actor, tournament), actor)
    return [_submit_one(actor, tournament, parsed) for parsed in file.parse()]


def _submit_one(actor: Actor, tournament: Tournament, parsed: ParsedRecord) -> SubmissionOutcome:
    try:
        return submit_to_tournament(actor, tournament, parsed, source=Record.Source.WEB)
    except Refusal as refusal:  # FORBIDDEN at another's match, or EVIDENCE_FULL
        return SubmissionOutcome(OutcomeKind.REFUSED, parsed, None, None, refusal)
