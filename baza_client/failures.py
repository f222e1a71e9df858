"""The client's exceptions: a refusal by the service, no answer, and an answer cut short."""

from collections.abc import Mapping
from typing import Any


class Problem(Exception):  # noqa: N818 - the name that RFC 9457 gives it
    """The service refused the request; ``code`` is stable, ``detail`` a sentence for people.

    ``pointer`` is the place in what was sent, where it is known; ``document`` the whole problem.
    """

    def __init__(self, status: int, document: Mapping[str, Any]) -> None:
        self.status = status
        self.code = str(document.get("code", ""))
        self.detail = str(document.get("detail", ""))
        self.pointer: str | None = document.get("pointer")
        self.document = document
        super().__init__(f"{status} {self.code}: {self.detail}")


class Unreachable(Exception):  # noqa: N818
    """No answer, however often it was tried; whether it was carried out is not known."""


class CutShort(Exception):  # noqa: N818
    """Lines that do not end as they say themselves that they must: some are missing."""
