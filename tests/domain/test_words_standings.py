"""Every code of a table has its words in both languages."""

from tests.domain.crosstables import FORMATS, crosstable
from tests.domain.test_tiebreaks_exercises import LONGER, ROUND_ROBIN, SWISS
from tournaments.domain import ranking
from tournaments.domain.profiles import PROFILES
from tournaments.domain.ranking import tally_of
from tournaments.domain.rows import Edition, Penalty, Points
from tournaments.domain.season import Worth
from tournaments.domain.tiebreaks import CRITERIA
from tournaments.domain.words import TEXTS


def test_every_criterion_has_a_name_and_a_heading() -> None:
    for code in CRITERIA:
        for prefix in ("criterion", "column"):
            assert all(TEXTS[f"{prefix}.{code}"])


def test_every_profile_and_every_scale_of_a_season_has_a_name() -> None:
    codes = [f"profile.{code}" for code in PROFILES]
    codes += [f"{code}.for" for code in codes]
    codes += [f"season.{worth}" for worth in Worth]
    assert [code for code in codes if code not in TEXTS] == []


def test_what_decides_and_what_refuses_has_words() -> None:
    decided = (ranking.SHARED, ranking.LOTS, ranking.EXIT_ROUND, ranking.GROUP_PLACE)
    codes = [f"decided.{code}" for code in decided]
    codes += ["cannot_rank.unknown_criterion", "cannot_rank.not_in_round_robin"]
    assert [code for code in codes if code not in TEXTS] == []


def test_every_addend_that_is_shown_has_words() -> None:
    for edition in Edition:
        for lines, format_ in ((SWISS, "swiss"), (LONGER, "swiss"), (ROUND_ROBIN, "preset")):
            penalties = (Penalty(1, 1, Points(1), 1, 1),)
            rows = crosstable(lines, format_, edition=edition, penalties=penalties)
            tally = tally_of(rows, rows.stages[0], formats=FORMATS)
            for criterion in CRITERIA.values():
                for entrant in rows.stages[0].entrants:
                    for term in criterion.terms(tally, entrant, rows.stages[0].entrants):
                        assert f"term.{term.note}" in TEXTS
                        assert not term.cut or f"cut.{term.cut}" in TEXTS
