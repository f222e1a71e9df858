"""Marks of a row's fields: the bounds that a reader holds and what a writer does (`file.codec`)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Range:
    """The least and the most of a whole number."""

    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Length:
    """The most characters of a text."""

    most: int


@dataclass(frozen=True, slots=True)
class Items:
    """The most items of a list, and the least."""

    most: int
    least: int = 0


@dataclass(frozen=True, slots=True)
class Words:
    """The words that a text can be; none: those of a register that `file.codec` names."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Digits:
    """The pattern of a text in hexadecimal, and what a refusal calls it."""

    pattern: str
    expected: str
    longest: int


@dataclass(frozen=True, slots=True)
class Always:
    """Written also at its default."""


@dataclass(frozen=True, slots=True)
class Nullable:
    """``null`` is read as None; without the mark it is refused, and None is what is not there."""


@dataclass(frozen=True, slots=True)
class Numbered:
    """Items are numbered by their place where they do not say a number."""
