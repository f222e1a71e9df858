"""The result of a series of matches as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.contest.intervals import Interval
    from engine.contest.sequential import Sprt
    from engine.contest.tally import Tally

_WORDS: Final = {
    "en": {
        "head": "{ruleset}: {sets} deal sets, {matches} matches, {hands} hands, seed {seed}",
        "stopped": "interrupted; this is what was played",
        "nothing": "nothing was played to its end",
        "bot": "bot",
        "won": "matches won",
        "margin": "points a match",
        "money": "money a match",
        "between": "points a match of the row over the column",
        "elo": "{name}: Elo {elo}, normalized {normalized}",
        "sprt": "SPRT, {model}, {low} against {high}: LLR {llr} of {lower} to {upper}; {said}",
        "high": "decided for {high}",
        "low": "decided for {low}",
        "open": "not decided",
        "forfeits": "hands lost by {name}'s own fault: {codes}",
        "interval": "Intervals are of 95 %, over deal sets.",
    },
    "es": {
        "head": "{ruleset}: {sets} tandas, {matches} partidas, {hands} manos, semilla {seed}",
        "stopped": "interrumpido; esto es lo jugado",
        "nothing": "no se terminó de jugar nada",
        "bot": "bot",
        "won": "partidas ganadas",
        "margin": "puntos por partida",
        "money": "dinero por partida",
        "between": "puntos por partida de la fila sobre la columna",
        "elo": "{name}: Elo {elo}, normalizado {normalized}",
        "sprt": "SPRT, {model}, {low} contra {high}: LLR {llr}, de {lower} a {upper}; {said}",
        "high": "decidido por {high}",
        "low": "decidido por {low}",
        "open": "sin decidir",
        "forfeits": "manos perdidas por culpa de {name}: {codes}",
        "interval": "Los intervalos son del 95 %, sobre tandas.",
    },
}


def format_results(tally: Tally, ruleset: str, seed: str, language: str, *, complete: bool) -> str:
    """The result in words, ``language`` one of those of the command line."""
    words = _WORDS[language]
    parts = [] if complete else [words["stopped"]]
    parts.append(
        words["head"].format(
            ruleset=ruleset, sets=tally.sets, matches=tally.matches, hands=tally.hands, seed=seed
        )
    )
    if not tally.sets:
        parts.append(words["nothing"])
        return "\n".join(parts)
    parts += ["", *_bots(tally, words, language)]
    if len(tally.names) > 2:
        parts += ["", words["between"], *_matrix(tally, words, language)]
    parts += ["", *_notes(tally, words, language), words["interval"]]
    return "\n".join(parts)


def _bots(tally: Tally, words: dict[str, str], language: str) -> list[str]:
    measures = {"margin": tally.margin, **({"money": tally.money} if tally.staked else {})}
    heads = [cell for measure in measures for cell in (words[measure], "")]
    rows = [[words["bot"], words["won"], "", *heads]]
    for bot, name in enumerate(tally.names):
        if tally.accounts[bot].shares:
            won = tally.won(bot)
            cells = [name, f"{number(100 * won.mean, language)} %", _between(won, language)]
            for measure in measures.values():
                found = measure(bot)
                cells += [number(found.mean, language, sign="+"), _half(found, language)]
            rows.append(cells)
    return in_columns(rows)


def _matrix(tally: Tally, words: dict[str, str], language: str) -> list[str]:
    rows = [[words["bot"], *tally.names]]
    for one, name in enumerate(tally.names):
        cells = [name]
        for other in range(len(tally.names)):
            found = tally.margin_between(one, other)
            text = "" if found is None else number(found.mean, language, sign="+")
            cells.append(f"{text} {'' if found is None else _half(found, language)}".strip())
        rows.append(cells)
    return in_columns(rows)


def _notes(tally: Tally, words: dict[str, str], language: str) -> list[str]:
    notes = []
    for name, account in zip(tally.names, tally.accounts, strict=True):
        if account.forfeits:
            codes = ", ".join(f"{code} {n}" for code, n in sorted(account.forfeits.items()))
            notes.append(words["forfeits"].format(name=name, codes=codes))
    strength = tally.as_dict().get("strength")
    if strength is not None and strength["elo_error"] is not None:
        elo, normalized = (
            f"{number(strength[name], language, sign='+')}"
            f" ± {number(strength[f'{name}_error'], language)}"
            for name in ("elo", "normalized")
        )
        notes.append(words["elo"].format(name=tally.names[0], elo=elo, normalized=normalized))
    if tally.sprt is not None:
        notes.append(_format_sprt(tally, tally.sprt, words, language))
    return notes


def _format_sprt(tally: Tally, sprt: Sprt, words: dict[str, str], language: str) -> str:
    lower, upper = (number(bound, language, places=2) for bound in sprt.bounds)
    low, high = (f"{bound:g}" for bound in (sprt.low, sprt.high))
    return words["sprt"].format(
        model=sprt.model,
        low=low,
        high=high,
        llr=number(tally.llr, language, places=2),
        lower=lower,
        upper=upper,
        said=words[tally.decision or "open"].format(low=low, high=high),
    )


def _between(found: Interval, language: str) -> str:
    if found.low is None or found.high is None:
        return ""
    return f"{number(100 * found.low, language)} – {number(100 * found.high, language)}"


def _half(found: Interval, language: str) -> str:
    return "" if found.margin is None else f"± {number(found.margin, language)}"


def number(value: float, language: str, *, sign: str = "", places: int = 1) -> str:
    """A number as the language writes it."""
    written = f"{value:{sign}.{places}f}"
    return written.replace(".", ",") if language == "es" else written


def in_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines of a table: the first column to the left, the others to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(width) if not column else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
