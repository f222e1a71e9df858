"""A tournament changed with SQL is not as its history or its signature states it, and is named."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from tests.audited import assert_history_is_complete
from tests.clubs import SYSTEM, arbiter, organiser, play_out, the_match, the_round, user
from tests.support.day import a_day, entry, play_round, player_of, spare
from tests.support.scene_rows import reuse_rows
from tournaments.core.audit import write_event
from tournaments.core.permissions import Actor
from tournaments.director.services.absences import penalise
from tournaments.director.services.draws import draw_next
from tournaments.director.services.tournaments import (
    announce,
    finish,
    publish_round,
    set_visibility,
)
from tournaments.domain.scores import Score
from tournaments.environment import ROOT
from tournaments.exchange.queries.contradictions import NOT_COMPARED, check_tournament
from tournaments.exchange.queries.proofs import proof_of
from tournaments.exchange.services.checkpoints import write_checkpoint
from tournaments.models import (
    Absence,
    AuditEvent,
    ByeRequest,
    Match,
    Pair,
    Player,
    Round,
    Stage,
    Tournament,
)
from tournaments.people.services.clubs import import_players
from tournaments.profiles.services.erasing import erase_player
from tournaments.profiles.services.renaming import rename_player
from tournaments.results.services.matches import (
    correct_result,
    dispute_result,
    postpone,
    rule_on_dispute,
)
from tournaments.results.services.reports import report_result

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.django_db


@reuse_rows({}, {"over": False})
def signed_day(over: bool = True) -> Tournament:
    """Two rounds of a Swiss, signed; finished unless ``over`` is false."""
    tournament = a_day(entered=6, rounds=2 if over else 3)
    play_round(tournament, 1)
    draw_next(SYSTEM, tournament, after=1)
    play_round(tournament, 2)
    if over:
        finish(SYSTEM, tournament)
    write_checkpoint(tournament.club_id)
    tournament.refresh_from_db()
    assert_history_is_complete()
    return tournament


def of_stage(**values: Any) -> Callable[[Tournament], object]:
    """Return what changes columns of the stages of a tournament."""
    return lambda tournament: Stage.objects.filter(tournament=tournament).update(**values)


def of_settings(**values: Any) -> Callable[[Tournament], object]:
    """Return what adds settings to the stage of a tournament."""

    def forge(tournament: Tournament) -> None:
        stage = tournament.stages.get()
        Stage.objects.filter(pk=stage.pk).update(settings={**stage.settings, **values})

    return forge


def of_tournament(**values: Any) -> Callable[[Tournament], object]:
    """Return what changes columns of a tournament."""
    return lambda tournament: Tournament.objects.filter(pk=tournament.pk).update(**values)


def of_match(**values: Any) -> Callable[[Tournament], object]:
    """Return what changes columns of the first match."""
    return lambda t: Match.objects.filter(pk=the_match(t, 1, 1).pk).update(**values)


def another_draw_seed(tournament: Tournament) -> None:
    stage = tournament.stages.get()
    draws = [{**stage.draws[0], "seed": "ab" * 32}]
    Stage.objects.filter(pk=stage.pk).update(seed="ab" * 32, draws=draws)


def one_more_draw(tournament: Tournament) -> None:
    stage = tournament.stages.get()
    draws = [*stage.draws, {**stage.draws[0], "number": 2, "seed": "ab" * 32}]
    Stage.objects.filter(pk=stage.pk).update(seed="ab" * 32, draws=draws)


def another_player_in_a_pair(tournament: Tournament) -> None:
    pair = entry(tournament, 1).pair
    assert pair is not None
    Pair.objects.filter(pk=pair.pk).update(first=spare(tournament))


def another_name_of_a_player(tournament: Tournament) -> None:
    pair = entry(tournament, 1).pair
    assert pair is not None
    Player.objects.filter(pk=pair.first_id).update(name="Otra")


def an_absence(tournament: Tournament) -> None:
    Absence.objects.create(
        entry=entry(tournament, 1), kind="withdrawn", from_round=2, made_by="nobody"
    )


def a_requested_bye(tournament: Tournament) -> None:
    ByeRequest.objects.create(
        entry=entry(tournament, 1), round_number=2, kind="full", made_by="nobody"
    )


def a_round_reopened(tournament: Tournament) -> None:
    Round.objects.filter(pk=the_round(tournament, 2).pk).update(state="published", closed_at=None)


SIGNED_ONLY = {"statement_differs"}
"""Faults of what only the signed statement covers."""

FORGED: dict[str, tuple[Callable[[Tournament], object], set[str]]] = {
    "scale": (of_settings(scale={"win": 0, "loss": 3}), {"statement_differs", "row_changed"}),
    "order": (of_settings(order=["won"]), {"statement_differs", "row_changed"}),
    "settings nobody reads": (of_settings(scale=5), {"statement_differs", "row_changed"}),
    "format": (of_stage(format="lives"), {"statement_differs", "row_changed"}),
    "options": (of_tournament(options={"to": 2}), {"statement_differs", "row_changed"}),
    "ruleset": (of_tournament(ruleset="habanero"), {"statement_differs", "row_changed"}),
    "cotos": (of_tournament(cotos=2), {"row_changed"}),
    "name": (of_tournament(name="Otro"), SIGNED_ONLY),
    "seed": (of_stage(seed="cd" * 32), {"statement_differs", "draw_changed"}),
    "seed that is none": (of_stage(seed="xy"), {"statement_differs", "draw_changed"}),
    "seed and draw": (another_draw_seed, {"statement_differs", "draw_changed"}),
    "one more draw": (one_more_draw, {"statement_differs", "draw_changed"}),
    "draws that are none": (of_stage(draws=[5]), {"statement_differs", "draw_changed"}),
    "seeding order": (of_stage(entrants=[6, 5, 4, 3, 2, 1]), SIGNED_ONLY),
    "lots": (of_stage(lots={"1": 1}), SIGNED_ONLY),
    "match without its result": (of_match(state="pending"), {"match_state"}),
    "match to be confirmed": (of_match(state="reported"), {"match_state"}),
    "match disputed by nobody": (of_match(state="disputed"), {"match_state"}),
    "players of a pair": (another_player_in_a_pair, SIGNED_ONLY),
    "name of a player": (another_name_of_a_player, SIGNED_ONLY),
    "absence": (an_absence, SIGNED_ONLY),
    "bye": (a_requested_bye, SIGNED_ONLY),
    "round": (a_round_reopened, SIGNED_ONLY),
}


def codes(tournament: Tournament) -> set[str]:
    return {fault.code for fault in check_tournament(tournament).faults}


def failing_audit() -> str:
    output = io.StringIO()
    with pytest.raises(CommandError, match="not as it was written"):
        call_command("audit_verify", stdout=output)
    return output.getvalue()


def statements(tournament: Tournament) -> list[dict[str, Any]]:
    events = AuditEvent.objects.filter(tournament=tournament, verb="tournament.signed")
    return list(events.order_by("sequence").values_list("facts", flat=True))


@pytest.mark.parametrize("forged", FORGED)
def test_a_forged_finished_tournament_is_named_before_and_after_a_checkpoint(forged: str) -> None:
    tournament = signed_day()
    forge, expected = FORGED[forged]
    signed = statements(tournament)
    forge(tournament)
    assert codes(tournament) == expected
    for fault in check_tournament(tournament).faults:
        assert f"{tournament.slug}: {fault.words()}" in failing_audit()
    # An event of another kind, then a checkpoint: what was forged is not signed.
    set_visibility(SYSTEM, Tournament.objects.get(pk=tournament.pk), "private")
    assert write_checkpoint(tournament.club_id) is not None
    assert codes(tournament) == expected
    assert {facts["digest"] for facts in statements(tournament)} == {
        facts["digest"] for facts in signed
    }
    assert failing_audit()


@pytest.mark.parametrize("forged", ["scale", "options", "seed", "match without its result"])
def test_a_forged_running_tournament_is_named_without_a_signature(forged: str) -> None:
    tournament = a_day(entered=6)
    play_round(tournament, 1)
    assert not statements(tournament)
    FORGED[forged][0](tournament)
    assert codes(tournament) == FORGED[forged][1] - SIGNED_ONLY


@pytest.mark.parametrize("forged", ["scale", "players of a pair"])
def test_a_checkpoint_after_an_announcement_says_what_differs_and_states_the_old_digest_on(
    forged: str,
) -> None:
    tournament = signed_day(over=False)
    FORGED[forged][0](tournament)
    announce(SYSTEM, tournament, "Cena a las nueve")
    write_checkpoint(tournament.club_id)
    before, repeated = statements(tournament)
    assert repeated == {**before, "differs": ["digest"]}
    assert "statement_differs" in codes(tournament)
    assert proof_of(tournament).proof.signed is None
    client = Client(headers={"accept-language": "en"})
    organiser(tournament.club, "olga")
    client.force_login(user("olga"))
    page = client.get(f"/t/{tournament.slug}/history/").content.decode()
    assert page.count("the data differ from what was signed before") == 1
    count = len(statements(tournament))
    announce(SYSTEM, tournament, "Cena a las diez")
    write_checkpoint(tournament.club_id)
    assert len(statements(tournament)) == count  # it is said once


def test_a_correction_after_a_forged_rule_does_not_get_the_rule_signed() -> None:
    tournament = signed_day()
    FORGED["scale"][0](tournament)
    correct_result(
        arbiter(tournament.club), the_match(tournament, 1, 1), Score(1, 3, 90, 300), reason="x"
    )
    assert codes(tournament) == {"row_changed"}
    write_checkpoint(tournament.club_id)
    assert statements(tournament)[-1]["differs"] == ["digest"]
    # The rule is put back as it was: what was corrected is signed.
    Stage.objects.filter(tournament=tournament).update(settings=_stated_settings(tournament))
    write_event(SYSTEM, "test.done", tournament, club=tournament.club, tournament=tournament)
    write_checkpoint(tournament.club_id)
    assert "differs" not in statements(tournament)[-1]
    assert_history_is_complete()


def _stated_settings(tournament: Tournament) -> dict[str, Any]:
    created = AuditEvent.objects.get(tournament=tournament, verb="tournament.created")
    now = tournament.stages.get().settings
    rules: dict[str, Any] = created.facts["stages"][0]["rules"]
    return {**rules, "seeding": now["seeding"]} if "seeding" in now else rules


def test_a_forged_row_that_is_put_back_is_as_it_was_signed() -> None:
    tournament = signed_day(over=False)
    pair = entry(tournament, 1).pair
    assert pair is not None
    another_player_in_a_pair(tournament)
    announce(SYSTEM, tournament, "Cena a las nueve")
    write_checkpoint(tournament.club_id)
    Pair.objects.filter(pk=pair.pk).update(first=pair.first)
    assert_history_is_complete()
    assert proof_of(tournament).proof.signed is not None
    announce(SYSTEM, tournament, "Cena a las diez")
    write_checkpoint(tournament.club_id)
    assert "differs" not in statements(tournament)[-1]


# --- what is done by the service ------------------------------------------------------------------


def first_player(tournament: Tournament) -> Player:
    pair = entry(tournament, 1).pair
    assert pair is not None
    return pair.first


def a_correction(tournament: Tournament) -> None:
    judge = arbiter(tournament.club)
    correct_result(judge, the_match(tournament, 1, 1), Score(1, 3, 90, 300), reason="era al revés")


def a_penalty(tournament: Tournament) -> None:
    penalise(arbiter(tournament.club), entry(tournament, 1), round_number=1, points=9, reason="x")


def a_name_put_right(tournament: Tournament) -> None:
    rename_player(SYSTEM, first_player(tournament), "Rosa María")


def a_name_from_a_list(tournament: Tournament) -> None:
    player = first_player(tournament)
    import_players(SYSTEM, tournament.club, f"id,nombre\n{player.code},Rosa María\n")


def an_erasure(tournament: Tournament) -> None:
    erase_player(SYSTEM, first_player(tournament))


@pytest.mark.parametrize(
    "change", [a_correction, a_penalty, a_name_put_right, a_name_from_a_list, an_erasure]
)
def test_what_the_service_changes_after_signing_is_to_be_signed_and_names_nothing(
    change: Callable[[Tournament], None],
) -> None:
    tournament = signed_day()
    change(tournament)
    checked = check_tournament(tournament)
    assert (checked.faults, checked.is_to_sign) == ((), True)
    output = io.StringIO()
    call_command("audit_verify", stdout=output)
    assert f"{tournament.slug}: changed since it was signed" in output.getvalue()
    write_checkpoint(tournament.club_id)
    assert not check_tournament(tournament).is_to_sign
    assert "differs" not in statements(tournament)[-1]
    assert proof_of(tournament).proof.signed is not None
    assert_history_is_complete()


def test_a_round_that_was_closed_with_matches_open_is_named_by_these() -> None:
    tournament = a_day(entered=6)
    publish_round(SYSTEM, the_round(tournament, 1))
    postpone(SYSTEM, the_match(tournament, 1, 3), None)
    closed = {"state": "closed", "closed_at": timezone.now()}
    Round.objects.filter(pk=the_round(tournament, 1).pk).update(**closed)
    faults = check_tournament(tournament).faults
    assert [(fault.code, fault.key) for fault in faults] == [
        ("match_open", the_match(tournament, 1, table).pk) for table in (1, 2)
    ]


def test_a_match_may_wait_in_a_closed_round_after_a_postponement_or_a_ruling() -> None:
    tournament = a_day(entered=6)
    publish_round(SYSTEM, the_round(tournament, 1))
    late, voided = the_match(tournament, 1, 1), the_match(tournament, 1, 2)
    postpone(SYSTEM, late, None)
    play_out(the_round(tournament, 1))
    account = player_of(tournament, late.home.number, "rosa").user
    assert account is not None
    report_result(Actor.for_user(account), late, score=Score(3, 1, 300, 200))
    dispute = dispute_result(SYSTEM, voided, "No se jugó.")
    rule_on_dispute(SYSTEM, dispute, "void", reason="Se juega otra vez.")
    states = Match.objects.filter(pk__in=(late.pk, voided.pk)).order_by("table")
    assert list(states.values_list("state", flat=True)) == ["reported", "pending"]
    assert_history_is_complete()


def test_what_is_not_compared_is_printed() -> None:
    signed_day()
    output = io.StringIO()
    call_command("audit_verify", stdout=output)
    assert all(text in output.getvalue() for text in NOT_COMPARED)
    output = io.StringIO()
    call_command("audit_verify", "--json", stdout=output)
    assert json.loads(output.getvalue())["not_compared"] == list(NOT_COMPARED)
    document = (ROOT / "docs/operators/audit.md").read_text(encoding="utf-8")
    assert "\n".join(f"- {text}" for text in NOT_COMPARED) in document
