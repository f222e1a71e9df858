"""The result of a series of matches as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.messages import message
from engine.printable import escape_controls

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.contest.intervals import Interval
    from engine.contest.sequential import Sprt
    from engine.contest.tally import Tally


def format_results(tally: Tally, ruleset: str, seed: str, language: str, *, complete: bool) -> str:
    """The result in words (messages ``series``)."""
    counts = {"sets": tally.sets, "matches": tally.matches, "hands": tally.hands}
    parts = [] if complete else [message(language, "series.stopped")]
    parts.append(message(language, "series.head", ruleset=ruleset, seed=seed, **counts))
    if not tally.sets:
        parts.append(message(language, "series.nothing"))
        return "\n".join(parts)
    parts += ["", *_bots(tally, language)]
    if len(tally.names) > 2:
        parts += ["", message(language, "series.between"), *_matrix(tally, language)]
    parts += ["", *_notes(tally, language), message(language, "series.interval")]
    return "\n".join(parts)


def _bots(tally: Tally, language: str) -> list[str]:
    measures = {"margin": tally.margin, **({"money": tally.money} if tally.staked else {})}
    heads = [cell for measure in measures for cell in (message(language, f"series.{measure}"), "")]
    rows = [[message(language, "series.bot"), message(language, "series.won"), "", *heads]]
    for bot, name in enumerate(tally.names):
        if tally.accounts[bot].shares:
            win_rate = tally.won(bot)
            cells = [
                name,
                f"{format_number(100 * win_rate.mean, language)} %",
                _format_interval(win_rate, language),
            ]
            for measure in measures.values():
                span = measure(bot)
                cells += [
                    format_number(span.mean, language, sign="+"),
                    _format_margin(span, language),
                ]
            rows.append(cells)
    return in_columns(rows)


def _matrix(tally: Tally, language: str) -> list[str]:
    rows = [[message(language, "series.bot"), *tally.names]]
    for bot, name in enumerate(tally.names):
        cells = [name]
        for other in range(len(tally.names)):
            span = tally.margin_between(bot, other)
            text = "" if span is None else format_number(span.mean, language, sign="+")
            cells.append(f"{text} {'' if span is None else _format_margin(span, language)}".strip())
        rows.append(cells)
    return in_columns(rows)


def _notes(tally: Tally, language: str) -> list[str]:
    notes = []
    for name, account in zip(tally.names, tally.accounts, strict=True):
        if account.forfeits:
            codes = ", ".join(f"{code} {n}" for code, n in sorted(account.forfeits.items()))
            notes.append(message(language, "series.forfeits", name=name, codes=codes))
    strength = tally.as_dict().get("strength")
    if strength is not None and strength["elo_error"] is not None:
        elo, normalized = (
            f"{format_number(strength[name], language, sign='+')}"
            f" ± {format_number(strength[f'{name}_error'], language)}"
            for name in ("elo", "normalized")
        )
        notes.append(
            message(language, "series.elo", name=tally.names[0], elo=elo, normalized=normalized)
        )
    if tally.sprt is not None:
        notes.append(_format_sprt(tally, tally.sprt, language))
    return notes


def _format_sprt(tally: Tally, sprt: Sprt, language: str) -> str:
    lower, upper = (format_number(bound, language, places=2) for bound in sprt.bounds)
    low, high = (f"{bound:g}" for bound in (sprt.low, sprt.high))
    return message(
        language,
        "series.sprt",
        model=sprt.model,
        low=low,
        high=high,
        llr=format_number(tally.llr, language, places=2),
        lower=lower,
        upper=upper,
        said=message(language, f"series.{tally.decision or 'open'}", low=low, high=high),
    )


def _format_interval(span: Interval, language: str) -> str:
    if span.low is None or span.high is None:
        return ""
    return f"{format_number(100 * span.low, language)} – {format_number(100 * span.high, language)}"


def _format_margin(span: Interval, language: str) -> str:
    return "" if span.margin is None else f"± {format_number(span.margin, language)}"


def format_number(value: float, language: str, *, sign: str = "", places: int = 1) -> str:
    """A number as the language writes it."""
    text = f"{value:{sign}.{places}f}"
    return text.replace(".", ",") if language == "es" else text


def in_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines of a table: the first column to the left, the others to the right."""
    rows = [[escape_controls(cell) for cell in row] for row in rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(width) if not column else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
