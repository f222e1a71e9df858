"""Checks of the cells of a list: names, codes, and what may stand in it only once."""

from typing import Final

from tournaments.domain.names import BadNameError, clean_name, fold_name
from tournaments.domain.roster.rows import MAX_CODE_LENGTH, RosterFault

_NOT_GIVEN: Final = " ?¿-–—_.*/"
"""A cell of these alone says that something is not known."""


class DuplicateCheck:
    """Texts met so far; meeting one again is a fault."""

    def __init__(self, code: str, faults: list[RosterFault]) -> None:
        self.code = code
        self.faults = faults
        self.texts: set[str] = set()

    def add(self, text: str, line: int) -> None:
        """Note a text of a line."""
        key = fold_name(text)
        if key and key in self.texts:
            self.faults.append(RosterFault(line, self.code, text))
        self.texts.add(key)


def in_order(faults: list[RosterFault]) -> tuple[RosterFault, ...]:
    """Return the faults in the order of their lines."""
    return tuple(sorted(faults, key=lambda fault: fault.line))


def read_code(text: str, line: int, faults: list[RosterFault]) -> str:
    """Return a code in capitals, or an empty text and a fault."""
    code = read_name(text, line, faults, missing="code_missing").upper()
    if len(code) > MAX_CODE_LENGTH:
        faults.append(RosterFault(line, "code_too_long", code))
        return ""
    return code


def read_name(
    text: str, line: int, faults: list[RosterFault], missing: str = "name_missing"
) -> str:
    """Return a name as it is stored, or an empty text and a fault; so for what stands for none."""
    try:
        return clean_name(text if is_given(text) else "")
    except BadNameError as error:
        code = missing if error.code == "name_missing" else error.code
        faults.append(RosterFault(line, code, escape_invisible(text.strip())))
        return ""


def is_given(text: str) -> bool:
    """Tell whether a cell holds something.

    >>> [is_given(text) for text in ("Ana", "-", " ? ", "")]
    [True, False, False, False]
    """
    return bool(text.strip().strip(_NOT_GIVEN))


def is_number(text: str) -> bool:
    """Tell whether a cell holds digits and no letter."""
    return any(map(str.isdigit, text)) and not any(map(str.isalpha, text))


def escape_invisible(text: str) -> str:
    """Write invisible characters as escapes, so that a fault shows them and does no harm."""
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)
