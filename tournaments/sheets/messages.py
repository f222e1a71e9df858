"""The messages of the papers in one language, and how numbers, places and dates are written."""

from datetime import date
from typing import Final

from tournaments.domain.messages import LANGUAGES, criterion_message, has_message, message

_ENGLISH_SUFFIXES: Final = {1: "st", 2: "nd", 3: "rd"}
"""By the last digit of an ordinal, except for 11, 12 and 13."""


class PaperMessages:
    """The messages of one language; in Spanish for a language without a catalogue."""

    def __init__(self, language: str) -> None:
        self.language = language if language in LANGUAGES else "es"

    def __call__(self, key: str, **facts: object) -> str:
        """Return a message with its parameters filled in."""
        return message(self.language, f"paper.{key}", **facts)

    def count(self, key: str, count: int) -> str:
        """Return a message about a number; some have a singular of their own."""
        is_one = count == 1 and has_message(f"paper.{key}_1")
        return self(f"{key}_1" if is_one else key, count=count)

    def criterion(self, code: str, kind: str, cotos: int) -> str:
        """Return the heading or short name of a criterion (`criterion_message`)."""
        return criterion_message(self.language, kind, code, cotos).partition(":")[0]

    def number(self, number: float | None) -> str:
        """Return a number with two decimals at most: ``2.5`` in English, else ``2,5``."""
        if number is None:
            return ""
        text = f"{number:.2f}".rstrip("0").rstrip(".").replace("-", "−")
        return text if self.language == "en" else text.replace(".", ",")

    def ordinal(self, place: int) -> str:
        """Return a place as a diploma writes it: ``second place``, ``21st place``."""
        if has_message(f"paper.place_{place}"):
            return self(f"place_{place}")
        is_teen = place % 100 in {11, 12, 13}
        suffix = "" if is_teen else _ENGLISH_SUFFIXES.get(place % 10, "")
        return self(f"place_n{suffix}", number=place)

    def long_date(self, day: date) -> str:
        """Return a date as text: ``21 de noviembre de 2026``, ``21. November 2026``."""
        return self("date", day=day.day, month=self(f"month_{day.month}"), year=day.year)
