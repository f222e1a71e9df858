"""Analyses as tables for people (messages ``analysis``)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from engine.analysis import (
    GRADES,
    LUCK_SCALE,
    MARKS,
    Analysis,
    CardAnalysis,
    HandAnalysis,
    ScaledLuck,
    SeatSum,
    scale_luck,
)
from engine.cli.series_table import format_number, in_columns
from engine.messages import message

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

LEGEND: Final = ("sides", "luck", "open", "fair", "choices", "better", "judgements", "marks")
"""The lines that end the report and explain its terms."""

SMALL: Final = 0.05
"""Losses below it are not listed."""


class AnalysisReport:
    """Formats the analysis of hands and matches, and sums the players' losses over all records."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.records = 0
        self.players: dict[str, list[SeatSum]] = {}

    def hand(self, source: str, names: Sequence[str], hand: HandAnalysis) -> str:
        """One hand: luck and play, the tricks, the losses, the best line."""
        head = self._message("hand", source=source, number=hand.number, ruleset=hand.ruleset)
        if hand.code is not None:
            return f"{head}\n  {self._message(hand.code)}"
        lines = [
            head,
            f"  {self._luck(hand)}",
            "",
            *(f"  {line}" for line in _tricks(hand)),
            "",
            *(f"  {line}" for line in self._losses(hand)),
            "",
            f"  {self._message('line', cards=' '.join(hand.line))}",
            "",
            *(f"  {line}" for line in self._seats(names, hand)),
        ]
        return "\n".join(lines)

    def _message(self, code: str, **facts: Any) -> str:
        return message(self.language, f"analysis.{code}", **facts)

    def _luck(self, hand: HandAnalysis) -> str:
        sums = self._sum(hand.sides[0], hand.result, scale_luck([hand.margins(1)]))
        scale = format_number(LUCK_SCALE.value, self.language, places=2)
        parts = [self._message("luck", scale=scale, par=hand.par)]
        for name, points in (
            ("before", hand.before),
            ("declared", hand.declared),
            ("left", -hand.left),
        ):
            if points:
                parts.append(self._message(name, **{name: points}))
        return f"{sums} ({', '.join(parts)})"

    def _sum(self, side: str, result: int, scaled: ScaledLuck) -> str:
        return self._message(
            "sum",
            side=side,
            result=result,
            luck=format_number(scaled.luck, self.language, sign="+"),
            error=format_number(scaled.error, self.language),
            skill=format_number(scaled.skill, self.language, sign="+"),
        )

    def _losses(self, hand: HandAnalysis) -> list[str]:
        rows = [self._loss(play) for play in hand.plays if _costs(play)]
        if not rows:
            return [self._message("nothing")]
        heads = ["trick", "card", "open", "best", "fair", "best_fair", "better"]
        if any(play.hand_deals for play in hand.plays):
            heads += ["won", "best_won", "judgement"]
        return in_columns([[*map(self._message, heads)], *(row[: len(heads)] for row in rows)])

    def _loss(self, play: CardAnalysis) -> list[str]:
        fair = "–"
        if play.fair_loss is not None and play.fair_error is not None:
            error = format_number(play.fair_error, self.language)
            fair = f"{format_number(play.fair_loss, self.language)} ± {error}"
        return [
            str(play.trick),
            f"{play.seat}: {_signed(play)}",
            str(play.open_loss),
            play.open_best if play.open_loss else "",
            fair,
            play.fair_best if play.fair_best and play.fair_best != play.card else "",
            self._better_card(play),
            f"{play.hand_wins}/{play.hand_deals}" if play.hand_deals else "",
            f"{play.hand_best} {play.hand_best_wins}"
            if play.hand_best not in {None, play.card}
            else "",
            self._message(play.judgement) if play.judgement else "",
        ]

    def _better_card(self, play: CardAnalysis) -> str:
        if play.better is None or play.gain is None or play.gain_error is None:
            return ""
        gain, error = (format_number(each, self.language) for each in (play.gain, play.gain_error))
        return f"{play.better} {gain} ± {error} ({play.deals})"

    def _seats(self, names: Sequence[str], hand: HandAnalysis) -> list[str]:
        heads = map(self._message, ("seat", "player", "role", "open", "fair", "choices"))
        rows = [
            [
                seat.seat,
                names["ABCD".index(seat.seat)],
                self._message(seat.role),
                str(seat.open_loss),
                self._format_loss(seat.fair_loss, seat.choices),
                str(seat.choices),
                *(str(seat.marks[grade.name]) for grade in GRADES),
            ]
            for seat in hand.seats
        ]
        return in_columns([[*heads, *MARKS.values()], *rows])

    def _format_loss(self, loss: float, choices: int) -> str:
        return format_number(loss, self.language) if choices else "–"

    def match(self, analysis: Analysis) -> str:
        """Formats the sums of a record's hands, by side and by player; empty for a single hand."""
        self.records += 1
        for seat in analysis.seats:
            self.players.setdefault(analysis.names[seat.seat], []).append(seat)
        if len(analysis.adjusted) == 0 or analysis.adjusted[0].hands == 1:
            return ""
        lines = [self._message("match", hands=analysis.adjusted[0].hands)]
        lines += [f"  {line}" for line in self._adjusted(analysis)]
        rows = {analysis.names[seat.seat]: [seat] for seat in analysis.seats}
        return "\n".join([*lines, "", *self._players(rows)])

    def _adjusted(self, analysis: Analysis) -> Iterator[str]:
        for side in analysis.adjusted:
            interval = side.scaled.a_hand
            a_hand = ""
            if interval.margin is not None:
                mean = format_number(interval.mean, self.language, sign="+")
                half = format_number(interval.margin, self.language)
                a_hand = self._message("a_hand", mean=mean, half=half)
            yield self._sum(side.side, side.result, side.scaled) + a_hand

    def totals(self) -> str:
        """Formats the players' losses over all records."""
        return "\n".join([self._message("all"), *self._players(self.players)])

    def legend(self) -> str:
        """Explains the words and signs, where any hand was analysed."""
        return "\n".join(self._message(f"legend_{line}") for line in LEGEND) if self.players else ""

    def _players(self, players: Mapping[str, Sequence[SeatSum]]) -> Iterator[str]:
        heads = map(self._message, ("player", "hands", "open", "fair", "choices"))
        rows = [[*heads, *MARKS.values()]]
        for name, sums in players.items():
            choices = sum(each.choices for each in sums)
            rows.append(
                [
                    name,
                    str(sum(each.hands for each in sums)),
                    str(sum(each.open_loss for each in sums)),
                    self._format_loss(sum(each.fair_loss for each in sums), choices),
                    str(choices),
                    *(str(sum(each.marks[grade.name] for each in sums)) for grade in GRADES),
                ]
            )
        return (f"  {line}" for line in in_columns(rows))


def _tricks(hand: HandAnalysis) -> list[str]:
    """A line a trick: who leads, then the cards with their signs."""
    size = len(hand.seats)
    rows = []
    for start in range(0, len(hand.plays), size):
        trick = hand.plays[start : start + size]
        cards = [_signed(play).ljust(4) for play in trick]
        rows.append(f"{trick[0].trick:2}  {trick[0].seat}: {' '.join(cards)}".rstrip())
    return rows


def _signed(play: CardAnalysis) -> str:
    return play.card + (MARKS[play.mark] if play.mark else "")


def _costs(play: CardAnalysis) -> bool:
    return play.open_loss > 0 or (play.fair_loss or 0.0) >= SMALL or bool(play.judgement)
