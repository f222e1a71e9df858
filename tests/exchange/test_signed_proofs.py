"""A proof is bound to the signed history: another result, seed or draw does not pass for it."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.audited import assert_history_is_complete
from tests.clubs import (
    SYSTEM,
    a_bot_liguilla,
    a_club,
    a_swiss,
    house_bots,
    play_out,
    the_match,
    the_round,
)
from tests.support.day import a_day, play_round
from tests.support.scene_rows import reuse_rows
from tournaments.cli.main import main
from tournaments.director.services.draws import draw, draw_again, draw_next
from tournaments.director.services.entries import enter_newcomers
from tournaments.director.services.restoring import go_back
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import create_tournament, publish_round
from tournaments.domain.file.proofs import bundle_from_bytes, bundle_to_bytes
from tournaments.domain.scores import Score
from tournaments.domain.trail.checkpoints import public_key
from tournaments.domain.verification import Finding, all_hold, verify
from tournaments.exchange.queries.exports import export_of
from tournaments.exchange.queries.proofs import proof_file
from tournaments.exchange.queries.trails import installation_key
from tournaments.exchange.services.checkpoints import write_checkpoint
from tournaments.exchange.services.imports import import_tournament
from tournaments.models import AuditEvent, Tournament
from tournaments.results.services.matches import correct_result

pytestmark = pytest.mark.django_db

Capture = pytest.CaptureFixture[str]


def findings(file: bytes, *keys: str) -> tuple[Finding, ...]:
    return verify(bundle_from_bytes(file), keys=keys)


def codes(file: bytes, *keys: str) -> set[str]:
    return {finding.code for finding in findings(file, *keys)}


def wrong(file: bytes, *keys: str) -> set[str]:
    return {finding.code for finding in findings(file, *keys) if not finding.holds}


@reuse_rows()
def signed_swiss() -> Tournament:
    """A Swiss of two closed rounds, signed as it is when a round is closed."""
    tournament = a_swiss(6, rounds=3)
    play_round(tournament, 1)
    write_checkpoint(tournament.club_id)
    draw_next(SYSTEM, tournament, after=1)
    play_round(tournament, 2)
    write_checkpoint(tournament.club_id)
    return tournament


def proved_again(document: dict[str, Any], folder: Path, capsys: Capture) -> bytes:
    """Return what `baza prove` makes of a document."""
    file = folder / "changed.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    capsys.readouterr()
    assert main(["prove", str(file)]) == 0
    return capsys.readouterr().out.encode()


def with_another_result(tournament: Tournament) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(proof_file(tournament))
    table = document["stages"][0]["rounds"][1]["tables"][0]
    table["hands"].reverse()
    return document


def test_a_signed_proof_says_when_and_with_which_key() -> None:
    file = proof_file(signed_swiss())
    assert all_hold(findings(file, installation_key()))
    (finding,) = [f for f in findings(file, installation_key()) if f.code == "signed"]
    assert (finding.facts["after"], finding.facts["key"]) == (2, installation_key())
    assert "own_key" in codes(file)
    assert "own_key" not in codes(file, installation_key())
    assert bundle_to_bytes(bundle_from_bytes(file)) == file
    assert_history_is_complete()


def test_a_swapped_result_that_is_proved_again_is_not_what_was_signed(
    tmp_path: Path, capsys: Capture
) -> None:
    changed = with_another_result(signed_swiss())
    new_proof = proved_again(changed, tmp_path, capsys)
    assert {"contents", "standings"} <= codes(
        new_proof
    )  # the digest and the table were made to fit
    assert wrong(new_proof) == {"signed_differs"}


def test_a_proof_whose_signature_was_taken_out_says_so_and_fails_where_a_key_is_given(
    tmp_path: Path, capsys: Capture
) -> None:
    changed = with_another_result(signed_swiss())
    del changed["proof"]["signed"]
    new_proof = proved_again(changed, tmp_path, capsys)
    assert "unsigned" in codes(new_proof)
    assert wrong(new_proof, installation_key()) == {"not_signed"}


def test_a_statement_that_was_made_to_fit_is_not_under_its_checkpoint(
    tmp_path: Path, capsys: Capture
) -> None:
    document = json.loads(proved_again(with_another_result(signed_swiss()), tmp_path, capsys))
    document["proof"]["signed"]["event"]["facts"]["digest"] = document["proof"]["digest"]
    assert wrong(json.dumps(document).encode()) == {"bad_signature"}


def test_the_digest_of_the_signed_statement_is_its_own() -> None:
    document = json.loads(proof_file(signed_swiss()))
    document["proof"]["signed"]["event"]["digest"] = "0" * 64
    assert wrong(json.dumps(document).encode()) == {"bad_signature"}


def test_a_signature_with_another_key_does_not_pass_for_the_clubs(settings: Any) -> None:
    key = installation_key()
    settings.AUDIT_KEY = "7" * 64
    file = proof_file(signed_swiss.__wrapped__())  # type: ignore[attr-defined]
    assert wrong(file) == set()
    assert wrong(file, key) == {"unknown_key"}
    assert wrong(file, public_key("7" * 64)) == set()


def test_another_seed_is_not_the_one_that_was_signed_nor_committed_to() -> None:
    document = json.loads(proof_file(signed_swiss()))
    seed = "ab" * 32
    document["stages"][0]["seed"] = seed
    document["proof"]["draws"][-1]["seed"] = seed
    file = json.dumps(document).encode()
    assert {"draw_differs", "signed_differs"} <= wrong(file)


def test_what_was_played_since_the_signature_is_named_as_unsigned() -> None:
    tournament = signed_swiss()
    draw_next(SYSTEM, tournament, after=2)
    publish_round(SYSTEM, the_round(tournament, 3))
    file = proof_file(tournament)
    assert wrong(file, installation_key()) == set()
    assert {"signed", "signed_until"} <= codes(file, installation_key())


def test_a_correction_leaves_the_proof_unsigned_until_the_next_checkpoint() -> None:
    tournament = signed_swiss()
    correct_result(
        SYSTEM, the_match(tournament, 1, 1), Score(1, 3, 180, 310), reason="turned round"
    )
    assert "unsigned" in codes(proof_file(tournament))
    write_checkpoint(tournament.club_id)
    assert "signed" in codes(proof_file(tournament), installation_key())


def test_a_checkpoint_without_a_change_signs_nothing_more() -> None:
    tournament = signed_swiss()
    assert write_checkpoint(tournament.club_id) is None
    assert AuditEvent.objects.filter(verb="tournament.signed").count() == 2


def test_two_tournaments_of_a_club_are_signed_by_one_checkpoint() -> None:
    tournament = a_swiss(4, rounds=1)
    play_round(tournament, 1)
    bots = a_bot_liguilla(tournament.club, to=3)
    play_out(the_round(bots, 1))
    write_checkpoint(tournament.club_id)
    for signed_tournament, links in ((tournament, 1), (bots, 0)):
        file = proof_file(signed_tournament)
        assert "signed" in codes(file, installation_key())
        assert len(json.loads(file)["proof"]["signed"].get("links", ())) == links


def test_an_undone_and_repeated_draw_is_in_the_proof_with_its_commitment_and_reason() -> None:
    tournament = a_day(6, rounds=3)
    stage = tournament.stages.get()
    next_commitment = stage.next_commitment
    go_back(SYSTEM, tournament.restore_points.filter(verb="tournament.drawn").latest("pk"))
    tournament.refresh_from_db()
    draw(SYSTEM, tournament, reason="a pair was missing")
    third = tournament.stages.get().next_commitment
    draw_again(SYSTEM, tournament.stages.get(), reason="a pair too many")
    play_round(tournament, 1)
    write_checkpoint(tournament.club_id)
    file = proof_file(tournament)
    draws = json.loads(file)["proof"]["draws"]
    assert [(draw_row["number"], draw_row.get("reason", "")) for draw_row in draws] == [
        (1, ""),
        (2, "a pair was missing"),
        (3, "a pair too many"),
    ]
    assert [draw_row["commitment"] for draw_row in draws[1:]] == [next_commitment, third]
    assert [f.facts["number"] for f in findings(file) if f.code == "drawn_again"] == [2, 3]
    assert wrong(file, installation_key()) == set()


def test_a_draw_that_was_taken_out_of_the_proof_is_missed() -> None:
    tournament = a_day(6, rounds=3)
    draw_again(SYSTEM, tournament.stages.get(), reason="a pair too many")
    play_round(tournament, 1)
    write_checkpoint(tournament.club_id)
    document = json.loads(proof_file(tournament))
    del document["proof"]["draws"][0]
    assert wrong(json.dumps(document).encode()) == {"draw_differs", "signed_differs"}
    document["proof"]["draws"][0] |= {"number": 1}
    assert wrong(json.dumps(document).encode()) == {"draw_differs", "signed_differs"}
    document["proof"]["draws"] = []
    assert wrong(json.dumps(document).encode()) == {"signed_differs"}


def test_the_commitment_to_the_next_draw_is_in_the_history_before_it() -> None:
    tournament = a_day(6, drawn=False)
    created = AuditEvent.objects.get(verb="tournament.created").facts
    draw(SYSTEM, tournament)
    draw_facts = AuditEvent.objects.get(verb="tournament.drawn").facts
    assert created["stages"][0]["draw_commitment"] == draw_facts["draw_commitment"]
    assert draw_facts["next_commitment"] == tournament.stages.get().next_commitment


def test_deals_of_bots_that_were_taken_back_and_drawn_again_are_in_the_proof() -> None:
    club = a_club()
    tournament = create_tournament(
        SYSTEM, club, "Bots", NewTournament(GameSettings(options={"to": 3}))
    )
    enter_newcomers(SYSTEM, tournament, [*house_bots(), *house_bots()])
    draw(SYSTEM, tournament)
    publish_round(SYSTEM, the_round(tournament, 1))
    go_back(SYSTEM, tournament.restore_points.filter(verb="tournament.drawn").latest("pk"))
    tournament.refresh_from_db()
    draw(SYSTEM, tournament)
    publish_round(SYSTEM, the_round(tournament, 1))
    file = proof_file(tournament)
    deals = json.loads(file)["proof"]["deals"]
    assert [(deal["round"], deal["number"]) for deal in deals] == [(1, 1), (1, 2)]
    assert deals[0]["commitment"] != deals[1]["commitment"]
    assert [(f.round, f.facts["count"]) for f in findings(file) if f.code == "deals_again"] == [
        (1, 2)
    ]


def test_a_file_without_a_proof_is_no_proof(tmp_path: Path, capsys: Capture) -> None:
    document = json.loads(proof_file(signed_swiss()))
    del document["proof"]
    file = tmp_path / "file.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    capsys.readouterr()
    assert main(["verify-tournament", str(file)]) == 1
    assert capsys.readouterr().out.startswith("✗ There is no proof")
    document["proof"] = {"made_by": "baza"}
    assert wrong(json.dumps(document).encode()) == {"no_proof"}


def test_a_proof_of_0_1_0_holds_and_says_what_it_cannot_prove() -> None:
    document = json.loads(proof_file(signed_swiss()))
    for name in ("signed", "draws", "deals"):
        del document["proof"][name]
    before = json.dumps(document).encode()
    assert wrong(before) == set()
    assert {"unsigned", "no_draws"} <= codes(before)


def test_an_imported_tournament_is_signed_by_the_club_that_holds_it() -> None:
    tournament = signed_swiss()
    document = export_of(tournament.slug, SYSTEM)
    assert b"tournament.signed" not in document
    Tournament.objects.filter(pk=tournament.pk).update(slug="el-de-antes")
    copy = import_tournament(SYSTEM, a_club("Otra"), document)
    assert copy.stages.get().next_seed
    assert "unsigned" in codes(proof_file(copy))
    write_checkpoint(copy.club_id)
    assert "signed" in codes(proof_file(copy), installation_key())


def test_a_liguilla_is_signed_up_to_the_first_open_round() -> None:
    club = a_club()
    tournament = create_tournament(
        SYSTEM, club, "Bots", NewTournament(GameSettings(options={"to": 3}))
    )
    enter_newcomers(SYSTEM, tournament, [*house_bots(), *house_bots()])
    draw(SYSTEM, tournament)
    publish_round(SYSTEM, the_round(tournament, 1))
    write_checkpoint(club.pk)
    assert not AuditEvent.objects.filter(verb="tournament.signed").exists()
    play_out(the_round(tournament, 1))
    write_checkpoint(club.pk)
    assert AuditEvent.objects.get(verb="tournament.signed").facts["after"] == 1
