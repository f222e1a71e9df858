"""The buttons of a page whose forms go to one address, each with its verb."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, ParamSpec

from django.utils.functional import Promise

from tournaments.core.errors import Reason, Refusal
from tournaments.core.forms import Form

P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class Button(Generic[P]):
    """The action of a button, its message of success, and the form that it submits.

    ``earlier`` are its verbs of earlier releases: a form that is still open sends them.
    """

    act: Callable[P, object]
    done: str | Promise = ""
    form: Callable[..., Any] = Form
    earlier: tuple[str, ...] = ()


def find_button(buttons: Mapping[str, Button[P]], word: str) -> tuple[str, Button[P]]:
    """Return the verb and the button that a form's address names; refuses NOT_FOUND."""
    for verb, button in buttons.items():
        if word in (verb, *button.earlier):
            return verb, button
    raise Refusal(Reason.NOT_FOUND)
