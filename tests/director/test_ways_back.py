"""Every verb has a way back, or the page that asks before says that it has none."""

import re
from collections.abc import Callable

import pytest

from tests.clubs import SYSTEM, the_round
from tests.support.day import a_day, entry, spare
from tests.support.walks import digest
from tournaments.director.services import absences
from tournaments.director.services.mass_acts import take_back_act
from tournaments.director.services.restoring import go_back
from tournaments.director.services.rounds import discard_round, swap, undo_move
from tournaments.director.services.substitutions import end_substitution, substitute
from tournaments.director.services.tournaments import publish_round
from tournaments.domain.state import RULES
from tournaments.environment import ROOT
from tournaments.models import Entry, Round, Tournament
from tournaments.results.services.matches import postpone, resume

pytestmark = pytest.mark.django_db

NONE_SAID = {
    "director/draws/stage.html": "The draw before does not come back",
    "director/rounds/close.html": "A closed round is not opened again.",
    "front/finish.html": "A tournament cannot be opened again.",
    "director/tournaments/discard.html": "nothing brings it back",
    "standings/seasons/close.html": "A closed season is not opened again.",
}
"""What the pages of the verbs without a way back say."""


def test_the_table_of_the_director_has_the_way_back_of_every_verb() -> None:
    text = (ROOT / "docs/clubs/ways-back.md").read_text(encoding="utf-8")
    section = text.partition("## The way back of each verb")[2].partition("\n## ")[0]
    rows = [line.split("|")[1:3] for line in section.splitlines() if line.startswith("| `")]
    listed = {verb for verbs, _ in rows for verb in re.findall(r"`(\w+)`", verbs)}
    assert listed == {verb for rules in RULES.values() for verb in rules}
    assert sum("none" in way for _, way in rows) == len(NONE_SAID)


def test_the_pages_of_what_has_no_way_back_say_so() -> None:
    for page, sentence in NONE_SAID.items():
        assert sentence in (ROOT / "templates" / page).read_text(encoding="utf-8"), page


# --- Each way back is tried -----------------------------------------------------------------------


def _point(tournament: Tournament) -> None:
    go_back(SYSTEM, tournament.restore_points.latest("pk"))


def _first_draft(tournament: Tournament) -> Round:
    return the_round(tournament, 1)


def _two_seats(tournament: Tournament) -> tuple[Entry, Entry]:
    one, other, *_ = the_round(tournament, 1).matches.order_by("table")
    return entry(tournament, one.home.number), entry(tournament, other.home.number)


Step = Callable[[Tournament], object]
BACKS: dict[str, tuple[Step, Step]] = {
    "withdraw": (
        lambda t: absences.withdraw(SYSTEM, entry(t, 2)),
        lambda t: absences.readmit(SYSTEM, entry(t, 2)),
    ),
    "expel": (
        lambda t: absences.expel(SYSTEM, entry(t, 2), "noise"),
        lambda t: absences.revoke_expulsion(SYSTEM, entry(t, 2), "a slip"),
    ),
    "request_bye": (
        lambda t: absences.request_bye(SYSTEM, entry(t, 2), 1, "half"),
        lambda t: absences.cancel_bye(SYSTEM, entry(t, 2).bye_requests.get()),
    ),
    "penalise": (
        lambda t: absences.penalise(
            SYSTEM, entry(t, 2), round_number=1, reason="late", match_points=1
        ),
        lambda t: absences.revoke_penalty(SYSTEM, entry(t, 2).penalties.get(), "a slip"),
    ),
    "check_in": (
        lambda t: absences.check_in(SYSTEM, entry(t, 2)),
        lambda t: absences.undo_check_in(SYSTEM, entry(t, 2)),
    ),
    "check_in_all": (
        lambda t: absences.check_in_all(SYSTEM, t),
        lambda t: take_back_act(SYSTEM, t),
    ),
    "close_check_in": (
        lambda t: absences.close_check_in(SYSTEM, t),
        lambda t: take_back_act(SYSTEM, t),
    ),
    "publish": (lambda t: publish_round(SYSTEM, _first_draft(t)), _point),
    "discard": (lambda t: discard_round(SYSTEM, _first_draft(t)), _point),
    "arrange": (
        lambda t: swap(SYSTEM, _first_draft(t), *_two_seats(t)),
        lambda t: undo_move(SYSTEM, _first_draft(t)),
    ),
    "substitute": (
        lambda t: substitute(
            SYSTEM, entry(t, 2), leaves=entry(t, 2).players[0], comes=spare(t), from_round=1
        ),
        lambda t: end_substitution(SYSTEM, entry(t, 2).substitutions.get(), until_round=1),
    ),
}
"""Of verbs that an event in its first draft opens: the act, and its way back."""


@pytest.mark.parametrize("verb", sorted(BACKS))
def test_what_is_taken_back_leaves_the_event_as_it_was(verb: str) -> None:
    tournament = a_day(6)
    before = digest(tournament)
    act, back = BACKS[verb]
    act(tournament)
    assert digest(tournament) != before
    tournament.refresh_from_db()
    back(tournament)
    assert digest(tournament) == before


def test_a_postponed_match_and_check_ins_that_were_cleared_come_back() -> None:
    tournament = a_day(6)
    absences.check_in_all(SYSTEM, tournament)
    before = digest(tournament)
    absences.open_check_in(SYSTEM, tournament, afresh=True)
    take_back_act(SYSTEM, tournament)
    assert digest(tournament) == before
    publish_round(SYSTEM, the_round(tournament, 1))
    before = digest(tournament)
    match = postpone(SYSTEM, the_round(tournament, 1).matches.order_by("table")[0], None)
    assert digest(tournament) != before
    resume(SYSTEM, match)
    assert digest(tournament) == before
