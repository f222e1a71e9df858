"""The tournament file: a whole tournament as JSON that people can read and type.

`docs/programs/tournament-file.md` describes the format; nothing here opens a file.
"""

from tournaments.domain.file.places import FileError
from tournaments.domain.file.reading import (
    document_from_bytes,
    rows_from_bytes,
    rows_from_document,
)
from tournaments.domain.file.rules import rules_from_dict, rules_schema, rules_to_dict
from tournaments.domain.file.writing import document_of, rows_to_bytes

__all__ = [
    "FileError",
    "document_from_bytes",
    "document_of",
    "rows_from_bytes",
    "rows_from_document",
    "rows_to_bytes",
    "rules_from_dict",
    "rules_schema",
    "rules_to_dict",
]
