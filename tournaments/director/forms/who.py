"""Answers to the question which persons names mean, and a form that asks it."""

from collections.abc import Callable, Mapping
from typing import Final, TypeVar

from tournaments.core.forms import Form, read_number
from tournaments.domain.roster import Seat, WhoAnswer
from tournaments.people.queries.who import WhoQuestion

WHO: Final = "who-"
MARK: Final = "mark-"
"""What the names of the fields begin with that say who a name is; `WhoQuestion.key` follows."""

NEW: Final = "new"
KNOWN: Final = "known:"
"""The values of these fields: a new person, or the one of the name that follows."""

T = TypeVar("T")


def who_answers(data: Mapping[str, str]) -> dict[Seat, WhoAnswer]:
    """Return what a form says of the persons of names, by line and seat."""
    answers = {}
    for name, value in data.items():
        line_text, _, rest = name.removeprefix(WHO).partition("-")
        seat_text, _, of = rest.partition("-")
        line, seat = read_number(line_text), read_number(seat_text)
        if not name.startswith(WHO) or line is None or seat is None:
            continue
        mark = " ".join(data.get(MARK + name.removeprefix(WHO), "").split()).strip(" ()")
        if value == NEW:
            answers[line, seat] = WhoAnswer(mark=mark, of=of)
        elif value.startswith(KNOWN):
            answers[line, seat] = WhoAnswer(value.removeprefix(KNOWN), of=of)
    return answers


class WhoForm(Form):
    """A form with names of people; a refused one has the ``questions`` who they are."""

    questions: tuple[WhoQuestion, ...] = ()

    @property
    def who(self) -> dict[Seat, WhoAnswer]:
        """The answers to the questions that were shown."""
        return who_answers(self.data)

    def submit(self, action: Callable[[], T]) -> T | None:
        """Show the questions of a refusal."""
        result = super().submit(action)
        if self.refused is not None:
            self.questions = tuple(self.refused.params.get("who", ()))
        return result
