"""A fault of a file as a refusal, worded in the language in use."""

from typing import Final

from django.utils.translation import get_language

from tournaments.domain.file import FileError
from tournaments.errors import Reason, Refusal

WHOLE: Final = "/"
"""The place of a fault that is in no place of its own."""


def refused(error: FileError, reason: Reason) -> Refusal:
    """Return the refusal of a file for a fault of it: ``where`` it is and ``why`` it is one."""
    language = (get_language() or "es")[:2]
    why = error.explain(language)
    line = error.facts.get("line")
    return Refusal(reason, where=error.path or (f"line {line}" if line else WHOLE), why=why)
