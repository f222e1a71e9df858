"""Checks names, reasons and slugs, and creates rows with a free slug."""

import re
import unicodedata
from typing import Any, Final, TypeVar

from django.db import IntegrityError, transaction
from django.db.models import Model, QuerySet
from django.utils.text import slugify

from tournaments.core.errors import Reason, Refusal
from tournaments.core.faults import NAME_FAULTS
from tournaments.domain.names import MAX_REASON_LENGTH, BadNameError, clean_name, is_blank
from tournaments.domain.person_names import judge_person

Row = TypeVar("Row", bound=Model)

MAX_SLUG_LENGTH: Final = 50
SLUG: Final = re.compile(r"[a-z0-9]+([-_]+[a-z0-9]+)*")  # earlier releases made some with "_"
ALLOWED_CONTROLS: Final = frozenset("\n\r\t")
"""Control characters that a reason may hold."""
DIRECTION_MARKS: Final = frozenset(
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
"""Characters that set the direction of reading: with them text would appear reversed."""


def validate_name(text: str) -> str:
    """Return the name as it is stored; refuses with BAD_NAME."""
    try:
        return clean_name(text)
    except BadNameError as error:
        printable_text = "".join(c for c in text if c.isprintable())[:100]
        raise Refusal(Reason.BAD_NAME, text=printable_text, why=NAME_FAULTS[error.code]) from error


def validate_person(text: str, *, as_written: bool = False) -> str:
    """Return the name of a person as it is stored.

    Refuses BAD_NAME, and DOUBTFUL_NAME unless it was confirmed that it is right ``as_written``.
    """
    name = validate_name(text)
    doubt = judge_person(name)
    if doubt is not None and (doubt.is_refused or not as_written):
        reason = Reason.BAD_NAME if doubt.is_refused else Reason.DOUBTFUL_NAME
        raise Refusal(reason, text=name, why=NAME_FAULTS[doubt.code])
    return name


def validate_reason(text: str, *, required: bool = True) -> str:
    """Return the reason of a decision.

    Refuses REASON_MISSING if it is ``required``, REASON_TOO_LONG, and as :func:`validate_remark`.
    """
    reason = validate_remark(text)
    if required and not reason:
        raise Refusal(Reason.REASON_MISSING)
    if len(reason) > MAX_REASON_LENGTH:
        raise Refusal(Reason.REASON_TOO_LONG, most=MAX_REASON_LENGTH)
    return reason


def validate_remark(text: str) -> str:
    """Return a text without surrounding blanks; it may be empty.

    Refuses BAD_REASON for control characters other than line breaks and tabs, for characters that
    set the direction of reading, and for a text of characters that cannot be seen.
    """
    remark = text.strip()
    if has_hidden_characters(text) or (remark and is_blank(remark)):
        raise Refusal(Reason.BAD_REASON)
    return remark


def has_hidden_characters(text: str) -> bool:
    """Return whether a text has control characters, or sets the direction of reading."""
    return any(
        character in DIRECTION_MARKS
        or (unicodedata.category(character) == "Cc" and character not in ALLOWED_CONTROLS)
        for character in text
    )


def create_with_slug(
    rows: QuerySet[Row], name: str, requested_slug: str | None = None, **values: Any
) -> Row:
    """Insert a row with the wanted slug, or with one made from its name.

    ``rows`` are those among which slugs are unique. Two simultaneous requests may find the same
    slug free: the unique constraint lets one through, the other takes the next slug. Refuses
    BAD_SLUG, SLUG_TAKEN.
    """
    while True:
        slug = free_slug(rows, name, requested_slug)
        try:
            with transaction.atomic():
                return rows.create(name=name, slug=slug, **values)
        except IntegrityError:
            if not rows.filter(slug=slug).exists():  # violates another constraint
                raise


def free_slug(rows: QuerySet[Any], name: str, requested_slug: str | None = None) -> str:
    """Return the wanted slug, or one made from the name, numbered when it is taken.

    Refuses a wanted slug that is malformed (BAD_SLUG) or taken (SLUG_TAKEN).
    """
    if requested_slug is not None:
        if len(requested_slug) > MAX_SLUG_LENGTH or not SLUG.fullmatch(requested_slug):
            raise Refusal(Reason.BAD_SLUG, text=requested_slug[:MAX_SLUG_LENGTH])
        if rows.filter(slug=requested_slug).exists():
            raise Refusal(Reason.SLUG_TAKEN, text=requested_slug)
        return requested_slug
    stem = slugify(name.replace("_", " "))[: MAX_SLUG_LENGTH - 6].strip("-") or "x"
    slug, number = stem, 2
    while rows.filter(slug=slug).exists():
        slug, number = f"{stem}-{number}", number + 1
    return slug
