"""Which verbs are open: by state and by role."""

import doctest
from dataclasses import replace

import pytest

from tournaments.core.errors import REASONS
from tournaments.domain import state
from tournaments.domain.state import (
    CashFacts,
    ClosedReason,
    EntryFacts,
    Facts,
    MatchFacts,
    MoneyFacts,
    PointFacts,
    RequestFacts,
    RoundFacts,
    SeasonFacts,
    SignUpFacts,
    StageFacts,
    TournamentFacts,
    closed_reason,
    role,
    verbs,
)

ORGANISER, ARBITER = role("organiser"), role("arbiter")
HOME, AWAY = role("code", side="home", own=True), role("code", side="away", own=True)
NOBODY = role("everybody")

DRAFT = TournamentFacts("draft", entries=8)
BETWEEN = TournamentFacts("running", entries=8, to_draw=(1,), takes_latecomers=True)
ROUND = RoundFacts("running", 1, "published", unfinished=4)
PLAYED = MatchFacts("running", 1, "published", "accepted", has_result=True, reported_for="home")
WAITING = replace(PLAYED, state="pending", has_result=False, reported_for="")
ENTRY = EntryFacts("running", "Pilar", of_people=True)

FINISHED = TournamentFacts("finished", entries=8)

EVERY_STATE: list[Facts] = [
    *(
        TournamentFacts(name, entries, open_rounds=open_, undecided=len(open_), to_draw=left)
        for name in ("draft", "running", "finished")
        for entries in (1, 8, 3000)
        for open_ in ((), ((1, 2),))
        for left in ((), (1,))
    ),
    *(
        RequestFacts(name, cancelled, left, entered=entered, of_one=left)
        for name in ("draft", "running", "finished")
        for cancelled in (False, True)
        for left in (False, True)
        for entered in (False, True)
    ),
    *(MoneyFacts(owed, taken) for owed in (0, 500) for taken in (0, 500)),
    *(CashFacts(*both) for both in ((False, False), (True, False), (False, True))),
    *(
        StageFacts(name, is_drawn, is_drawn and visible)
        for name in ("draft", "running", "finished")
        for is_drawn in (False, True)
        for visible in (False, True)
    ),
    *(
        RoundFacts(over, 1, round_state, unfinished, bots=bots, paused=paused, clock=clock)
        for over in ("running", "finished")
        for round_state in ("draft", "published", "closed")
        for unfinished in (0, 3)
        for bots in (False, True)
        for paused in (False, True)
        for clock in ("", "running", "stopped")
    ),
    *(
        MatchFacts(
            over,
            1,
            round_,
            match_state,
            has_result=match_state in {"accepted", "reported", "disputed"},
            reported_for="home",
            dispute=dispute if match_state == "disputed" else "",
            of_bots=bots,
            is_level=True,
            settled=match_state == "accepted" and dispute == "open",
            in_brackets=bots,
            waited=bots,
        )
        for over in ("running", "finished")
        for round_ in ("draft", "published", "closed")
        for match_state in ("pending", "reported", "accepted", "disputed", "postponed", "bye")
        for dispute in ("open", "review")
        for bots in (False, True)
    ),
    *(
        EntryFacts(over, "Pilar", away, pair, can_join=pair, check_in_closed=pair)
        for over in ("draft", "running", "finished")
        for away in ("", "withdrawn", "no_show", "expelled", "benched")
        for pair in (False, True)
    ),
]


@pytest.mark.parametrize("facts", EVERY_STATE, ids=str)
def test_every_verb_that_is_closed_says_why_in_a_code_of_the_service(facts: Facts) -> None:
    for viewer in (ORGANISER, ARBITER, HOME, AWAY, NOBODY):
        may = verbs(facts, viewer)
        assert {*may, *may.closed} == set(may.all)
        for reason in may.closed.values():
            assert str(REASONS[reason.code].text) % reason.facts
    assert not list(verbs(facts, NOBODY))


def test_everybody_may_sign_up_for_what_is_posted_and_open() -> None:
    facts = SignUpFacts("draft", posted=True, is_time=True)
    assert list(verbs(facts, NOBODY)) == ["sign_up"]
    for change in ({"posted": False}, {"closed": True}, {"is_time": False}, {"state": "running"}):
        assert verbs(replace(facts, **change), NOBODY).closed["sign_up"].code == "sign_up_closed"
    cancelled = replace(facts, cancelled=True)
    assert verbs(cancelled, NOBODY).closed["sign_up"].code == "tournament_cancelled"


def test_a_tournament_is_cancelled_before_it_begins_and_posted_again() -> None:
    posted = replace(DRAFT, posted=True)
    assert {"unpost", "cancel"} <= set(verbs(posted, ORGANISER))
    assert verbs(posted, ORGANISER).closed["post"].code == "already_posted"
    may = verbs(replace(posted, cancelled=True), ORGANISER)
    assert (may["post"], may["cancel"], may["draw"]) == (True, False, False)
    assert verbs(replace(BETWEEN, shown=True), ORGANISER).closed["cancel"].code == (
        "tournament_begun"
    )
    assert verbs(replace(DRAFT, asked=True), ORGANISER).closed["discard"].code == "has_sign_ups"


def test_the_examples_of_the_module_are_true() -> None:
    assert doctest.testmod(state).failed == 0


def test_a_verb_that_there_is_not_is_a_fault() -> None:
    with pytest.raises(KeyError):
        verbs(DRAFT, ORGANISER)["dance"]
    with pytest.raises(KeyError):
        closed_reason("dance", DRAFT)


def test_a_draft_takes_entries_until_it_is_drawn() -> None:
    assert {"enter", "draw", "discard", "change_terms"} <= set(verbs(DRAFT, ORGANISER))
    assert verbs(replace(DRAFT, entries=1), ORGANISER).closed["draw"].code == "too_few_entries"
    assert verbs(BETWEEN, ORGANISER).closed["enter"].code == "not_a_draft"
    assert verbs(DRAFT, ARBITER).closed["draw"].code == "forbidden"


def test_a_tournament_with_rounds_left_goes_on_or_is_finished_early() -> None:
    may = verbs(BETWEEN, ORGANISER)
    assert (may["draw_next"], may["finish"], may["finish_early"]) == (True, False, True)
    may = verbs(replace(BETWEEN, to_draw=()), ORGANISER)
    assert (may["draw_next"], may["finish"]) == (False, True)
    may = verbs(replace(BETWEEN, open_rounds=((3, 2),), undecided=2, to_draw=()), ORGANISER)
    assert not any((may["draw_next"], may["finish"], may["finish_early"]))
    assert may.closed["draw_next"].facts == {"round": 3, "count": 2}


def test_a_round_is_closed_once_all_its_matches_are_decided() -> None:
    assert verbs(ROUND, ORGANISER).closed["close"].code == "round_unfinished"
    assert verbs(replace(ROUND, unfinished=0), ORGANISER)["close"]
    assert verbs(replace(ROUND, state="draft"), ORGANISER)["publish"]


def test_a_draft_waits_for_the_drafts_before_it() -> None:
    may = verbs(replace(ROUND, number=5, state="draft", earlier_draft=3), ORGANISER)
    assert may["arrange"]
    assert may.closed["publish"] == ClosedReason("earlier_draft", {"round": 3})


def test_who_plays_reports_and_confirms_but_not_their_own_report() -> None:
    reported = replace(PLAYED, state="reported")
    assert verbs(WAITING, HOME)["report"]
    assert not verbs(WAITING, role("player"))["report"], "plays elsewhere"
    assert verbs(reported, AWAY)["confirm"]
    assert verbs(reported, HOME).closed["confirm"].code == "own_report"
    assert verbs(reported, ARBITER)["confirm"]


def test_an_arbiter_does_not_rule_at_their_own_table() -> None:
    disputed = replace(PLAYED, state="disputed", dispute="open")
    assert verbs(disputed, ARBITER)["rule"]
    playing = replace(ARBITER, side="home")
    assert verbs(disputed, playing).closed["rule"].code == "own_table"


def test_what_the_arbiter_gave_takes_neither_records_nor_reports() -> None:
    settled_match = replace(PLAYED, settled=True)
    assert {verbs(settled_match, HOME).closed[verb].code for verb in ("submit", "report")} == {
        "settled"
    }


def test_a_match_without_its_result_takes_one_after_its_round_was_closed() -> None:
    late = replace(WAITING, round_state="closed", state="postponed")
    assert verbs(late, HOME)["report"]
    assert verbs(replace(PLAYED, round_state="closed"), HOME).closed["submit"].code == (
        "round_closed"
    )


def test_an_entry_that_left_comes_back_unless_it_was_expelled() -> None:
    entry = replace(ENTRY, away="withdrawn")
    assert verbs(entry, ARBITER)["readmit"]
    assert verbs(entry, ARBITER).closed["withdraw"].code == "already_away"
    expelled = replace(entry, away="expelled")
    assert verbs(expelled, ORGANISER).closed["readmit"].code == "expelled"
    assert verbs(expelled, ORGANISER)["revoke_expulsion"]
    assert verbs(expelled, ARBITER).closed["revoke_expulsion"].code == "forbidden"
    assert verbs(entry, ORGANISER).closed["revoke_expulsion"].code == "not_away"
    over = replace(expelled, tournament="finished")
    assert verbs(replace(over, can_join=False), ORGANISER)["revoke_expulsion"]
    assert verbs(replace(over, away=""), ORGANISER)["expel"]
    assert verbs(replace(over, away=""), ARBITER).closed["expel"].code == "forbidden"
    assert verbs(replace(entry, can_join=False), ARBITER).closed["readmit"].code == (
        "no_late_entry"
    )


def test_a_season_takes_tournaments_until_it_is_closed() -> None:
    assert list(verbs(SeasonFacts("open"), ORGANISER)) == [
        "add",
        "remove",
        "close",
        "set_season_rules",
        "set_prizes",
    ]
    assert not list(verbs(SeasonFacts("open"), state.role("arbiter")))
    closed = verbs(SeasonFacts("closed"), ORGANISER).closed
    assert {reason.code for reason in closed.values()} == {"season_closed"}


def test_a_list_of_names_is_taken_until_the_tournament_is_over() -> None:
    assert closed_reason("enter_list", DRAFT) is None
    assert closed_reason("enter_list", BETWEEN) is None
    assert closed_reason("enter_list", FINISHED) == state.ClosedReason("tournament_over")


def test_nobody_goes_back_over_what_was_played() -> None:
    assert verbs(PointFacts(), ORGANISER)["go_back"]
    assert verbs(PointFacts(), ARBITER).closed["go_back"].code == "forbidden"
    reason = closed_reason("go_back", PointFacts(("Round 1, table 1", "Round 1, table 2")))
    assert reason is not None
    assert (reason.code, reason.facts) == (
        "undo_live",
        {"text": "Round 1, table 1, Round 1, table 2"},
    )


def test_nobody_goes_back_to_a_draw_that_was_made_again() -> None:
    reason = closed_reason("go_back", PointFacts(redrawn=(2,)))
    assert reason == state.ClosedReason("undo_redrawn", {"text": "2"})
