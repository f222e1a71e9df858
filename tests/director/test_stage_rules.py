"""A running tournament of before is offered the rules of new ones, with what changes."""

import pytest
from django.core.management import call_command

from tests.clubs import SYSTEM
from tests.results.test_played_on import (
    as_before,
    other_way,
    places,
    play,
    staff,
    the_semifinal,
)
from tests.support.day import a_day, entry
from tests.support.duplicates import a_duplicate, play_deals
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.director.queries.stage_rules import rule_offers
from tournaments.director.services.draws import draw_next
from tournaments.director.services.stage_rules import adopt_rule
from tournaments.director.services.tournaments import finish
from tournaments.domain.file.proofs import bundle_from_bytes
from tournaments.domain.verification import all_hold, verify
from tournaments.exchange.queries.proofs import proof_file, proof_of
from tournaments.models import AuditEvent, Tournament
from tournaments.results.services.matches import correct_result

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup() -> Tournament:
    """A cup of before of eight; a result of the first round was turned after the second."""
    tournament = a_day(entered=8, late=0, format="knockout")
    as_before(tournament)
    play(tournament, 1)
    draw_next(SYSTEM, tournament, after=1)
    play(tournament, 2)
    match = the_semifinal(tournament)
    correct_result(SYSTEM, match, other_way(match), reason="turned")
    draw_next(SYSTEM, tournament, after=2)
    play(tournament, 3)
    return tournament


def test_the_settings_show_what_changes_and_the_button_changes_it(cup: Tournament) -> None:
    with refusal(Reason.BRACKET_CONTRADICTS):
        finish(SYSTEM, cup)
    client = staff(cup)
    page = client.get(f"/t/{cup.slug}/settings/").content.decode()
    assert "Places by what was played" in page
    before = {number: rank for rank, number in places(cup)}
    answer = client.post(f"/t/{cup.slug}/settings/", {"places": "played"})
    assert answer.status_code == 302
    after = {number: rank for rank, number in places(cup)}
    changed = [n for n in before if before[n] != after[n]]
    assert changed
    for number in changed:
        assert f"{entry(cup, number).name}: {before[number]} → {after[number]}" in page
    assert list(after.values()).count(1) == 1
    assert (
        "Places by what was played" not in client.get(f"/t/{cup.slug}/settings/").content.decode()
    )
    finish(SYSTEM, cup)


def test_a_proof_holds_with_rounds_drawn_by_the_rule_of_before(cup: Tournament) -> None:
    assert all_hold(verify(proof_of(cup)))
    adopt_rule(SYSTEM, cup, "places")
    assert all_hold(verify(bundle_from_bytes(proof_file(cup))))
    event = AuditEvent.objects.filter(verb="tournament.changed").latest("sequence")
    assert event.facts["after"] == {"places": "played"}
    call_command("audit_verify")


def test_a_finished_tournament_keeps_its_rule() -> None:
    tournament = a_day(entered=4, late=0, format="knockout")
    as_before(tournament)
    play(tournament, 1)
    draw_next(SYSTEM, tournament, after=1)
    play(tournament, 2)
    finish(SYSTEM, tournament)
    with refusal(Reason.TOURNAMENT_OVER):
        adopt_rule(SYSTEM, tournament, "places")


def test_a_running_butler_is_offered_exact_sums_and_its_proof_holds() -> None:
    tournament = a_duplicate(6, scoring="comparison", comparison="average")
    stage = tournament.stages.get()
    assert stage.settings["sums"] == "exact"
    stage.settings = {name: rule for name, rule in stage.settings.items() if name != "sums"}
    stage.save(update_fields=["settings"])
    for number in (1, 2, 3):
        play_deals(tournament, number)
    (offer,) = rule_offers(tournament)
    assert (offer.rule, offer.value, offer.stages) == ("sums", "exact", (1,))
    assert "butler_rounded" in {finding.code for finding in verify(proof_of(tournament))}
    client = staff(tournament)
    assert "Exact sums" in client.get("/t/duplicada/settings/").content.decode()
    client.post("/t/duplicada/settings/", {"sums": "exact"})
    assert rule_offers(tournament) == ()
    findings = verify(bundle_from_bytes(proof_file(tournament)))
    assert all_hold(findings)
    assert "butler_rounded" not in {finding.code for finding in findings}


def test_a_stage_whose_sums_are_the_same_by_both_rules_states_none() -> None:
    tournament = a_day(entered=4, late=0)
    assert "sums" not in tournament.stages.get().settings
    assert rule_offers(tournament) == ()
