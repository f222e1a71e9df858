"""The draw on its pages and over the API: what is shown when, by hand, again, on a projector."""

import json
import re

import pytest
from django.test import Client

from tests.clubs import SYSTEM, the_round
from tests.director.test_seeding import entered, stage_of
from tests.support import scenes
from tests.support.caller import Caller, problem
from tournaments.director.services.draws import draw, draw_again
from tournaments.director.services.tournaments import publish_round
from tournaments.domain.file import rows_from_bytes
from tournaments.domain.rows import Seeding
from tournaments.domain.stages import begin_stage, next_draw
from tournaments.exchange.queries.exports import export_of
from tournaments.models import Match, Tournament

pytestmark = pytest.mark.django_db

ENGLISH = {"accept-language": "en"}
STRANGER = Client(headers=ENGLISH)


@pytest.fixture
def boss() -> Client:
    client = Client(headers=ENGLISH)
    client.force_login(scenes.user_named("marta", is_superuser=True))
    return client


def page(client: Client, path: str, status: int = 200) -> str:
    response = client.get(path)
    assert response.status_code == status, response.content
    return str(response.content.decode())


def test_before_the_draw_the_page_says_how_and_shows_the_commitment_alone(boss: Client) -> None:
    tournament = entered()
    text = page(boss, f"/t/{tournament.slug}/draws/")
    stage = stage_of(tournament)
    assert stage.next_commitment in text
    assert stage.next_seed not in text
    assert "By lot" in text
    assert "0 of 8" in text
    hall = page(boss, f"/t/{tournament.slug}/stages/1/hall/")
    assert stage.next_commitment in hall
    page(STRANGER, f"/t/{tournament.slug}/stages/1/hall/", 404)


def test_strangers_read_seed_and_order_once_the_round_is_published() -> None:
    tournament = entered()
    draw(SYSTEM, tournament)
    seed, path = stage_of(tournament).seed, f"/t/{tournament.slug}/draws/"
    assert seed not in page(STRANGER, path)
    page(STRANGER, f"/t/{tournament.slug}/stages/1/draw.json", 404)
    publish_round(SYSTEM, the_round(tournament, 1))
    assert seed in page(STRANGER, path)
    assert stage_of(tournament).next_seed not in page(STRANGER, path)


def test_how_a_stage_was_drawn_is_read_and_its_seed_once_a_round_is_published() -> None:
    tournament = entered()
    draw(SYSTEM, tournament)
    draw_again(SYSTEM, stage_of(tournament), reason="A pair was missing")
    path = f"tournaments/{tournament.slug}/stages/1/draws/"
    stage = stage_of(tournament)
    body = Caller().read(path)
    assert (body["stage"], body["seeding"], body["seeded"]) == (1, "lot", 0)
    assert body["next_commitment"] == stage.next_commitment
    second, first = body["draws"]
    assert (second["number"], second["reason"]) == (2, "A pair was missing")
    assert second["commitment"] == stage.draws[1]["commitment"]
    assert (second["seed"], second["order"], second["is_in_force"]) == ("", [], True)
    assert (first["seed"], first["is_in_force"]) == (stage.draws[0]["seed"], False)
    publish_round(SYSTEM, the_round(tournament, 1))
    first_draw = Caller().read(path)["draws"][0]
    assert (first_draw["seed"], first_draw["order"]) == (stage.seed, stage.entrants)
    problem(Caller().get(path.replace("/1/", "/2/")), 404, "not_found")


def test_anybody_repeats_the_draw_from_the_file_of_the_page() -> None:
    tournament = entered()
    draw(SYSTEM, tournament)
    publish_round(SYSTEM, the_round(tournament, 1))
    rows = rows_from_bytes(page(STRANGER, f"/t/{tournament.slug}/stages/1/draw.json"))
    assert list(begin_stage(rows, 1)) == stage_of(tournament).entrants
    pairings = {frozenset(table.entrants) for table in next_draw(rows).tables}
    matches = Match.objects.filter(round__number=1).select_related("home", "away")
    assert pairings == {frozenset({m.home.number, m.away.number}) for m in matches if m.away}


def test_the_draw_and_the_first_publication_are_one_press(boss: Client) -> None:
    tournament = entered()
    response = boss.post(f"/t/{tournament.slug}/draw/", {"publish": "1"})
    assert response.headers["Location"] == f"/t/{tournament.slug}/rounds/1/"
    published = the_round(tournament, 1)
    assert published.state == "published"
    again = boss.post(f"/t/{tournament.slug}/draw/", {"publish": "1"})
    assert again.status_code == 409


def test_balls_drawn_by_hand_are_typed_in(boss: Client) -> None:
    tournament = entered(4)
    path = f"/t/{tournament.slug}/stages/1/draw/"
    assert "Pareja 3" in page(boss, path)
    wrong = boss.post(path, {"order": "3 1 4"})
    assert wrong.status_code == 422
    assert "each once" in wrong.content.decode()
    assert boss.post(path, {"order": "3 1\n4, 2"}).status_code == 302
    stage = stage_of(tournament)
    assert (stage.rules.seeding, stage.entrants) == (Seeding.MANUAL, [3, 1, 4, 2])


def test_a_stage_that_everybody_has_seen_is_not_drawn_and_its_page_says_why(boss: Client) -> None:
    tournament = entered()
    draw(SYSTEM, tournament)
    publish_round(SYSTEM, the_round(tournament, 1))
    text = page(boss, f"/t/{tournament.slug}/stages/1/draw/")
    assert "A round of the stage is published: go back to before that first." in text
    assert "<button class" not in text.partition("<h1>")[2]


def test_a_stage_is_drawn_again_with_a_reason_that_everybody_reads(boss: Client) -> None:
    tournament = entered()
    draw(SYSTEM, tournament)
    before = stage_of(tournament).seed
    path = f"/t/{tournament.slug}/stages/1/draw/"
    assert boss.post(path, {"reason": ""}).status_code == 422
    assert boss.post(path, {"reason": "A pair was missing"}).status_code == 302
    text = page(STRANGER, f"/t/{tournament.slug}/draws/")
    assert "Draw 2" in text
    assert "A pair was missing" in text
    assert before in text
    assert stage_of(tournament).seed not in text


def test_the_seeding_is_chosen_on_the_page(boss: Client) -> None:
    tournament = entered()
    path = f"/t/{tournament.slug}/stages/1/seeding/"
    boss.post(path, {"seeding": "lot", "seeded": "2"})
    assert (stage_of(tournament).rules.seeding, stage_of(tournament).rules.seeded) == ("lot", 2)
    assert "Choose how" in boss.post(path, {"seeding": "best"}, follow=True).content.decode()


def test_the_hall_sees_one_name_at_a_time(boss: Client) -> None:
    tournament = entered()
    draw(SYSTEM, tournament)
    order = [tournament.entries.get(number=n).name for n in stage_of(tournament).entrants]
    path = f"/t/{tournament.slug}/stages/1/hall/"
    for count in range(len(order) + 1):
        text = page(boss, f"{path}?shown={count}")
        balls = re.findall(r'class="screen__ball">([^<]+)<', text)
        assert balls == order[count - 1 : count] if count else balls == []
        assert not any(f">{name}<" in text for name in order[count:])
        assert ("Next name" in text) == (count < len(order))
    assert "Next name" not in page(boss, f"{path}?shown=999")
    page(STRANGER, path, 302)


def test_a_new_tournament_is_drawn_by_lot_unless_its_form_says_otherwise(boss: Client) -> None:
    scene = scenes.draft()
    form = {
        "plan": "eliminatoria",
        "name": "Copa",
        "ruleset": "parejas-online",
        "length": "to",
        "hands": "3",
        "cotos": "1",
        "confirm_minutes": "2880",
        "bye_quota": "1",
        "no_show_minutes": "15",
        "deal_sets": "0",
    }
    for seeding, expected in (("", "auto"), ("order", "order")):
        path = f"/clubs/{scene.club.slug}/tournaments/new/"
        response = boss.post(path, {**form, "name": f"Copa {expected}", "seeding": seeding})
        assert response.status_code == 302, response.content.decode()
        tournament = Tournament.objects.get(name=f"Copa {expected}")
        assert stage_of(tournament).rules.seeding == expected


def test_the_export_for_another_place_does_not_tell_the_next_seed() -> None:
    tournament = entered()
    assert stage_of(tournament).next_seed not in json.dumps(
        export_of(tournament.slug, SYSTEM).decode()
    )
