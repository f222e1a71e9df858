"""The client's exceptions: a refusal by the service, no answer, and an answer cut short."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Problem(Exception):  # noqa: N818 - the name that RFC 9457 gives it
    """The service said no: ``code`` is stable, ``detail`` a sentence in the language asked for.

    ``pointer`` is the place in what was sent, where it is known; ``said`` the whole problem.
    """

    def __init__(self, status: int, said: Mapping[str, Any]) -> None:
        self.status = status
        self.code = str(said.get("code", ""))
        self.detail = str(said.get("detail", ""))
        self.pointer: str | None = said.get("pointer")
        self.said = said
        super().__init__(f"{status} {self.code}: {self.detail}")


class Unreachable(Exception):  # noqa: N818
    """No answer, however often it was tried; whether it was carried out is not known."""


class CutShort(Exception):  # noqa: N818
    """Lines that do not end as they say themselves that they must: some are missing."""
