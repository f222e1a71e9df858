"""What the database itself refuses, in any case."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from tests.clubs import SYSTEM, submitted, the_liguilla, the_match, the_round, user
from tests.flushing import without_guards
from tests.support.scene_rows import reuse_rows
from tournaments.models import (
    AuditEvent,
    Bot,
    Dispute,
    Entry,
    Hand,
    Match,
    Membership,
    Pair,
    Player,
    Record,
    Result,
    Round,
    Submission,
    Tournament,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def liguilla(db: None) -> Tournament:
    return one_match_played()


@reuse_rows()
def one_match_played() -> Tournament:
    """The club night with one match played."""
    tournament = the_liguilla()
    submitted(tournament, 0)
    return tournament


def refuses(act: Callable[[], Any], constraint: str) -> None:
    """Assert that the database refuses the act, naming the constraint or its columns."""
    with pytest.raises(IntegrityError) as refused, transaction.atomic():
        act()
    text = str(refused.value)
    assert constraint in text or "UNIQUE constraint failed" in text, text


def a_result(match: Match, **fields: Any) -> Result:
    values = {
        "match": match,
        "version": 7,
        "live": False,
        "home_hands": 3,
        "away_hands": 1,
        "home_points": 300,
        "away_points": 200,
        "winner": "home",
        "depth": "ruling",
        "reason": "a test",
        "made_by": "test",
    }
    return Result.objects.create(**{**values, **fields})


def a_record(match: Match, **fields: Any) -> Record:
    values = {
        "match": match,
        "state": "refused",
        "source": "api",
        "text": "{}",
        "sha256": "0" * 64,
        "verdict": {},
        "code": "record.format",
        "submitter": "test",
    }
    return Record.objects.create(**{**values, **fields})


def test_a_match_has_one_accepted_record(liguilla: Tournament) -> None:
    match = the_match(liguilla, 1, 1)
    fields = {"state": "accepted", "digest": "sha256:1", "home_side": "AC"}
    refuses(lambda: a_record(match, **fields), "one_accepted_record_per_coto")
    a_record(match, **{**fields, "state": "contested"})
    a_record(match, **{**fields, "state": "superseded", "code": ""})


def test_a_record_counts_only_when_it_was_audited(liguilla: Tournament) -> None:
    match = the_match(liguilla, 1, 2)
    refuses(lambda: a_record(match, state="accepted", code=""), "a_record_that_counts_was_audited")


def test_a_record_is_refused_for_a_reason(liguilla: Tournament) -> None:
    refuses(
        lambda: a_record(the_match(liguilla, 1, 2), code=""), "a_record_is_refused_for_a_reason"
    )


def test_the_same_text_is_kept_once_as_evidence(liguilla: Tournament) -> None:
    match = the_match(liguilla, 1, 2)
    a_record(match)
    refuses(lambda: a_record(match), "one_refused_record_per_text")
    a_record(match, code="record.field")


def test_a_match_has_one_live_result(liguilla: Tournament) -> None:
    match = the_match(liguilla, 1, 1)
    refuses(lambda: a_result(match, live=True), "one_live_result_per_match")
    a_result(match)


def test_versions_of_a_result_are_numbered_once(liguilla: Tournament) -> None:
    match = the_match(liguilla, 1, 1)
    refuses(lambda: a_result(match, version=1), "one_result_per_version")


@pytest.mark.parametrize(
    "fields",
    [
        {"winner": "away"},
        {"winner": "tie"},
        {"home_hands": 1},
        {"home_hands": 1, "away_hands": 3},
        {"winner": "both"},
    ],
)
def test_the_winner_of_a_result_has_more_hands(
    liguilla: Tournament, fields: dict[str, Any]
) -> None:
    match = the_match(liguilla, 1, 1)
    refuses(lambda: a_result(match, **fields), "the_winner_has_more_hands")


@pytest.mark.parametrize(
    "fields",
    [
        {"home_hands": -1, "winner": "away"},
        {"away_hands": -1},
        {"home_points": -1},
        {"away_points": -1},
    ],
)
def test_scores_are_not_negative(liguilla: Tournament, fields: dict[str, Any]) -> None:
    match = the_match(liguilla, 1, 1)
    refuses(lambda: a_result(match, **fields), next(iter(fields)))


def test_a_result_has_a_record_or_a_reason(liguilla: Tournament) -> None:
    match = the_match(liguilla, 1, 1)
    refuses(lambda: a_result(match, reason=""), "a_result_has_a_record_or_a_reason")


def test_a_match_has_one_open_dispute(liguilla: Tournament) -> None:
    match = the_match(liguilla, 1, 1)

    def dispute(**fields: Any) -> Dispute:
        return Dispute.objects.create(match=match, reason="why", opened_by="test", **fields)

    dispute()
    refuses(dispute, "one_open_dispute_per_match")
    dispute(state="upheld", ruling="because", ruled_by="test", ruled_at=timezone.now())
    refuses(lambda: dispute(state="voided", ruled_by="test"), "a_ruling_has_a_time_and_a_reason")


def test_nobody_plays_against_themselves(liguilla: Tournament) -> None:
    match = the_match(liguilla, 2, 1)
    refuses(
        lambda: Match.objects.filter(pk=match.pk).update(away=match.home),
        "nobody_plays_against_himself",
    )


def test_only_a_bye_lacks_an_opponent(liguilla: Tournament) -> None:
    match = the_match(liguilla, 2, 1)
    rows = Match.objects.filter(pk=match.pk)
    refuses(lambda: rows.update(away=None), "a_bye_has_no_opponent")
    refuses(lambda: rows.update(state="bye"), "a_bye_has_no_opponent")


def test_a_table_and_an_entry_come_once_in_a_round(liguilla: Tournament) -> None:
    match, other = the_match(liguilla, 2, 1), the_match(liguilla, 2, 2)
    rows = Match.objects.filter(pk=other.pk)
    refuses(lambda: rows.update(table=1), "one_match_per_table")
    refuses(lambda: rows.update(home=match.home), "one_home_match_per_round")
    refuses(lambda: rows.update(away=match.away), "one_away_match_per_round")


def test_an_entry_is_a_pair_or_a_bot(liguilla: Tournament) -> None:
    pair, bot = Pair.objects.all()[0], Bot.objects.all()[0]

    def enter(**fields: Any) -> Entry:
        return Entry.objects.create(
            tournament=liguilla, number=20, name="Otros", folded="otros", **fields
        )

    refuses(enter, "an_entry_is_a_pair_a_player_or_a_bot")
    refuses(lambda: enter(pair=pair, bot=bot), "an_entry_is_a_pair_a_player_or_a_bot")
    refuses(lambda: enter(pair=pair), "one_entry_per_pair")
    assert enter(bot=bot).seat_names == ("Otros · 1", "Otros · 2")


def test_entries_differ_in_number_and_name(liguilla: Tournament) -> None:
    bot, entry = Bot.objects.all()[0], liguilla.entries.all()[0]

    def enter(**fields: Any) -> Entry:
        return Entry.objects.create(tournament=liguilla, name="Otros", bot=bot, **fields)

    refuses(lambda: enter(number=entry.number, folded="otros"), "one_entry_per_number")
    refuses(lambda: enter(number=20, folded=entry.folded), "one_entry_per_name")
    refuses(lambda: enter(number=0, folded="otros"), "entries_count_from_one")


def test_a_pair_is_two_players(liguilla: Tournament) -> None:
    pair = Pair.objects.all()[0]
    refuses(
        lambda: Pair.objects.filter(pk=pair.pk).update(second=pair.first), "a_pair_is_two_players"
    )


def test_codes_and_names_come_once_in_a_club(liguilla: Tournament) -> None:
    existing_player = Player.objects.all()[0]

    def player(**fields: Any) -> Player:
        return Player.objects.create(club=liguilla.club, name="Ana", **fields)

    refuses(lambda: player(code=existing_player.code, folded="ana"), "one_player_per_code")
    refuses(lambda: player(code="J99", folded=existing_player.folded), "one_player_per_name")


def test_a_user_has_one_role_in_a_club(liguilla: Tournament) -> None:
    def join(role: str) -> Membership:
        return Membership.objects.create(club=liguilla.club, user=user("olga"), role=role)

    refuses(lambda: join("king"), "membership_role_is_known")
    join("arbiter")
    refuses(lambda: join("organiser"), "one_membership_per_club")


@pytest.mark.parametrize(
    "fields",
    [
        {"state": "draft"},
        {"state": "closed"},
        {"state": "open"},
        {"published_at": None},
    ],
)
def test_a_round_is_in_the_state_its_times_say(
    liguilla: Tournament, fields: dict[str, Any]
) -> None:
    round_ = the_round(liguilla, 1)
    rows = Round.objects.filter(pk=round_.pk)
    refuses(lambda: rows.update(**fields), "round_state_agrees_with_its_times")


def test_rounds_stages_and_hands_are_numbered_once(liguilla: Tournament) -> None:
    round_, hand = the_round(liguilla, 1), Hand.objects.all()[0]
    rows = Round.objects.filter(pk=round_.pk)
    refuses(lambda: rows.update(number=2), "one_round_per_number")
    refuses(lambda: Hand.objects.filter(pk=hand.pk).update(number=2), "one_hand_per_number")


def test_states_and_kinds_are_those_known(liguilla: Tournament) -> None:
    rows = Tournament.objects.filter(pk=liguilla.pk)
    refuses(lambda: rows.update(state="over"), "tournament_state_is_known")
    refuses(lambda: Bot.objects.create(name="x", slug="x", kind="genius"), "bot_kind_is_known")


def test_events_are_numbered_once_in_a_club(liguilla: Tournament) -> None:
    event = AuditEvent.objects.filter(club=liguilla.club).order_by("-sequence")[0]
    event.pk = None
    with without_guards(connection):
        refuses(event.save, "one_event_per_number")


def test_an_idempotency_key_comes_once_for_each_who_sends_it(liguilla: Tournament) -> None:
    def submission(scope: str) -> Submission:
        return Submission.objects.create(
            scope=scope, key="k", fingerprint="f", lock="l", locked_until=timezone.now()
        )

    submission("token:1")
    submission("token:2")
    refuses(lambda: submission("token:1"), "one_submission_per_key")


def test_every_row_can_be_named(liguilla: Tournament) -> None:
    match = the_match(liguilla, 1, 1)
    assert SYSTEM.label == "system"
    assert str(match) == "liguilla-de-otono/1/1"
    assert str(match.round.stage) == "Liguilla de otoño, liguilla"
    assert str(match.home) == "1. Las Cuarenta"
    assert [str(result) for result in match.results.all()] == ["0-3"]
    for model in (Record, Hand, AuditEvent, Pair, Player, Bot, Round):
        assert str(model.objects.all()[0])
