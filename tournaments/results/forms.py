"""Forms about records and results: scores, hands, rulings, forfeits, postponements."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from typing import Any, Final

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS
from django.forms.boundfield import BoundField
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import engine
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import find_dispute
from tournaments.core.forms import (
    Form,
    ReasonForm,
    file_or_text,
    moment_field,
    reason_field,
    set_choices,
    text_area,
)
from tournaments.core.permissions import Actor
from tournaments.director.queries.rows import MatchRow, TableSide, score_in
from tournaments.domain.scores import Length, Score, are_places
from tournaments.results.queries.matches import MatchPage
from tournaments.results.services.given import HandAward
from tournaments.results.services.intake import MAX_FILE_RECORDS, read_records

MAX_HANDS: Final = 1000
MAX_POINTS: Final = 250_000  # above a thousand hands of at most 230 points
MAX_ENDINGS: Final = 10_000  # scores to try; at a table of four these are 20 deals
MAX_BUTTON_HANDS: Final = (
    8  # hands up to this number are buttons, side by side on a phone; more are a list
)
FOUR_ALONE: Final = 4  # sides of a table of which the dealer sits out (R8.1)
FEW_LINES: Final = 5  # shown at first
MAX_LINES: Final = 60
MORE_LINES: Final = 5  # added by the button
TYPED: Final = ("hands", "place")
"""Fields of a side in the query of a correction."""
NOT_PLACES: Final = _("Places are 1, 2, 3 and on; of two who share the second, both have 2.")
CONTRADICTION: Final = "unsure"
"""The code of the error that asks for a second look at a report that contradicts another."""


def number_field(max_value: int, *, min_value: int = 0, **kwargs: Any) -> forms.IntegerField:
    """Return a field for a count, with the number keyboard on phones."""
    keys = forms.NumberInput(attrs={"inputmode": "numeric", "autocomplete": "off"})
    return forms.IntegerField(min_value=min_value, max_value=max_value, widget=keys, **kwargs)


@dataclass(frozen=True, slots=True)
class SideFields:
    """A side of a table with its score fields; where results are typed ``hands`` is its place."""

    side: TableSide
    hands: BoundField
    points: BoundField


class ScoreFields(Form):
    """Hands and points of each side of a match, and whether time ended it.

    Where results are typed only, places or points in their stead.
    """

    points_needed = True
    cut = forms.BooleanField(
        label=_("Time ended the match"),
        required=False,
        help_text=_("The score stands as it is, with any number of hands."),
    )

    def __init__(self, page: MatchPage, *args: Any, **kwargs: Any) -> None:
        """Add the score fields of the match, side by side, labelled with the sides' names."""
        super().__init__(*args, **kwargs)
        self.page, self.match = page, page.match
        is_of_cotos = page.length.cotos > 1
        label = _("Cotos won by %(name)s") if is_of_cotos else _("Hands won by %(name)s")
        for side in page.match.sides:
            name = {"name": side.shown_name}
            if page.typed_only:
                self.fields[f"{side.side}_place"] = number_field(
                    len(self.match.sides),
                    min_value=1,
                    label=_("Place of %(name)s") % name,
                    required=False,
                )
            else:
                self.fields[f"{side.side}_hands"] = number_field(MAX_HANDS, label=label % name)
            self.fields[f"{side.side}_points"] = number_field(
                MAX_POINTS,
                label=_("Points of %(name)s") % name,
                required=self.points_needed and not page.typed_only,
            )
        if self.match.is_of_bots or page.typed_only:
            del self.fields["cut"]
        self.order_fields(["dispute", "ruling", *self.score_fields])

    @property
    def score_fields(self) -> tuple[str, ...]:
        """The names of the fields of the score, the hands or places first."""
        return (*self.first_fields, *(f"{side.side}_points" for side in self.match.sides))

    @property
    def first_fields(self) -> tuple[str, ...]:
        """The names of the fields of the hands, or of the places."""
        field = "place" if self.page.typed_only else "hands"
        return tuple(f"{side.side}_{field}" for side in self.match.sides)

    @property
    def sides(self) -> tuple[SideFields, ...]:
        """The sides with their fields."""
        return tuple(
            SideFields(side, self[first], self[f"{side.side}_points"])
            for side, first in zip(self.match.sides, self.first_fields, strict=True)
        )

    @property
    def score(self) -> Score:
        """The score as entered; missing points are 0."""
        numbers = [self.cleaned_data.get(name) or 0 for name in self.score_fields]
        half = len(numbers) // 2
        first, points = tuple(numbers[:half]), tuple(numbers[half:])
        return typed_score(first, points) if self.page.typed_only else Score.of(first, points)

    @property
    def gives_score(self) -> bool:
        """Whether the score is read."""
        return True

    def clean(self) -> dict[str, Any]:
        """Require the places of all sides or of none, and else their points, where these count."""
        data = super().clean() or {}
        if self.page.typed_only and self.gives_score and not self.errors:
            places = [data[name] for name in self.first_fields if data[name] is not None]
            points = [data[name] for name in self.score_fields if name.endswith("_points")]
            if places and not are_places(places, len(self.match.sides)):
                self.add_error(self.first_fields[0], NOT_PLACES)
            elif not places and None in points:
                self.add_error(self.first_fields[0], _("Give the places of all, or their points."))
        return data

    @property
    def result(self) -> dict[str, Any]:
        """The result as entered, as arguments of the services."""
        return {"score": self.score, "cut": bool(self.cleaned_data.get("cut"))}


class ScoreForm(ScoreFields, ReasonForm):
    """The correction of a result, with the reason."""

    def __init__(
        self, page: MatchPage, *args: Any, typed: Mapping[str, str] | None = None, **kwargs: Any
    ) -> None:
        """Fill in the score ``typed`` at the desk, as `score_query`, or else the current one."""
        score = page.match.score
        if typed and {f"{page.match.sides[0].side}_{field}" for field in TYPED}.intersection(typed):
            kwargs["initial"] = dict(typed)
        elif score:
            kwargs["initial"] = {
                f"{side.side}_{field}": getattr(side, field)
                for side in page.match.sides
                for field in ("hands", "points")
            } | {"cut": score.cut}
            for side, place in zip(page.match.sides, score.places or (), strict=False):
                kwargs["initial"][f"{side.side}_place"] = place
                if not score.points_text:
                    del kwargs["initial"][f"{side.side}_points"]
        super().__init__(page, *args, **kwargs)


def score_query(match: MatchRow, score: Score, *, cut: bool) -> dict[str, int]:
    """Return a score as the fields of a correction; without points where none were typed.

    The points that are there belong to the score that is corrected.
    """
    sides = [side.side for side in match.sides]
    # Not strict: fewer sides may have been typed than sit at the table.
    query = {f"{side}_hands": hands for side, hands in zip(sides, score.hands, strict=False)}
    if score.places is not None:
        query = {f"{side}_place": place for side, place in zip(sides, score.places, strict=False)}
    if any(score.points) or not (match.score and any(score_in(match.score).points)):
        query |= {f"{side}_points": made for side, made in zip(sides, score.points, strict=False)}
    return query | {"cut": 1} if cut else query


class AwardForm(ReasonForm):
    """A hand whose points all go to one side, and why."""

    hand = forms.IntegerField(min_value=0, max_value=MAX_HANDS, widget=forms.HiddenInput)
    side = forms.ChoiceField(widget=forms.HiddenInput)

    def __init__(self, page: MatchPage, data: Mapping[str, str]) -> None:
        """Take the hand and the side from the button; propose the reason."""
        names = {side.side: side.shown_name for side in page.match.sides}
        facts = {"hand": data.get("hand", ""), "name": names.get(data.get("side", ""), "")}
        reason = _("Revoke in hand %(hand)s: its points go to %(name)s.")
        if facts["hand"] == "0":
            reason = _("A hand is lost: it goes to %(name)s.")
        super().__init__({"reason": reason % facts, **data})
        set_choices(self, "side", list(names.items()))

    @property
    def result(self) -> dict[str, Any]:
        """The award, as arguments of the services."""
        return {"award": HandAward(self.cleaned_data["hand"], self.cleaned_data["side"])}


class ReportForm(ScoreFields):
    """The report of how a match ended, by a side or the club; the points may be optional.

    The hands are chosen among those that the match can end with.
    """

    sure = forms.BooleanField(required=False, widget=forms.HiddenInput)

    def __init__(self, page: MatchPage, *args: Any, **kwargs: Any) -> None:
        """Add the score fields of the page's match; its length bounds the hands."""
        self.points_needed = page.needs_points
        super().__init__(page, *args, **kwargs)
        length, sides = page.length, len(page.match.sides)
        # Places may be shared, so that those of the others leave no side a single one.
        is_open = page.typed_only or (length.most_of_a_side + 1) ** (sides - 1) > MAX_ENDINGS
        self.endings = () if is_open else length.endings(sides)
        every = range(1, sides + 1) if page.typed_only else range(length.most_of_a_side + 1)
        few = page.typed_only or length.most_of_a_side <= MAX_BUTTON_HANDS
        for index, name in enumerate(self.first_fields):
            numbers = sorted({hands[index] for hands in self.endings}) or every
            self.fields[name] = forms.TypedChoiceField(
                label=self.fields[name].label,
                choices=[*([] if few else [("", "–")]), *((number, number) for number in numbers)],
                coerce=int,
                empty_value=None,
                required=not page.typed_only,
                widget=forms.RadioSelect if few else forms.Select,
            )

    @property
    def sides(self) -> tuple[SideFields, ...]:
        """The sides with their fields, one's own first; what is sent names home and away."""
        return tuple(sorted(super().sides, key=lambda one: one.side.side != self.page.own_side))

    @property
    def endings_json(self) -> str:
        """The hands of every possible score in the order of ``sides``, for the page's script."""
        order = [self.match.sides.index(one.side) for one in self.sides]
        shown = [[ending[index] for index in order] for ending in self.endings]
        return json.dumps(shown, separators=(",", ":"))

    def clean(self) -> dict[str, Any]:
        """Require the points of all sides or of none; ask for confirmation of a contradiction."""
        data = super().clean() or {}
        names = [name for name in self.score_fields if name.endswith("_points")]
        if any(data.get(name) is not None for name in names):
            for name in names:
                if data.get(name) is None and name not in self.errors:
                    self.add_error(name, _("Give the points of every side, or of none."))
        if not self.errors and not data.get("sure") and self.contradicts:
            self.data = {**{name: self.data.get(name) for name in self.data}, "sure": "on"}
            raise forms.ValidationError(
                _(
                    "The other side reported %(score)s. Send yours again if you are sure of it: "
                    "then the arbiter decides."
                )
                % {"score": ", ".join(f"{s.shown_name} {s.counted}" for s in self.match.sides)},
                code=CONTRADICTION,
            )
        return data

    @property
    def has_points(self) -> bool:
        """Points were typed: the fields are shown open."""
        return any(self.data.get(f"{side.side}_points") for side in self.match.sides)

    @property
    def needs_confirmation(self) -> bool:
        """The score contradicts another side's report, and was not sent as sure."""
        return self.has_error(NON_FIELD_ERRORS, CONTRADICTION)

    @property
    def contradicts(self) -> bool:
        """The entered score differs from another side's report."""
        page = self.page
        if page.waiting is None or page.live is None or page.live.reported_for == page.own_side:
            return False
        return not score_in(page.live.score).agrees_with(self.score)

    def field_of(self, refusal: Refusal) -> str | None:
        """Return the first field of a refused score: the hands, or else the points."""
        if refusal.reason is Reason.LEVEL_CUT:
            return "cut"
        if refusal.reason not in {Reason.IMPOSSIBLE_SCORE, Reason.SCORE_UNFINISHED}:
            return None
        if self.page.typed_only:
            return self.first_fields[0]
        nothing = (0,) * len(self.score.hands)
        is_of_hands = not self.page.length.ends_with(Score.of(self.score.hands, nothing))
        return "home_hands" if is_of_hands else "home_points"


@dataclass(frozen=True, slots=True)
class HandLine:
    """A line of the form: a hand, its points, its winner, its errors."""

    number: int
    board: int | None
    points: tuple[BoundField, ...]
    winner: BoundField
    errors: tuple[str, ...]


class HandsForm(Form):
    """The points of every hand, a line each; empty lines at the end are ignored."""

    lines = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def __init__(
        self, page: MatchPage, boards: Sequence[int], data: Any, *, initial: Any = None
    ) -> None:
        """Add lines for the hands that the match can have; in duplicate, for its deals."""
        super().__init__(data, initial=initial)
        self.page, self.boards = page, tuple(boards)
        self.sides = page.match.sides
        self.count = self._lines(page.length)
        winners = [("", "–"), *((side.side, side.shown_name) for side in self.sides)]
        for number in range(1, self.count + 1):
            for side in self.sides:
                label = _("Hand %(number)s, %(name)s") % {"number": number, "name": side.shown_name}
                self.fields[f"h{number}_{side.side}"] = number_field(
                    MAX_POINTS, label=label, required=False
                )
            self.fields[f"h{number}_winner"] = forms.ChoiceField(
                label=_("Hand %(number)s, won by") % {"number": number},
                choices=winners,
                required=False,
            )

    @property
    def dealer_sits_out(self) -> bool:
        """Whether one side of each hand has no points: of four single players the dealer."""
        return len(self.sides) == FOUR_ALONE

    @property
    def asks_for_more(self) -> bool:
        """The button for more lines was pressed, and nothing is submitted."""
        return "more" in self.data

    def _lines(self, length: Length) -> int:
        if self.boards:
            return len(self.boards)
        if length.deals is not None:
            return length.deals
        sides = len(self.sides)
        of_cotos = length.cotos > 1
        min_lines = length.most_cotos(sides) if of_cotos else length.most_hands(sides)
        text = str(self.data.get("lines", ""))
        requested_lines = int(text) if text.isascii() and text.isdigit() and len(text) < 4 else 0
        extra_lines = MORE_LINES if self.is_bound and self.asks_for_more else 0
        return min(
            max(min_lines, 0 if of_cotos else FEW_LINES, requested_lines) + extra_lines, MAX_LINES
        )

    def clean(self) -> dict[str, Any]:
        """Require complete lines without a gap."""
        data = super().clean() or {}
        if self.asks_for_more:
            return data
        last = max((n for n in range(1, self.count + 1) if any(self._filled_sides(n))), default=0)
        if not last:
            raise forms.ValidationError(_("Write the points of the hands."))
        for number in range(1, last + 1):
            filled = self._filled_sides(number)
            if self.dealer_sits_out and filled.count(False) == 1:
                continue
            for side, typed in zip(self.sides, filled, strict=True):
                if not typed:
                    self.add_error(f"h{number}_{side.side}", _("Missing."))
        self.last = last
        return data

    def _filled_sides(self, number: int) -> list[bool]:
        return [
            bool(str(self.data.get(f"h{number}_{side.side}", "")).strip()) for side in self.sides
        ]

    @property
    def hand_scores(self) -> list[dict[str, Any]]:
        """The hands as arguments of the service."""
        return [self._hand(number) for number in range(1, self.last + 1)]

    def _hand(self, number: int) -> dict[str, Any]:
        data = self.cleaned_data
        hand: dict[str, Any] = {s.side: data[f"h{number}_{s.side}"] or 0 for s in self.sides}
        if data[f"h{number}_winner"]:
            hand["winner"] = data[f"h{number}_winner"]
        return {**hand, "board": self.boards[number - 1]} if self.boards else hand

    def field_of(self, refusal: Refusal) -> str | None:
        """Return the first field of the line that a refusal is about."""
        number = refusal.params.get("hand")
        if not isinstance(number, int) or not 1 <= number <= self.count:
            return None
        is_of_winner = refusal.reason in {Reason.HAND_WINNER_MISSING, Reason.COTO_WINNER_MISSING}
        return f"h{number}_{'winner' if is_of_winner else self.sides[0].side}"

    @property
    def rows(self) -> Iterator[HandLine]:
        """The lines for the template."""
        for number in range(1, self.count + 1):
            points = tuple(self[f"h{number}_{side.side}"] for side in self.sides)
            winner = self[f"h{number}_winner"]
            errors = tuple(str(error) for field in (*points, winner) for error in field.errors)
            board = self.boards[number - 1] if self.boards else None
            yield HandLine(number, board, points, winner, tuple(dict.fromkeys(errors)))

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of each side so far, from the lines with numbers."""
        return tuple(
            sum(
                _number(self[f"h{number}_{side.side}"].value())
                for number in range(1, self.count + 1)
            )
            for side in self.sides
        )


class HandsCorrectionForm(HandsForm, ReasonForm):
    """The correction of a result whose deals are compared: the points of each hand, and why."""

    def __init__(self, page: MatchPage, boards: Sequence[int], data: Any) -> None:
        """Fill in the hands of the current result."""
        hands = page.live.hands if page.live else ()
        initial = {
            f"h{number}_{side.side}": points
            for number, hand in enumerate(hands, 1)
            for side, points in zip(page.match.sides, hand, strict=True)
        }
        super().__init__(page, boards, data, initial=initial)

    @property
    def result(self) -> dict[str, Any]:
        """The hands, as arguments of the services."""
        return {"hand_scores": self.hand_scores}


def _number(text: object) -> int:
    word = str(text or "").strip()
    return int(word) if word.isascii() and word.isdigit() and len(word) < 7 else 0


class RulingFields(ReasonForm):
    """The ruling on a dispute; the subclasses add the result that an arbiter may give instead."""

    INTERIM, UPHOLD, ACCEPT, AMEND, VOID = "interim", "uphold", "accept", "amend", "void"
    RULING_LABELS = (
        (INTERIM, _("The result stands for now: the last ruling follows")),
        (UPHOLD, _("The result stands")),
        (ACCEPT, _("What contradicts it counts instead")),
        (AMEND, _("Give this result instead")),
        (VOID, _("The result is void: the match is played again")),
    )
    dispute = forms.IntegerField(widget=forms.HiddenInput)
    ruling = forms.ChoiceField(label=_("Ruling"), widget=forms.RadioSelect)

    def offer_rulings(self, page: MatchPage) -> None:
        """Offer the possible rulings on the open dispute of ``page``."""
        self.opened = page.dispute
        self.fields["dispute"].initial = self.opened.pk if self.opened else None
        other = self.opened is not None and (self.opened.record_pk or self.opened.result_pk)
        possible = {self.INTERIM: page.may["rule_interim"], self.ACCEPT: bool(other)}
        set_choices(
            self,
            "ruling",
            [choice for choice in self.RULING_LABELS if possible.get(choice[0], True)],
        )

    @property
    def new_result(self) -> dict[str, Any]:
        """The result given instead, as arguments of the service."""
        raise NotImplementedError

    def ruling_arguments(self, actor: Actor) -> dict[str, Any]:
        """Return the ruling as arguments of the service."""
        data = self.cleaned_data
        ruling: dict[str, Any] = {"ruling": data["ruling"], "reason": data["reason"]}
        if data["ruling"] == self.AMEND:
            ruling |= self.new_result
        if data["ruling"] == self.ACCEPT and self.opened:
            ruling["ruling"] = self.AMEND
            ruling |= find_dispute(self.opened.pk, actor).contradiction
        return ruling


class RulingForm(RulingFields, ScoreForm):
    """The arbiter's ruling on a dispute, with a score."""

    points_needed = False

    def __init__(self, page: MatchPage, *args: Any, **kwargs: Any) -> None:
        """Offer the rulings, and the score fields of the page's match."""
        super().__init__(page, *args, **kwargs)
        self.offer_rulings(page)
        for name in self.score_fields:
            self.fields[name].required = False

    @property
    def gives_score(self) -> bool:
        """Whether another result is given."""
        return self.cleaned_data.get("ruling") == self.AMEND

    def clean(self) -> dict[str, Any]:
        """Require the whole score for an amendment."""
        data = super().clean() or {}
        if self.gives_score and not self.page.typed_only:
            for name in self.score_fields:
                if data.get(name) is None and name not in self.errors:
                    self.add_error(name, _("Needed to give another result."))
        return data

    @property
    def new_result(self) -> dict[str, Any]:
        """The score."""
        return self.result


class HandsRulingForm(RulingFields, HandsCorrectionForm):
    """The arbiter's ruling on a result whose deals are compared, with the points of each hand."""

    def __init__(self, page: MatchPage, boards: Sequence[int], data: Any) -> None:
        """Offer the rulings, and the hands of the current result."""
        super().__init__(page, boards, data)
        self.offer_rulings(page)

    def clean(self) -> dict[str, Any]:
        """Require complete hands for an amendment."""
        is_amendment = self.cleaned_data.get("ruling") == self.AMEND
        return super().clean() if is_amendment else self.cleaned_data

    @property
    def new_result(self) -> dict[str, Any]:
        """The hands."""
        return self.result


class OptionalReasonForm(Form):
    """An optional reason."""

    reason = reason_field(required=False)

    def field_of(self, refusal: Refusal) -> str | None:
        """Return the field of a refused reason."""
        return "reason" if refusal.reason is Reason.REASON_MISSING else None


class ForfeitForm(OptionalReasonForm):
    """The sides that did not play, and why."""

    NO_SHOW, OTHER = "no_show", "other"
    sides = forms.MultipleChoiceField(
        label=_("Who did not play"), widget=forms.CheckboxSelectMultiple
    )
    why = forms.ChoiceField(
        label=_("Why"),
        choices=[
            (NO_SHOW, _("They have not come, and were waited for")),
            (OTHER, _("Another reason, given below")),
        ],
        widget=forms.RadioSelect,
        initial=NO_SHOW,
    )
    field_order = ("sides", "why", "reason")

    def __init__(self, match: MatchRow, *args: Any, **kwargs: Any) -> None:
        """Offer the sides of ``match``."""
        super().__init__(*args, **kwargs)
        set_choices(self, "sides", [(side.side, side.shown_name) for side in match.sides])

    @property
    def is_no_show(self) -> bool:
        """The reason is absence."""
        return bool(self.cleaned_data["why"] == self.NO_SHOW)

    def field_of(self, refusal: Refusal) -> str | None:
        """Return the field that a refusal is about."""
        if refusal.reason in {Reason.NO_SHOW_TOO_EARLY, Reason.HAS_RESULT}:
            return "why"
        return super().field_of(refusal)


class PostponeForm(OptionalReasonForm):
    """The new time of a postponed match."""

    to = moment_field(_("To be played on"), help_text=_("Leave it empty while that is not known."))
    field_order = ("to", "reason")


class ProposeDayForm(Form):
    """Another day that a side proposes for its match."""

    to = moment_field(_("Day and hour that you propose"))

    def __init__(self, last_day: date | None, *args: Any, **kwargs: Any) -> None:
        """Require the day, and say until when the match is to be played."""
        super().__init__(*args, **kwargs)
        self.fields["to"].required = True
        if last_day is not None:
            text = gettext("This match is to be played by %(day)s.")
            day = date_format(last_day, "SHORT_DATE_FORMAT")
            self.fields["to"].help_text = text % {"day": day}

    def field_of(self, refusal: Refusal) -> str | None:
        """Show a day out of reach beside its field."""
        return "to" if refusal.reason is Reason.BAD_DAYS else None


class AgreeDayForm(Form):
    """The day that the page showed, to which a side agrees."""

    to = forms.DateTimeField(widget=forms.HiddenInput)


class DecideForm(ReasonForm):
    """The side that goes on from a match that ended level."""

    side = forms.ChoiceField(label=_("Who goes on"), widget=forms.RadioSelect)
    field_order = ("side", "reason")

    def __init__(self, match: MatchRow, *args: Any, **kwargs: Any) -> None:
        """Offer the sides of ``match``."""
        super().__init__(*args, **kwargs)
        set_choices(self, "side", [(side.side, side.shown_name) for side in match.sides])


CUT = "*"  # behind the numbers: time ended the match; a key of every number block
NUMBERS = r"^\s*\d{1,6}(?:\s*[-–—:/ ]\s*\d{1,6}){1,4}\s*\*?\s*$"  # two to five, such as 3-1
DIGITS = r"^\s*\d{2,5}\s*\*?\s*$"  # one digit a side: 31 is 3-1, a key less
# Hands, a blank, points: 31 400-300. The points are joined: 10 2 1 is three sides' hands.
WITH_POINTS = (
    r"^\s*(?P<hands>\d{2,5}|\d{1,6}(?:\s*[-–—:/ ]\s*\d{1,6}){1,4})"
    r"\s*\*?\s+(?P<points>\d{1,6}(?:[-–—:/]\d{1,6}){1,4})\s*\*?\s*$"
)


class QuickForm(Form):
    """A result in one line at the desk: a table, its hands, and optionally its points.

    Where results are typed only the hands are places, or are left out beside points.

    ``match`` is the one that the page showed at this table when the line was typed, if known. The
    points may also be typed behind the hands: ``31 400-300``; ``21*`` was cut by time.
    """

    match = forms.IntegerField(required=False, widget=forms.HiddenInput)
    table = number_field(MAX_HANDS, label=_("Table"))
    hands = forms.RegexField(
        f"{NUMBERS}|{DIGITS}|{WITH_POINTS}",
        label=_("Hands"),
        required=False,
        error_messages={"invalid": _("Write the hands of each side, such as 3-1.")},
        widget=forms.TextInput(
            attrs={"inputmode": "text", "autocomplete": "off", "placeholder": "3-1", "size": 7}
        ),
    )
    points = forms.RegexField(
        NUMBERS,
        label=_("Points"),
        required=False,
        error_messages={"invalid": _("Write the points of each side, such as 360-210.")},
        widget=forms.TextInput(attrs={"autocomplete": "off", "placeholder": "360-210", "size": 9}),
    )

    def clean(self) -> dict[str, Any]:
        """Part hands and points that were typed together; require as many points as hands."""
        data = super().clean() or {}
        both = re.match(WITH_POINTS, data.get("hands", ""))
        if both and not data.get("points"):
            data |= both.groupdict()
        hands, points = data.get("hands", ""), data.get("points", "")
        if not (hands or points or self.errors):
            self.add_error("hands", self.fields["hands"].error_messages["invalid"])
        if points and hands and len(read_hands(hands)) != len(read_numbers(points)):
            self.add_error("points", _("Give the points of every side, or of none."))
        return data

    def score(self, *, typed_only: bool) -> Score:
        """Return the score as entered at a table."""
        hands = read_hands(self.cleaned_data["hands"])
        points = read_numbers(self.cleaned_data["points"]) or (0,) * len(hands)
        first = hands or (0,) * len(points)
        return typed_score(first, points) if typed_only else Score.of(first, points)

    @property
    def cut(self) -> bool:
        """Time ended the match."""
        return any(CUT in self.data.get(name, "") for name in ("hands", "points"))


def typed_score(places: tuple[int, ...], points: tuple[int, ...]) -> Score:
    """Return a score of places, all 0 where these follow from the points, and points."""
    score = Score.of((0,) * len(points), points)
    return replace(score, places=places) if any(places) else score.ranked


def read_numbers(text: str) -> tuple[int, ...]:
    """Return the numbers in a text such as ``3-1``."""
    return tuple(int(word) for word in re.findall(r"\d+", text))


def read_hands(text: str) -> tuple[int, ...]:
    """Return the hands of each side in a text such as ``3-1``, or ``31``."""
    digits = text.strip(f"{CUT} ")
    return tuple(map(int, digits)) if re.match(DIGITS, text) else read_numbers(text)


class RecordForm(Form):
    """Records, as a file or as text; ``limit`` of them at most."""

    file = forms.FileField(label=_("A file"), required=False)
    text = forms.CharField(
        label=_("or paste the record here"),
        widget=text_area(12, placeholder='{"format": "baza/1", "ruleset": "parejas-online", …}'),
        required=False,
        strip=False,
    )
    leads_to = ""
    """The name of the page that takes what was handed in here."""

    def __init__(self, *args: Any, limit: int = MAX_FILE_RECORDS, **kwargs: Any) -> None:
        """Accept at most ``limit`` records."""
        super().__init__(*args, **kwargs)
        self.limit = limit

    def clean(self) -> dict[str, Any]:
        """Require records in the file or the text, which ``records`` holds."""
        fields = super().clean() or {}
        if not fields.get("file") and not (fields.get("text") or "").strip():
            raise forms.ValidationError(_("Paste the record or choose its file."))
        name = fields["file"].name if fields.get("file") else ""
        try:
            self.records = read_records(self.body, name, limit=MAX_FILE_RECORDS)
        except Refusal as refusal:
            self.refused = refusal
            raise forms.ValidationError(refusal.message) from refusal
        count = len(self.records.records)
        if self.records.reader.form is None:
            self.leads_to = "enter-list"
            raise forms.ValidationError(
                _("This is no record: it is neither JSON nor .tute. Is it a list of names?")
            )
        if not count:
            raise forms.ValidationError(_("There is no record in it."))
        if count > self.limit:
            self.leads_to = "submit-any"
            raise forms.ValidationError(
                _("There are %(count)s records in it, and this is the page of one match.")
                % {"count": count}
            )
        return fields

    @cached_property
    def body(self) -> bytes | str:
        """The records as they were sent; a file takes precedence over the text."""
        return file_or_text(self.cleaned_data, "file", "text")

    def as_text(self) -> "RecordForm":
        """Return the form to be filled in again, what was sent as text to correct."""
        if self.is_bound:
            self.data = {**self.data, "text": _shown_text(self.body)}
        return self


def _shown_text(source: bytes | str) -> str:
    """Return a submission as text, its control characters escaped."""
    return engine.escape_controls(
        source if isinstance(source, str) else _decoded(source[: engine.MAX_BYTES]), keep="\n\r\t"
    )


def _decoded(source: bytes) -> str:
    try:
        return engine.decode_text(source)[0]
    except UnicodeDecodeError:  # cut within a character, or no text
        return source.decode("utf-8", errors="replace")
