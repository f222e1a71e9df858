"""Messages of the engine in English, Spanish and German, from the catalogues in `engine/locale`.

A message is found by its id: a group and the code that the engine answers with, as
``fault.play.must_follow`` or ``hint.swap``. Fields in braces are filled with the facts of the
answer.
"""

from __future__ import annotations

import gettext
from functools import cache
from pathlib import Path
from typing import Any, Final

LANGUAGES: Final = ("en", "es", "de")

FOLDER: Final = Path(__file__).parent / "locale"


@cache
def catalogue(language: str) -> gettext.NullTranslations:
    """Return the messages of a language. ValueError for one that is not in `LANGUAGES`."""
    if language not in LANGUAGES:
        raise ValueError(f"no words in {language!r}; there are {', '.join(LANGUAGES)}")
    return gettext.translation("engine", FOLDER, [language])


def has_message(message_id: str) -> bool:
    """Tell whether the catalogues hold a message; each holds the same ids."""
    return catalogue("en").gettext(message_id) != message_id


def message(language: str, message_id: str, /, **facts: Any) -> str:
    """Return a message, filled with facts. KeyError when the catalogue lacks it."""
    text = catalogue(language).gettext(message_id)
    if text == message_id:  # what gettext answers when it has none
        raise KeyError(f"{language}: no message {message_id!r}")
    return text.format_map(facts)
