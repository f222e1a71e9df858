"""Messages in English, Spanish and German, from gettext catalogues with codes as ids.

A message is found by its id: a group and a code, as ``fault.play.must_follow`` or ``hint.swap``.
Fields in braces are filled with the facts of the answer.
"""

from __future__ import annotations

import gettext
import string
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from engine.printable import escape_controls

LANGUAGES: Final = ("en", "es", "de")


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The catalogues of one name, compiled: ``<folder>/<language>/LC_MESSAGES/<name>.mo``."""

    name: str
    folder: Path

    def has_message(self, message_id: str) -> bool:
        """Tell whether the catalogues hold a message; each holds the same ids."""
        return _translations(self, "en").gettext(message_id) != message_id

    def message(self, language: str, message_id: str, /, *values: Any, **facts: Any) -> str:
        """Return a message, its fields filled in by number or name, without their controls.

        Raises ``ValueError`` for a language that is not in `LANGUAGES`, ``KeyError`` when the
        catalogue lacks the message.
        """
        text = _translations(self, language).gettext(message_id)
        if text == message_id:  # what gettext answers when it has none
            raise KeyError(f"{language}: no message {message_id!r}")
        filled = text.format(*values, **facts)
        return filled if filled.isprintable() else _FORMATTER.vformat(text, values, facts)

    def group(self, language: str, *groups: str) -> dict[str, str]:
        """Return the messages of some groups by their ids, with their fields in braces."""
        translations = _translations(self, language)
        # gettext gives no list of its ids
        ids = [key for key in vars(translations)["_catalog"] if key.partition(".")[0] in groups]
        return {key: translations.gettext(key) for key in sorted(ids)}


class _Formatter(string.Formatter):
    """Escapes the control characters of what fills a field; those of the message stay."""

    def format_field(self, value: Any, format_spec: str) -> str:
        return escape_controls(super().format_field(value, format_spec))


_FORMATTER: Final = _Formatter()


@cache  # gettext would look for the file at every message
def _translations(catalogue: Catalogue, language: str) -> gettext.NullTranslations:
    if language not in LANGUAGES:
        raise ValueError(f"no words in {language!r}; there are {', '.join(LANGUAGES)}")
    return gettext.translation(catalogue.name, catalogue.folder, [language])


FOLDER: Final = Path(__file__).parent / "locale"
_ENGINE: Final = Catalogue("engine", FOLDER)
has_message = _ENGINE.has_message
message = _ENGINE.message
group = _ENGINE.group
