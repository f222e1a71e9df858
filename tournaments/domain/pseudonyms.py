"""Replaces names in texts with pseudonyms, and changes nothing else.

A name is found as a whole word or words; case, Unicode form and the blanks between words are
ignored. Where it is part of another person's name (*Ana* in *Ana López*) that name stays. A name of
fewer than three characters is replaced only where it is the whole text, as it would be found
everywhere.
"""

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from tournaments.domain.names import MAX_NAME_LENGTH, fold_name

MIN_LENGTH: Final = 3
"""Characters from which a name, or a word of it, is looked for within texts."""

PARTICLES: Final = frozenset(
    {"del", "las", "los", "der", "den", "des", "the", "and", "van", "von", "dos", "das", "san"}
)
"""Words of names that say nothing of whose they are."""

RUN: Final = re.compile(r"[A-Za-z0-9]{2,}")


ERASED: Final = "NN"
"""The name of an erased person who never became a player."""


def pseudonym(number: int) -> str:
    """Return the pseudonym of an erased person, the same in every language (*nomen nescio*)."""
    return f"NN {number}"


def without_pseudonyms(text: str) -> str:
    """Return a text without pseudonyms, so that a search finds no erased person.

    >>> without_pseudonyms("NN 1001 – Úbeda")
    ' – Úbeda'
    """
    return re.sub(rf"\b{ERASED}(?: [0-9]+)?\b", "", text)


@dataclass(frozen=True)
class Renaming:
    """Names, each with the one that takes its place; ``kept`` are names of others, which stay."""

    names: Mapping[str, str]
    kept: frozenset[str] = frozenset()

    @cached_property
    def _replacements(self) -> dict[str, str | None]:
        """The replacement of each name, by its comparison form; ``None`` for those that stay."""
        places: dict[str, str | None] = {fold_name(name): None for name in self.kept}
        return places | {fold_name(old): new for old, new in self.names.items()}

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        words = [name for name in self._replacements if len(name) >= MIN_LENGTH]
        spellings = sorted(
            {
                s
                for name in (*words, *self.names)
                if len(name) >= MIN_LENGTH
                for s in _spellings(name)
            },
            key=lambda spelling: (-len(spelling), spelling),
        )
        if not spellings:
            return None
        alternatives = "|".join(re.escape(s).replace(r"\ ", r"\s+") for s in spellings)
        return re.compile(rf"(?<!\w)(?:{alternatives})(?!\w)", re.IGNORECASE)

    @property
    def marks(self) -> tuple[str, ...]:
        """Plain letters that every text holds which names one of them, however it is written.

        One for each name; an empty one where a name has none, and any text may name it.
        """
        runs = (max(RUN.findall(_ascii_letters(name)), key=len, default="") for name in self.names)
        return tuple(dict.fromkeys(runs))

    def text(self, original: str) -> str:
        """Return a text with the names replaced; the very same where none was found."""
        alone = self._replacements.get(fold_name(original))
        if alone is not None:
            return alone
        if self._pattern is None:
            return original
        normal = unicodedata.normalize("NFC", original)
        changed = self._pattern.sub(self._replacement, normal)
        return original if changed == normal else changed

    def _replacement(self, match: re.Match[str]) -> str:
        instead = self._replacements.get(fold_name(match[0]))
        return match[0] if instead is None else instead

    def value(self, original: Any) -> Any:
        """Return a value of JSON with the names replaced in all its texts, those of keys too."""
        if isinstance(original, str):
            return self.text(original)
        if isinstance(original, Mapping):
            return {self.text(key): self.value(item) for key, item in original.items()}
        if isinstance(original, list | tuple):
            return [self.value(item) for item in original]
        return original

    def record(self, text: str, *, hands: bool = False) -> str:
        """Return the text of a record (F1) with the names replaced; its hands too, if asked for.

        Raises ValueError for what is no JSON object.
        """
        document = json.loads(text)
        if not isinstance(document, dict):
            raise ValueError("a record is a JSON object")  # noqa: TRY004 - as for no JSON at all
        changed = {
            key: original if key == "hands" and not hands else self.value(original)
            for key, original in document.items()
        }
        if changed == document:
            return text
        return json.dumps(changed, ensure_ascii=False, separators=(",", ":"))


def _spellings(name: str) -> tuple[str, ...]:
    """Return a name as it is written and as it is compared: where these differ in length."""
    return (" ".join(unicodedata.normalize("NFC", name).split()), fold_name(name))


def _ascii_letters(name: str) -> str:
    """Return a name with a gap for every letter that may be written in several ways."""
    decomposed = unicodedata.normalize("NFD", unicodedata.normalize("NFC", name))
    return "".join(
        f"{'' if unicodedata.combining(after) else char}" if char.isascii() else " "
        for char, after in zip(decomposed, decomposed[1:] + " ", strict=True)
    )


def shared_name(name: str, person: str, instead: str) -> str:
    """Return the name of a pair without the words of one person's name; the same without any.

    *Marco – Úbeda* becomes *NN 1001 – Úbeda* for Antonio Marco.
    """
    pair_name = Renaming({person: instead}).text(name)
    if pair_name != name:
        return pair_name[:MAX_NAME_LENGTH].strip()
    words = {w for w in fold_name(person).split() if len(w) >= MIN_LENGTH and w not in PARTICLES}
    parts: list[str] = []
    for part in re.split(r"(\W+)", unicodedata.normalize("NFC", name)):
        if fold_name(part) not in words:
            parts.append(part)
        elif instead not in parts[-2:-1]:
            parts.append(instead)
        else:
            parts.pop()
    changed = "".join(parts)
    return name if changed == name else changed[:MAX_NAME_LENGTH].strip()


def names_containing(names: Iterable[str], candidates: Iterable[str]) -> frozenset[str]:
    """Return the candidates that contain one of ``names`` as whole words, without ``names``."""
    few = {fold_name(name) for name in names}
    return frozenset(
        candidate
        for candidate in candidates
        if fold_name(candidate) not in few
        and any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", fold_name(candidate)) for name in few)
    )
