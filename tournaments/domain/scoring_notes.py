"""Sentences on the scoring and pairing of a stage, where they are not the usual ones."""

from collections.abc import Iterator

from tournaments.domain.messages import message
from tournaments.domain.rows import LevelCut, PairedBy, Scoring, StageRules


def scoring_notes(language: str, rules: StageRules) -> Iterator[str]:
    """Yield how a stage's results count, and its rounds are drawn, otherwise than usual."""
    if rules.scoring is Scoring.HANDS:
        yield message(language, "scoring.hands", bonus=float(rules.match_bonus))
    if rules.points_cap is not None:
        yield message(language, "scoring.points_cap", most=rules.points_cap)
    win, loss = rules.scale.forfeit_win_mark, rules.scale.forfeit_loss_mark
    if win.hands or loss.hands:
        yield message(language, "scoring.walkover_hands", win=win.hands, loss=loss.hands)
    if win.points or loss.points:
        yield message(language, "scoring.walkover_points", win=win.points, loss=loss.points)
    if rules.level_cut is not LevelCut.TIE:
        yield message(language, f"scoring.level_cut.{rules.level_cut}")
    if rules.length is not None:
        yield message(language, "scoring.length", length=rules.length)
    if rules.drop_rounds:
        yield message(language, "scoring.drop_rounds", rounds=rules.drop_rounds)
    yield from _course_notes(language, rules)


def _course_notes(language: str, rules: StageRules) -> Iterator[str]:
    """Yield who comes into a stage and how its rounds are drawn, where that is unusual."""
    if rules.table_size:
        sizes = {"size": rules.table_size, "other": rules.other_size}
        yield message(language, "scoring.tables", **sizes)
        yield message(language, f"scoring.seated_by.{rules.seated_by}")
        if rules.typed_only:
            yield message(language, "scoring.typed_only")
    for points in rules.points_by_size:
        worth = " / ".join(f"{float(point):g}" for point in points)
        yield message(language, "scoring.points_by_size", size=len(points), points=worth)
    if rules.take_out:
        yield message(language, "scoring.take_out", still_in=rules.take_from)
    if rules.carry:
        yield message(language, "scoring.carry")
    if rules.paired_by is PairedBy.TABLE:
        yield message(language, "scoring.by_table")
