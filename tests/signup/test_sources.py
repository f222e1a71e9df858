"""Places in a final are tickets of its sign-up: who comes through from its sources."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from tests.clubs import SYSTEM, a_bot_liguilla, a_club, organiser, user
from tests.signup.oviedo import a_circuit, a_final, a_qualifier, who_comes
from tests.signup.test_signup_pages import desk, phone, text_of
from tests.support.caller import Caller
from tests.support.day import the_people
from tests.support.refusals import refusal
from tools import verify_export
from tournaments.accounts.services.invitations import issue_token
from tournaments.cli import main
from tournaments.core.errors import Reason
from tournaments.director.services.draws import draw
from tournaments.director.services.posting import post_tournament, unpost_tournament
from tournaments.director.services.restoring import go_back
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import (
    create_tournament,
    publish_round,
    set_visibility,
)
from tournaments.domain.file.proofs import bundle_from_bytes
from tournaments.domain.scores import Score
from tournaments.domain.sources import Means, rank_others
from tournaments.domain.verification import verify
from tournaments.exchange.queries.proofs import proof_file
from tournaments.models import AuditEvent, Club, Match, Pair, SignUp, SignUpRequest, Tournament
from tournaments.people.services.clubs import import_pairs, import_players
from tournaments.profiles.services.erasing import erase_player
from tournaments.results.services.matches import correct_result
from tournaments.signup.queries import sources as queries
from tournaments.signup.queries.places import places_of
from tournaments.signup.queries.sources import OthersRow, SourceRow, will_wait
from tournaments.signup.services.closing import close_sign_up, entering_plan
from tournaments.signup.services.requests import change_request, set_sign_up, take_off
from tournaments.signup.services.sources import (
    invite,
    note_places,
    note_through,
    pass_over,
    remove_source,
    set_sources,
)
from tournaments.standings.services.seasons import add_tournament, create_season

pytestmark = pytest.mark.django_db

OVIEDO = (6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16) * 2 + (6,)
"""The pairs of each of 23 centres."""


def import_mixed(club: Club, *codes: str) -> list[Pair]:
    """A pair of two players of the club who play with others, too."""
    import_pairs(SYSTEM, club, f"pareja,nombre,jugador1,jugador2\nPX,Mixta,{','.join(codes)}\n")
    return list(Pair.objects.filter(club=club, code="PX"))


def on_list(final: Tournament) -> set[tuple[int | None, int | None]]:
    live = SignUpRequest.objects.filter(signup__tournament=final, left_at=None)
    return set(live.values_list("source", "source_entry"))


def sources_of(final: Tournament) -> tuple[SourceRow, ...]:
    return queries.sources_of(SignUp.objects.get(tournament=final)).rows


def others_of(final: Tournament) -> OthersRow:
    others = queries.sources_of(SignUp.objects.get(tournament=final)).others
    assert others is not None
    return others


@pytest.mark.slow
def test_the_first_three_of_23_centres_come_and_a_second_press_notes_nobody() -> None:
    final, circuit = a_circuit(OVIEDO)
    assert len(note_through(SYSTEM, final)) == 69
    assert on_list(final) == who_comes(circuit)
    assert note_through(SYSTEM, final) == []
    ticket = SignUpRequest.objects.filter(signup__tournament=final, source_place=3).first()
    assert ticket is not None
    assert ticket.source is not None
    assert ticket.source_entry is not None
    gone = (ticket.source.pk, ticket.source_entry)
    take_off(SYSTEM, ticket, "Cannot come on the day.")
    assert len(note_through(SYSTEM, final)) == 1
    assert on_list(final) == who_comes(circuit, gone=[gone])
    entries = close_sign_up(SYSTEM, final)
    assert len(entries) == 69
    draw(SYSTEM, final)
    matches = final.stages.get().rounds.get().matches.all()
    assert not [one for one in matches if one.away and one.home.origin == one.away.origin]


def test_a_shared_third_place_asks_and_the_named_ones_or_a_lot_come() -> None:
    club, pairs = the_people(22)
    shared, lines = a_qualifier(club, "Centro", pairs[:10], margins=(30, 20, 10, 10, 10))
    other, _ = a_qualifier(club, "Norte", pairs[10:16], margins=(30, 20, 10))
    third, _ = a_qualifier(club, "Sur", pairs[16:], margins=(10, 10, 10))
    final = a_final(club, [shared, other])
    source, _ = sources_of(final)
    level = [row.number for row in source.level]
    assert level == sorted(line.home for line in lines[2:])
    assert source.free == 1
    with refusal(Reason.SHARED_PLACE):
        note_through(SYSTEM, final)
    with refusal(Reason.SHARED_PLACE):
        note_through(SYSTEM, final, [(source.pk, number) for number in level[:2]])
    chosen = (source.pk, level[2])
    assert len(note_through(SYSTEM, final, [chosen])) == 6
    assert chosen in on_list(final)
    assert note_through(SYSTEM, final) == []
    set_sources(SYSTEM, final, [third], take=1)
    assert len(note_through(SYSTEM, final, draw_lots=True)) == 1
    (lot,) = AuditEvent.objects.filter(verb="sign_up.through_noted").latest("pk").facts["lots"]
    drawn = SignUpRequest.objects.latest("ticket")
    assert lot["source"] == third.slug
    assert lot["order"][0] == drawn.source_entry
    assert note_through(SYSTEM, final, draw_lots=True) == []


def two_sources(take: int = 3) -> tuple[Tournament, SourceRow, SourceRow]:
    """A final, and its two finished sources of six pairs each."""
    club, pairs = the_people(12)
    north, _ = a_qualifier(club, "Norte", pairs[:6], margins=(30, 20, 10))
    south, _ = a_qualifier(club, "Sur", pairs[6:], margins=(30, 20, 10))
    final = a_final(club, [north, south])
    set_sources(SYSTEM, final, [north, south], take)
    one, other = sources_of(final)
    return final, one, other


def test_who_declines_gives_the_place_to_the_next_and_can_be_invited_again() -> None:
    final, north, _ = two_sources()
    first, second = north.through[0], north.others[0]
    pass_over(SYSTEM, final, (north.pk, first.number), "They travel.")
    now, _ = sources_of(final)
    assert [row.why for row in now.gone] == ["They travel."]
    assert second.number in {row.number for row in now.through}
    assert len(note_through(SYSTEM, final)) == 6
    invite(SYSTEM, final, (north.pk, first.number), "They are back.")
    now, _ = sources_of(final)
    assert {row.ticket for row in now.through} == {1, 2, 3}
    assert [row.number for row in now.no_longer] == [second.number]
    invite(SYSTEM, final, (north.pk, second.number), "A wild card.")
    now, _ = sources_of(final)
    assert [(row.number, row.why) for row in now.invited] == [(second.number, "A wild card.")]
    assert now.no_longer == now.missing == ()
    with refusal(Reason.REASON_MISSING):
        pass_over(SYSTEM, final, (north.pk, second.number), " ")


def test_a_pair_in_two_sources_and_a_person_in_two_pairs_are_asked_about() -> None:
    club, pairs = the_people(12)
    north, lines = a_qualifier(club, "Norte", pairs[:6], margins=(30, 20, 10))
    entries = north.entries.with_players()
    winner, second = (entries.get(number=line.home).pair for line in lines[:2])
    assert winner is not None
    assert second is not None
    (mixed,) = import_mixed(club, second.first.code, pairs[11].second.code)
    south, _ = a_qualifier(club, "Sur", [winner, mixed, *pairs[6:10]], margins=(30, 20, 10))
    final = a_final(club, [north, south])
    set_sources(SYSTEM, final, [south], take=6)
    _, row = sources_of(final)
    assert {(entry.name, entry.elsewhere) for entry in row.asked} == {
        (winner.name, "Norte"),
        ("Mixta", "Norte"),
    }
    assert len(note_through(SYSTEM, final)) == 3 + 4
    for asked in row.asked:
        pass_over(SYSTEM, final, (row.pk, asked.number), "They come from Norte.")
    _, row = sources_of(final)
    assert (row.asked, len(row.gone), len(row.through)) == ((), 2, 4)
    entered = close_sign_up(SYSTEM, final)
    assert len(entered) == 7
    assert {winner.pk, second.pk} < {entry.pair_id for entry in entered}


def test_a_source_that_is_corrected_after_the_noting_is_named_and_moves_nothing() -> None:
    final, north, _ = two_sources()
    note_through(SYSTEM, final)
    before = on_list(final)
    third = next(row for row in north.through if row.place == 3)
    match = Match.objects.with_names().get(
        round__stage__tournament=north.tournament, home__number=third.number
    )
    assert match.away is not None
    correct_result(SYSTEM, match, Score(1, 3, 200, 300), reason="read the wrong way")
    now, _ = sources_of(final)
    assert [row.number for row in now.no_longer] == [third.number]
    assert [row.number for row in now.missing] == [match.away.number]
    assert on_list(final) == before
    assert len(note_through(SYSTEM, final)) == 1
    take_off(
        SYSTEM, SignUpRequest.objects.get(source=north.pk, source_entry=third.number), "Corrected."
    )
    now, _ = sources_of(final)
    assert (now.no_longer, now.missing) == ((), ())
    assert [row.number for row in now.gone] == [third.number]


def test_the_best_of_the_others_come_by_the_stated_order_once_all_sources_are_finished() -> None:
    club, pairs = the_people(18)
    north, _ = a_qualifier(club, "Norte", pairs[:8], margins=(40, 30, 20, 19))
    south, _ = a_qualifier(club, "Sur", pairs[8:14], margins=(30, 25, 20))
    small, _ = a_qualifier(club, "Este", pairs[14:], margins=(30, 20))
    final, late = a_final(club, [north, south, small]), create_tournament(SYSTEM, club, "Oeste")
    set_sources(SYSTEM, final, [north, south, small, late], 2)
    set_sign_up(SYSTEM, final, {"best_others": 1, "shows_names": True})
    assert len(note_through(SYSTEM, final)) == 6
    assert (others_of(final).is_ready, others_of(final).through) == (False, ())
    remove_source(SYSTEM, final, sources_of(final)[-1].pk)

    thirds = [(one.source.pk, one.row.number) for one in others_of(final).level]
    assert [one.row.place for one in others_of(final).level] == [3, 3]
    with refusal(Reason.SHARED_PLACE):
        note_through(SYSTEM, final)
    assert note_through(SYSTEM, final, thirds[1:])[0].source_place == 3
    assert note_through(SYSTEM, final) == []
    set_sign_up(SYSTEM, final, {"best_others": 2})
    assert len(note_through(SYSTEM, final)) == 1
    assert set(thirds) <= on_list(final)
    page = text_of(phone(), f"/t/{final.slug}/poster/")
    assert "The best of the others over all of them: 2, by place" in page

    pass_over(SYSTEM, final, thirds[1], "They travel.")
    (fourth,) = others_of(final).missing
    assert (fourth.source.tournament, fourth.row.place) == (north, 4)
    note_through(SYSTEM, final)
    assert [len(source.no_longer) for source in sources_of(final)] == [0, 0, 0]
    set_sign_up(SYSTEM, final, {"best_others": 9})
    assert note_through(SYSTEM, final) == [], "none without a point"
    assert "points 2, hands 2, card points 20 a match" in text_of(
        desk(final), f"/t/{final.slug}/sign-ups/sources/"
    )


@pytest.mark.parametrize(("order", "places"), [("place", [3, 3, 4]), ("points", [3, 4, 3])])
def test_a_fourth_with_more_comes_before_a_third_where_the_order_says_so(
    order: str, places: list[int]
) -> None:
    ahead = Means(Fraction(1), Fraction(2), None, True)
    behind = Means(Fraction(1, 2), Fraction(2), None, True)
    others = {3: (3, ahead), 4: (4, ahead._replace(hands=Fraction(1))), 9: (3, behind)}
    ranked = rank_others(others, by_place=order == "place")
    assert [others[place.who][0] for place in ranked] == places


def test_places_and_unpaid_fees_hold_for_tickets_of_sources_as_is_said() -> None:
    final, *_ = two_sources()
    settings = {"places": 4, "only_paid": True, "fee_cents": 2000, "most_waiting": 0}
    signup = set_sign_up(SYSTEM, final, settings)
    assert will_wait(queries.sources_of(signup), places_of(final, signup)) == 2
    assert len(note_through(SYSTEM, final)) == 6
    plan = entering_plan(SignUp.objects.get(tournament=final))
    assert (len(plan.entering), len(plan.waiting), plan.blocked) == (4, 2, ())


def test_the_entry_is_the_player_who_came_through_seeded_by_the_place() -> None:
    final, north, _ = two_sources(take=2)
    note_through(SYSTEM, final)
    first, second = north.through
    entries = {entry.pair_id: entry for entry in close_sign_up(SYSTEM, final)}
    found = [
        entries[pair.pk]
        for row in (first, second)
        for pair in north.tournament.club.pairs.all()
        if pair.first_id == row.players[0].pk
    ]
    assert found[0].rating > found[1].rating > 0
    assert {entry.origin for entry in found} == {"Norte"}
    request = SignUpRequest.objects.get(entry=found[0])
    assert (request.contact, request.code) == ("", found[0].code)


def test_a_corrected_name_is_that_of_another_person_again() -> None:
    final, north, _ = two_sources(take=1)
    request, _ = note_through(SYSTEM, final)
    names = [person.name for person in request.people.order_by("seat")]
    change_request(SYSTEM, request, {"names": (names[0], "Eva Rey")}, as_written=True)
    players = request.people.order_by("seat").values_list("player", flat=True)
    assert list(players) == [north.through[0].players[0].pk, None]


def test_a_tournament_of_another_kind_or_club_is_no_source() -> None:
    final, north, _ = two_sources(take=1)
    single = create_tournament(
        SYSTEM,
        final.club,
        "De uno en uno",
        NewTournament(GameSettings(), stages=[{"format": "individual"}]),
    )
    other = create_tournament(SYSTEM, a_club("Otro"), "De fuera")
    for source in (single, other, final, a_bot_liguilla(final.club)):
        with refusal(Reason.BAD_SOURCE):
            set_sources(SYSTEM, final, [source], 3)
    note_through(SYSTEM, final)
    with refusal(Reason.SOURCE_USED):
        remove_source(SYSTEM, final, north.pk)


def test_an_erased_person_does_not_come_through() -> None:
    final, north, _ = two_sources()
    gone, heir = north.through[0], north.others[0]
    erase_player(SYSTEM, gone.players[1])
    now, _ = sources_of(final)
    assert gone.number not in {row.number for row in now.through}
    assert heir.number in {row.number for row in now.through}


# --- Pages and API --------------------------------------------------------------------------------


def test_the_organiser_adds_tournaments_and_notes_those_who_are_through_by_pages() -> None:
    final, north, south = two_sources()
    client, at = desk(final), f"/t/{final.slug}/sign-ups/sources/"
    third, _ = a_qualifier(final.club, "Este", more_pairs(final.club), margins=(10, 10, 10))
    assert "Tick at least one." in client.post(at, {"take": "1"}).content.decode()
    season = create_season(SYSTEM, final.club, name="Otoño", ruleset=third.ruleset)
    add_tournament(SYSTEM, season, third)
    client.post(at, {"season": "Otoño", "take": "1"})
    page = text_of(client, at)
    assert "Note the 7 who are through" in page
    assert "shares the last place: 1 of them comes" in page
    refused = client.post(f"{at}note/", follow=True).content.decode()
    assert "say who comes, or draw lots" in refused
    done = client.post(f"{at}note/", {"lots": "on"}, follow=True).content.decode()
    assert "7 are noted." in done
    number = north.through[0].number
    client.post(f"{at}{north.pk}/pass-over/", {"number": number, "reason": "They travel."})
    client.post(f"{at}{south.pk}/invite/", {"number": south.others[0].number, "reason": "Hosts."})
    page = text_of(client, at)
    for text in ("does not come · They travel.", "Hosts.", "Note the 1 who is through"):
        assert text in page
    assert "7 are noted." not in page


def more_pairs(club: Club) -> list[Pair]:
    """Six more pairs of a club."""
    names = ["Albiac", "Borao", "Clavero", "Domeque", "Embid", "Ferrer"]
    players = "".join(f"A{n},Ana {name}\nL{n},Luis {name}\n" for n, name in enumerate(names))
    import_players(SYSTEM, club, "id,nombre\n" + players)
    lines = "".join(f"Q{n},Los {name},A{n},L{n}\n" for n, name in enumerate(names))
    import_pairs(SYSTEM, club, "pareja,nombre,jugador1,jugador2\n" + lines)
    return list(Pair.objects.filter(club=club, code__startswith="Q").order_by("code"))


def test_the_poster_names_who_is_through_but_nobody_of_a_private_source() -> None:
    final, north, south = two_sources()
    note_through(SYSTEM, final)
    set_sign_up(SYSTEM, final, {"shows_names": True})
    set_visibility(SYSTEM, south.tournament, "private")
    page = text_of(phone(), f"/t/{final.slug}/poster/")
    assert f"1. {north.through[0].name}" in page
    assert "3 places come through" in page
    for text in (south.tournament.slug, *(row.name for row in south.through)):
        assert text not in page
    leading = text_of(phone(), f"/t/{north.tournament.slug}/")
    assert "3 places lead on to:" in leading
    assert f'href="/t/{final.slug}/"' in leading

    def leads_on() -> bool:
        return "lead on to" in text_of(phone(), f"/t/{north.tournament.slug}/")

    set_visibility(SYSTEM, final, "private")
    assert not leads_on(), "the cached page of the source is renewed"
    set_visibility(SYSTEM, final, "public")
    assert leads_on()
    unpost_tournament(SYSTEM, final)
    assert not leads_on()
    final.refresh_from_db()
    close_sign_up(SYSTEM, final)
    draw(SYSTEM, final)
    assert leads_on(), "everybody may see what has been drawn"
    point = final.restore_points.get(verb="tournament.drawn")
    go_back(SYSTEM, point)
    assert not leads_on()
    post_tournament(SYSTEM, final)
    assert leads_on()


def test_a_name_that_nobody_may_read_is_not_on_the_poster_of_the_final() -> None:
    final, north, south = two_sources()
    set_sources(SYSTEM, final, [create_tournament(SYSTEM, final.club, "Sorpresa")], 1)
    set_visibility(SYSTEM, south.tournament, "private")
    page = text_of(phone(), f"/t/{final.slug}/poster/")
    assert north.tournament.name in page
    assert "Sorpresa" not in page, "a draft that is not posted"
    assert south.tournament.name not in page, "public when it became a source"


def test_a_program_reads_the_sources_and_notes_those_who_are_through() -> None:
    final, north, _ = two_sources()
    organiser(final.club)
    scopes = ("games:read", "tournaments:manage")
    _, secret = issue_token(SYSTEM, final.club, user("olga"), name="web", scopes=scopes)
    program = Caller(secret)
    at, there = f"tournaments/{final.slug}/sign-ups/sources/", {"tournament": north.tournament.slug}
    body = json.dumps({"tournaments": [north.tournament.slug], "take": 2})
    assert program.submit(at, body, "a").status_code == 201
    assert [len(source["through"]) for source in program.read(at)] == [2, 3]
    first, second = program.read(at)[0]["through"]
    gone = json.dumps({**there, "entry": first["entry"], "reason": "They travel."})
    assert program.submit(f"{at}pass-over/", gone, "b").status_code == 201
    assert program.submit(f"{at}note/", "{}", "c").status_code == 201
    back = json.dumps({**there, "entry": first["entry"], "reason": "They are back."})
    assert program.submit(f"{at}invite/", back, "d").status_code == 201
    source, _ = program.read(at)
    assert {row["entry"] for row in source["through"]} == {first["entry"], second["entry"]}
    assert len(source["no_longer"]) == 1
    refused = program.submit(f"{at}remove/", json.dumps(there), "e")
    assert json.loads(refused.content)["code"] == "source_used"


def test_the_proof_of_a_final_states_places_that_follow_from_its_sources(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    final, north, south = two_sources()
    note_through(SYSTEM, final)
    close_sign_up(SYSTEM, final)
    set_visibility(SYSTEM, south.tournament, "private")
    files = {name: tmp_path / f"{name}.json" for name in ("final", "north", "south")}

    def findings(*, holds: bool = True) -> dict[str, int]:
        names = ["--source", str(files["north"]), str(files["south"])]
        code = main(["verify-tournament", str(files["final"]), *names, "--json"])
        rows = json.loads(capsys.readouterr().out)["findings"]
        assert code == (0 if holds else 1)
        return {row["code"]: len(row["entrants"]) for row in rows if "source" in row["code"]}

    draw(SYSTEM, final)
    round_ = final.stages.get().rounds.get()
    publish_round(SYSTEM, round_)
    for name, tournament in (("final", final), ("north", north.tournament)):
        tournament.refresh_from_db()
        files[name].write_bytes(proof_file(tournament))
    files["south"].write_bytes(proof_file(south.tournament))
    stated = json.loads(files["final"].read_bytes())["proof"]["sources"]
    assert {row.get("slug", "") for row in stated} == {north.tournament.slug, ""}
    assert findings() == {"sources": 3}
    assert verify_export.main([str(file) for file in files.values()]) == 0
    assert "place 3 of Sur" in capsys.readouterr().out
    whole = files["north"].read_text()
    third = next(row for row in north.through if row.place == 3)
    match = Match.objects.with_names().get(
        round__stage__tournament=north.tournament, home__number=third.number
    )
    correct_result(SYSTEM, match, Score(3, 1, 211, 200), reason="one point more")
    files["north"].write_bytes(proof_file(north.tournament))
    assert findings() == {"sources": 3, "source_corrected": 3}
    assert verify_export.main([str(file) for file in files.values()]) == 0
    assert "place 3 of Norte, which was corrected since then" in capsys.readouterr().out
    forged_place = files["final"].read_text().replace('"place": 3', '"place": 2', 1)
    files["north"].with_name("forged.json").write_text(forged_place)
    sources = [str(files["north"]), str(files["south"])]
    assert verify_export.main([str(tmp_path / "forged.json"), *sources]) == 1
    assert "whose table gives 3" in capsys.readouterr().out
    document = json.loads(whole)
    tables = document["stages"][0]["rounds"][0]["tables"]
    forged = next(table for table in tables if table["sides"][0] == [third.number])
    forged["hands"].reverse()
    files["north"].write_text(json.dumps(document))
    found = findings(holds=False)
    assert (found["source_place"], found["source_corrected"]) == (1, 3)


def test_places_of_another_club_are_a_list_and_are_marked_as_stated() -> None:
    club, _ = the_people(2)
    final = a_final(club, [])
    set_sign_up(SYSTEM, final, {"only_paid": True, "fee_cents": 2000})
    client, at = desk(final), f"/t/{final.slug}/sign-ups/sources/"
    there = {"stated_origin": "Copa de Zuera"}
    refused = client.post(f"{at}list/", {**there, "list_text": "1. Ana Rey y 600112233"})
    assert refused.status_code == 422
    assert "line 1: " in refused.content.decode()
    lines = "1. Ana Rey y Luis Sanz\n3. Eva Gil y Pau Mas\n3. Sol Paz y Mar Roca"
    for count in (3, 0):
        done = client.post(f"{at}list/", {**there, "list_text": lines}, follow=True)
        assert f"{count} are noted." in done.content.decode()
    take_off(SYSTEM, SignUpRequest.objects.get(ticket=3), "They travel.")
    assert note_places(SYSTEM, final, lines, "Copa de Zuera") == []
    page = text_of(client, at)
    assert "Stated by you, not computed." in page
    assert "Mar Roca: does not come" in page
    assert "Copa de Zuera: 2 places, stated by the club" in text_of(
        phone(), f"/t/{final.slug}/poster/"
    )

    first, second = close_sign_up(SYSTEM, final)
    assert (first.origin, first.rating > second.rating) == ("Copa de Zuera", True)
    draw(SYSTEM, final)
    publish_round(SYSTEM, final.stages.get().rounds.get())
    final.refresh_from_db()
    bundle = bundle_from_bytes(proof_file(final))
    places = [(one.place, one.number, one.name) for one in bundle.proof.sources]
    assert places == [(1, 0, "Copa de Zuera"), (3, 0, "Copa de Zuera")]
    (stated,) = [one for one in verify(bundle) if one.code == "source_stated"]
    assert stated.entrants == (1, 2)
