"""The pages about bots: who is there, what a check said, what went wrong, what an author does."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.clubs import (
    SYSTEM,
    a_bot_liguilla,
    a_club,
    a_draft,
    arbiter,
    link_player,
    organiser,
    stranger,
    the_match,
    the_round,
    user,
)
from tests.people.test_bots_brought import FIRST_STEPS, no_sandbox
from tournaments.arena.services.dispatch import play_round
from tournaments.arena.services.playing import play_match
from tournaments.core.permissions import Actor, may_change_bot, may_manage, may_run_bots
from tournaments.director.services.draws import draw
from tournaments.director.services.entries import enter_newcomers
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import create_tournament, publish_round
from tournaments.models import ApiToken, Bot, BotForfeit, BotTurn, BotVersion, Club, Match
from tournaments.people.services.bots import register_bot, retire, submit_bot
from tournaments.people.services.clubs import import_players

if TYPE_CHECKING:
    from pytest_django.fixtures import Settings

pytestmark = pytest.mark.django_db

LINE = {
    "number": 1,
    "check": {"en": "it starts", "es": "arranca"},
    "state": "ok",
    "code": "",
    "message": {"en": "", "es": ""},
    "required": True,
}
FELL = {
    **LINE,
    "number": 2,
    "check": {"en": "it ends after bye", "es": "termina cuando se le despide"},
    "state": "failed",
    "code": "hang",
    "message": {"en": "it was still there", "es": "seguía ahí"},
}
ADVICE = {
    **LINE,
    "number": 3,
    "check": {"en": "it sends its name", "es": "dice su nombre"},
    "state": "advice",
    "message": {"en": "it has no name", "es": "no dice su nombre al empezar"},
    "required": False,
}


@pytest.fixture
def club() -> Club:
    return a_club()


@pytest.fixture
def version(club: Club) -> BotVersion:
    return submit_bot(
        organiser(club), club, name="Ensayo", language="python", source=FIRST_STEPS, about="Prueba."
    )


def browser(actor: Actor | None = None) -> Client:
    client = Client(headers={"accept-language": "es"})
    if actor is not None and actor.user is not None:
        client.force_login(actor.user)
    return client


def text_of(client: Client, path: str, status: int = 200) -> str:
    response = client.get(path)
    assert response.status_code == status
    return " ".join(response.content.decode().split())


def checked(version: BotVersion, state: str, *lines: dict[str, Any], of: int = 48) -> None:
    report = {"of": of, "lines": list(lines)}
    BotVersion.objects.filter(pk=version.pk).update(state=state, report=report)


def a_forfeit(match: Match, bot: Bot, **more: Any) -> BotForfeit:
    facts = {"said": "1o", "legal": ["2o", "3o"], "place": "home", "index": 0}
    evidence = {"reply": '{"id":3,"say":"1o"}', "legal": "2o 3o", "play": "7o 4o"}
    return BotForfeit.objects.create(
        **{
            "match": match,
            "bot": bot,
            "hand": 2,
            "seat": "A",
            "code": "illegal_play",
            "facts": facts,
            "stderr": "Traceback: secreto",
            **evidence,
            **more,
        }
    )


# --- All of them ----------------------------------------------------------------------------------


def test_the_list_shows_every_bot_with_its_kind_and_its_state(version: BotVersion) -> None:
    page = text_of(browser(), "/bots/")
    assert "Azar" in page
    assert "juega al azar" in page
    assert 'href="/bots/ensayo/"' in page
    assert "En prueba" in page
    assert page.count(">bot</span>") == Bot.objects.count()


def test_the_list_is_cut_down_to_a_kind_and_a_club(version: BotVersion, club: Club) -> None:
    assert "Azar" not in text_of(browser(), "/bots/?group=program")
    assert "Ensayo" not in text_of(browser(), "/bots/?group=house")
    assert "Azar" not in text_of(browser(), f"/bots/?club={club.slug}")
    text_of(browser(), "/bots/?group=robots", 404)
    text_of(browser(), "/bots/?club=nowhere", 404)


def test_an_empty_list_says_how_a_bot_is_brought(club: Club) -> None:
    page = text_of(browser(arbiter(club)), f"/bots/?club={club.slug}")
    assert "Todavía no hay bots" in page
    assert f'href="/clubs/{club.slug}/bots/new/"' in page
    assert "/bots/new/" not in text_of(browser(stranger()), f"/bots/?club={club.slug}")


# --- One of them ----------------------------------------------------------------------------------


def test_a_version_that_is_checked_shows_how_far_it_is_and_asks_again(version: BotVersion) -> None:
    page = text_of(browser(), "/bots/ensayo/")
    assert "Espera su prueba." in page
    assert 'hx-get="/bots/ensayo/board/?seen=checking0"' in page
    checked(version, "checking", LINE)
    assert browser().get("/bots/ensayo/board/?seen=checking1").status_code == 204
    board = text_of(browser(), "/bots/ensayo/board/?seen=checking0")
    assert "1/48" in board
    assert "<html" not in board
    checked(version, "ready", LINE, of=1)
    assert browser().get("/bots/ensayo/board/?seen=checking1")["HX-Refresh"] == "true"
    assert "hx-get" not in text_of(browser(), "/bots/ensayo/")


def test_the_report_is_shown_line_by_line_in_both_languages(version: BotVersion) -> None:
    checked(version, "refused", LINE, FELL, ADVICE, of=3)
    page = text_of(browser(), "/bots/ensayo/")
    assert "termina cuando se le despide: <strong>Sin respuesta a tiempo</strong>" in page
    assert "seguía ahí" in page
    assert "El informe, 3 de 3 pruebas" in page
    english = browser().get("/bots/ensayo/", headers={"accept-language": "en"}).content.decode()
    assert "it ends after bye" in english
    assert "it was still there" in english


def test_what_a_refused_bot_wrote_is_shown_its_standard_error_to_its_author_alone(
    version: BotVersion, club: Club
) -> None:
    checked(version, "refused", FELL)
    output = {str(FELL["number"]): {"reply": "hola", "stderr": "SyntaxError: secreto"}}
    BotVersion.objects.update(report={"of": 48, "lines": [FELL], "output": output})
    own_page, others = (
        text_of(browser(organiser(club)), "/bots/ensayo/"),
        text_of(browser(), "/bots/ensayo/"),
    )
    assert "SyntaxError: secreto" in own_page
    assert "hola" in others
    assert "secreto" not in others
    (line,) = browser().get("/api/v1/bots/ensayo/versions/1/").json()["report"]
    assert (line["reply"], line["stderr"]) == ("hola", "")


def test_a_version_that_is_ready_shows_its_author_what_could_be_better(
    version: BotVersion,
) -> None:
    checked(version, "ready", LINE, ADVICE, of=2)
    page = text_of(browser(), "/bots/ensayo/")
    assert "Puede jugar. Para su autor:" in page
    assert "dice su nombre – no dice su nombre al empezar" in page


def test_a_check_that_the_machine_broke_off_blames_the_machine(
    version: BotVersion, club: Club
) -> None:
    BotVersion.objects.update(check_tries=3, check_fault="no Landlock")
    page = text_of(browser(organiser(club)), "/bots/ensayo/")
    assert "La culpa fue de la máquina, no del bot: <code>no Landlock</code>" in page
    assert "hx-get" not in page
    response = browser(organiser(club)).post("/bots/ensayo/versions/1/check/", follow=True)
    assert "Se probará otra vez." in response.content.decode()


def test_every_forfeit_is_reported_with_its_evidence_and_stderr_to_the_author_alone(
    club: Club,
) -> None:
    tournament = a_bot_liguilla(club)
    match = the_match(tournament, 1, 1)
    bot = register_bot(organiser(club), club, name="De lejos", kind="remote")
    a_forfeit(match, bot, unplayed=2)
    page = text_of(browser(), "/bots/de-lejos/")
    assert "Jugada ilegal" in page
    assert "respondió &#x27;1o&#x27;, y lo permitido era 2o 3o" in page
    assert f'href="/matches/{match.pk}/"' in page
    assert "7o 4o" in page
    assert "y 2 sin jugar" in page
    assert "3 manos" in page
    assert "secreto" not in page
    assert "secreto" in text_of(browser(organiser(club)), "/bots/de-lejos/")


def test_matches_and_rounds_show_publicly_where_a_bot_forfeited(club: Club) -> None:
    tournament = a_bot_liguilla(club)
    match = the_match(tournament, 1, 1)
    plain = text_of(browser(), f"/t/{tournament.slug}/rounds/1/")
    assert "perdida por un bot" not in plain
    a_forfeit(match, Bot.objects.get(slug="azar"), code="crash", facts={"ending": "code 3"})
    assert "1 mano perdida por un bot" in text_of(browser(), f"/t/{tournament.slug}/rounds/1/")
    page = text_of(browser(), f"/matches/{match.pk}/")
    assert "Manos perdidas por incumplimiento" in page
    assert "terminó en mitad de la partida (código de salida 3)" in page
    assert "secreto" not in page
    assert "/css/bots" in page, "which lays out the list"
    other = the_match(tournament, 1, 2)
    assert "Manos perdidas por incumplimiento" not in text_of(browser(), f"/matches/{other.pk}/")


def test_a_benched_bot_says_why_and_is_put_back_by_who_may(club: Club) -> None:
    tournament = a_bot_liguilla(club)
    match = the_match(tournament, 1, 1)
    register_bot(organiser(club), club, name="De lejos", kind="remote")
    reason = {
        "tournament": tournament.slug,
        "round": 1,
        "table": 1,
        "match": match.pk,
        "code": "hang",
    }
    Bot.objects.filter(slug="de-lejos").update(benched_at="2026-01-01T00:00Z", benched_for=reason)
    page = text_of(browser(), "/bots/de-lejos/")
    assert "En el banquillo desde" in page
    assert f'<a href="/matches/{match.pk}/">Ronda 1, mesa 1</a>: Sin respuesta a tiempo.' in page
    assert "Que vuelva" not in page
    assert "Que vuelva" in text_of(browser(organiser(club)), "/bots/de-lejos/")
    browser(organiser(club)).post("/bots/de-lejos/unbench/")
    assert Bot.objects.get(slug="de-lejos").benched_at is None


# --- Bringing -------------------------------------------------------------------------------------


def test_a_program_is_pasted(club: Club) -> None:
    pasted = FIRST_STEPS.replace("\n", "\r\n")  # as browsers send it
    fields = {"name": "Primeros pasos", "kind": "program", "language": "python", "text": pasted}
    response = browser(arbiter(club)).post(f"/clubs/{club.slug}/bots/new/", fields)
    assert (response.status_code, response["Location"]) == (302, "/bots/primeros-pasos/")
    assert BotVersion.objects.get().source == FIRST_STEPS


def test_a_program_is_handed_in_as_a_file_and_then_another_version(club: Club) -> None:
    actor = browser(organiser(club))
    file = SimpleUploadedFile("bot.pl", b"print 1;\n")
    fields = {"name": "Lowest", "kind": "program", "language": "perl", "file": file}
    assert actor.post(f"/clubs/{club.slug}/bots/new/", fields).status_code == 302
    page = text_of(actor, "/bots/lowest/versions/new/")
    assert '<option value="perl" selected>' in page
    fields = {"language": "perl", "text": "print 2;"}
    response = actor.post("/bots/lowest/versions/new/", fields, follow=True)
    assert "Ya está la versión 2." in response.content.decode()


def test_a_bot_that_runs_elsewhere_needs_no_text(club: Club) -> None:
    fields = {"name": "De lejos", "kind": "remote", "language": "python", "about": "En casa."}
    response = browser(organiser(club)).post(f"/clubs/{club.slug}/bots/new/", fields, follow=True)
    page = response.content.decode()
    assert "recoge sus turnos por la API" in page
    assert "En casa." in page
    assert not BotVersion.objects.exists()


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"text": ""}, "Pega el texto o elige su archivo."),
        ({"text": "x" * (256 * 1024 + 1)}, "pasa de 262144 bytes"),
        ({"file": SimpleUploadedFile("b.py", b"\xff\xfe")}, "no es UTF-8"),
        ({"text": "print()", "name": ""}, 'aria-invalid="true"'),
    ],
    ids=["nothing", "large", "binary", "nameless"],
)
def test_what_is_refused_is_reported_beside_what_was_filled_in(
    club: Club, fields: dict[str, Any], words: str
) -> None:
    filled = {"name": "Malo", "kind": "program", "language": "python", **fields}
    response = browser(organiser(club)).post(f"/clubs/{club.slug}/bots/new/", filled)
    assert response.status_code == 422
    assert words in response.content.decode()
    assert not Bot.objects.filter(club=club).exists()


def test_without_a_sandbox_the_page_says_why_nothing_is_taken(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_sandbox(monkeypatch)
    fields = {"name": "Ensayo", "kind": "program", "language": "python", "text": "print()"}
    response = browser(organiser(club)).post(f"/clubs/{club.slug}/bots/new/", fields)
    assert response.status_code == 409
    assert "the kernel has no Landlock" in response.content.decode()


def test_the_tournament_offers_only_bots_that_can_play(version: BotVersion, club: Club) -> None:
    path = f"/t/{a_draft(club).slug}/entries/"
    assert "Ensayo" not in text_of(browser(organiser(club)), path)
    checked(version, "ready", LINE)
    assert "Ensayo" in text_of(browser(organiser(club)), path)


def test_a_retired_bot_has_no_buttons(version: BotVersion, club: Club) -> None:
    actor = browser(organiser(club))
    assert actor.post("/bots/ensayo/retire/").status_code == 302
    page = text_of(actor, "/bots/ensayo/")
    assert "Retirado" in page
    assert "Traer una versión" not in page


# --- Connecting a bot that runs elsewhere ---------------------------------------------------------


def a_player(club: Club) -> Actor:
    import_players(SYSTEM, club, "id,nombre\nJ01,Pilar Otal\n")
    link_player(SYSTEM, club.players.get(code="J01"), user("pilar"))
    return Actor.for_user(user("pilar"))


def bring_remote_bot(author: Actor, club: Club) -> str:
    """Bring a remote bot over the page; returns the path of its page."""
    fields = {"name": "De lejos", "kind": "remote", "language": "python"}
    response = browser(author).post(f"/clubs/{club.slug}/bots/new/", fields)
    return str(response["Location"])


def test_a_player_connects_a_bot_and_it_answers_its_turn(club: Club) -> None:
    author = a_player(club)
    path = bring_remote_bot(author, club)
    assert f'href="{path}connect/"' in text_of(browser(author), path)
    response = browser(author).post(f"{path}connect/")
    assert response.status_code == 201
    (token,) = set(re.findall(r"baza_[0-9a-f]{16}_[\w-]{43}", response.content.decode()))

    bot = Bot.objects.get(name="De lejos")
    question = begun_by(club, bot)
    headers = {"authorization": f"Bearer {token}", "accept-language": "en"}
    turns = f"/api/v1/bots/{bot.slug}/turns/"
    program = Client(headers=headers)
    (turn,) = program.get(turns).json()["turns"]
    ready = {"type": "ready", "protocol": "baza-bot/1"}
    second_response = program.post(f"{turns}{turn['id']}/", ready, content_type="application/json")
    assert (second_response.status_code, second_response.json()["failure"]) == (200, "")
    play_match(question.pk)
    assert BotTurn.objects.filter(bot=bot).count() == 2

    row = ApiToken.objects.get()
    take_back = f"/clubs/{club.slug}/tokens/{row.pk}/revoke/?bot={bot.slug}"
    assert f'href="{take_back}"' in text_of(browser(author), f"{path}connect/")
    assert f'href="{path}connect/"' in text_of(browser(author), take_back), "not now"
    assert browser(author).get(f"{take_back}-2").status_code == 404
    assert browser(author).post(take_back)["Location"] == f"{path}connect/"
    assert program.get(turns).status_code == 401


def test_an_author_who_has_left_the_club_acts_for_its_bot_no_more(club: Club) -> None:
    author = a_player(club)
    path = bring_remote_bot(author, club)
    page = browser(author).post(f"{path}connect/").content.decode()
    (token,) = set(re.findall(r"baza_[0-9a-f]{16}_[\w-]{43}", page))
    turns = f"/api/v1/bots/{Bot.objects.get(name='De lejos').slug}/turns/"
    program = Client(headers={"authorization": f"Bearer {token}"})
    assert program.get(turns).status_code == 200
    club.players.update(user=None)
    assert program.get(turns).status_code == 404
    assert browser(author).post(f"{path}connect/").status_code == 403
    assert "connect/" not in text_of(browser(author), path)


def begun_by(club: Club, bot: Bot) -> Match:
    """A match of a bot and one of the house, which waits for the bot's first word."""
    tournament = create_tournament(
        SYSTEM, club, "Liga lejana", NewTournament(GameSettings(options={"to": 1}))
    )
    enter_newcomers(SYSTEM, tournament, [bot, Bot.objects.get(slug="sencillo")])
    draw(SYSTEM, tournament)
    publish_round(SYSTEM, the_round(tournament, 1))
    play_round(SYSTEM, the_round(tournament, 1))
    match = the_match(tournament, 1, 1)
    play_match(match.pk)
    return match


def test_the_token_of_a_bot_runs_no_other_bots_and_organises_nothing(club: Club) -> None:
    author = a_player(club)
    path = bring_remote_bot(author, club)
    browser(author).post(f"{path}connect/")
    row = ApiToken.objects.select_related("user", "club").get()
    program = Actor.from_token(row)
    assert row.scopes == ["bots:run"]
    assert not may_run_bots(program, club)
    other = register_bot(organiser(club), club, name="Otro", kind=Bot.Kind.REMOTE)
    assert not may_change_bot(program, other)
    assert not may_manage(program, club)


def test_nobody_else_connects_a_bot_and_a_program_needs_no_token(club: Club) -> None:
    path = bring_remote_bot(a_player(club), club)
    assert browser().get(f"{path}connect/").status_code == 302
    for other in (stranger(), arbiter(club), organiser(club)):
        assert browser(other).get(f"{path}connect/").status_code == 403
        assert browser(other).post(f"{path}connect/").status_code == 403
    own_bot = register_bot(organiser(club), club, name="Azar", kind=Bot.Kind.RANDOM)
    Bot.objects.filter(pk=own_bot.pk).update(owner=user("olga"))
    assert browser(organiser(club)).post(f"/bots/{own_bot.slug}/connect/").status_code == 404
    assert not ApiToken.objects.exists()


def test_a_retired_bot_gets_no_token(club: Club) -> None:
    author = a_player(club)
    path = bring_remote_bot(author, club)
    retire(author, Bot.objects.get(name="De lejos"))
    assert browser(author).post(f"{path}connect/").status_code == 409
    assert "connect/" not in text_of(browser(author), path)


def test_an_organiser_without_the_second_factor_connects_none(
    club: Club, settings: Settings
) -> None:
    path = bring_remote_bot(organiser(club), club)
    settings.SECOND_FACTOR_REQUIRED = True
    response = browser(organiser(club)).post(f"{path}connect/")
    assert response.status_code == 302
    assert not ApiToken.objects.exists()
