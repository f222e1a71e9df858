"""A tournament is created by picking a plan and its two or three numbers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.support import scenes
from tournaments.domain.plans import PLANS
from tournaments.models import AuditEvent, Tournament

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

pytestmark = pytest.mark.django_db

TERMS = {"confirmation": "on", "confirm_minutes": "2880", "bye_quota": "1", "no_show_minutes": "15"}
GAME = {"name": "Copa", "ruleset": "parejas-online", "length": "to", "hands": "3"}


@pytest.fixture
def organiser() -> Client:
    """The organiser of a club, signed in."""
    _club, users = scenes.open_club()
    client = Client()
    client.force_login(users["organiser"])
    return client


PATH = "/clubs/pena-la-sota/tournaments/new/"


def created(organiser: Client, **fields: str) -> Answer:
    return organiser.post(PATH, {**GAME, **TERMS, "plan": "liguilla", **fields})


@pytest.mark.parametrize("plan", PLANS)
def test_each_plan_as_it_is_offered_makes_a_tournament(plan: str, organiser: Client) -> None:
    form = organiser.get(PATH, {"plan": plan}).context["form"]
    initials = {field.name: field.initial for field in form if field.initial is not None}
    form_data = {
        name: "on" if value is True else value for name, value in initials.items() if value
    }
    if not form_data.get("ruleset"):
        form_data["ruleset"] = form.fields["ruleset"].choices[0][0]
    response = organiser.post(PATH, {**form_data, "name": "Copa", "bye_quota": "1", "plan": plan})
    assert response.status_code == 302, response.context["form"].errors
    tournament = Tournament.objects.get()
    formats = [stage["format"] for stage in PLANS[plan].stages({})]
    assert list(tournament.stages.order_by("number").values_list("format", flat=True)) == formats


def test_a_swiss_with_a_final_of_four_keeps_its_numbers(organiser: Client) -> None:
    response = created(organiser, plan="suizo_final", rounds="5", take="4", profile="tute_swiss")
    tournament = Tournament.objects.get()
    assert response["Location"] == reverse("entries", args=[tournament.slug])
    swiss, final = tournament.stages.order_by("number")
    assert (swiss.rules.rounds, final.rules.take, final.rules.third_place) == (5, 4, False)
    assert swiss.rules.order is not None
    assert swiss.rules.order[0] == "buchholz_cut1"


def test_the_outline_says_what_is_not_usual_of_days_and_of_the_final(organiser: Client) -> None:
    fields = {"plan": "grupos_final", "groups": "2", "take_of_each": "2", "final_length": "4"}
    page = created(organiser, expected="8", look="1", **fields).content.decode()
    assert "Una partida de la fase final: a 4 manos" in page
    assert "Los bandos no pueden acordar otro día por su cuenta." in page
    assert not Tournament.objects.exists()
    usual = created(organiser, expected="8", look="1", sides_agree_days="on").content.decode()
    assert "acordar otro día por su cuenta" not in usual


def test_what_is_agreed_for_the_day_is_kept(organiser: Client) -> None:
    created(organiser, confirmation="", confirm_minutes="720", bye_quota="0", no_show_minutes="20")
    tournament = Tournament.objects.get()
    assert (tournament.confirmation, tournament.confirm_minutes) == (False, 720)
    assert (tournament.bye_quota, tournament.no_show_minutes, tournament.self_check_in) == (
        0,
        20,
        False,
    )


def test_a_new_tournament_says_when_where_and_for_what(organiser: Client) -> None:
    fields = {"begins_at": "2027-04-23T17:30", "place": " Casino ", "prizes": "Jamón"}
    created(organiser, **fields)
    tournament = Tournament.objects.get()
    assert tournament.begins_at is not None
    assert timezone.localtime(tournament.begins_at).isoformat()[:16] == fields["begins_at"]
    assert (tournament.place, tournament.prizes) == ("Casino", "Jamón")
    facts = AuditEvent.objects.get(verb="tournament.created").facts
    assert facts["place"] == "Casino"
    assert facts["begins_at"].startswith("2027-04-23")
    page = organiser.get(f"/t/{tournament.slug}/").content.decode()
    assert "Casino" in page
    assert "Jamón" in page


def test_a_new_tournament_need_not_say_when_or_where(organiser: Client) -> None:
    created(organiser, begins_at="", place="", prizes="")
    tournament = Tournament.objects.get()
    assert (tournament.begins_at, tournament.place, tournament.prizes) == (None, "", "")
    assert not {"begins_at", "place"} & set(AuditEvent.objects.get(verb="tournament.created").facts)


@pytest.mark.parametrize(("plan", "minutes"), [("suizo", 10), ("escalera", 2880)])
def test_the_form_offers_minutes_for_an_evening_and_days_for_a_ladder(
    plan: str, minutes: int, organiser: Client
) -> None:
    form = organiser.get(PATH, {"plan": plan}).context["form"]
    assert form["confirm_minutes"].value() == minutes
    assert organiser.get(PATH, {"plan": plan, "confirm_minutes": "many"}).status_code == 200


def test_a_match_of_fixed_deals_is_one(organiser: Client) -> None:
    created(organiser, length="deals", hands="8")
    assert Tournament.objects.get().options == {"deals": 8}


def test_a_match_of_bots_can_be_deal_sets_that_a_test_ends_early(organiser: Client) -> None:
    test = {"stop_model": "points", "stop_low": "-5", "stop_high": "5", "stop_alpha": "0.02"}
    response = created(organiser, deal_sets="40", **test)
    assert response.status_code == 302, response.context["form"].errors
    tournament = Tournament.objects.get()
    bounds = {"low": -5.0, "high": 5.0, "alpha": 0.02, "beta": 0.05}
    assert (tournament.deal_sets, tournament.stop) == (40, {"model": "points", **bounds})


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"deal_sets": "501"}, "deal_sets"),
        ({"deal_sets": "4", "cotos": "2"}, "deal_sets"),
        ({"deal_sets": "4", "stop_model": "points", "stop_high": "5"}, "stop_low"),
        (
            {"deal_sets": "4", "stop_model": "points", "stop_low": "5", "stop_high": "5"},
            "stop_high",
        ),
        ({"stop_model": "points", "stop_low": "0", "stop_high": "5"}, "stop_high"),
    ],
)
def test_what_is_wrong_with_deal_sets_stands_beside_its_field(
    fields: dict[str, str], field: str, organiser: Client
) -> None:
    response = created(organiser, **fields)
    assert response.status_code == 422
    assert list(response.context["form"].errors) == [field]
    assert response.context["form"].has_set_errors
    assert not Tournament.objects.exists()


def test_where_no_sets_can_be_none_are_asked_for(organiser: Client) -> None:
    fields_by_plan = {
        plan: [field.name for field in organiser.get(PATH, {"plan": plan}).context["form"].sets]
        for plan in PLANS
    }
    assert fields_by_plan["individual"] == fields_by_plan["duplicado"] == []
    assert fields_by_plan["mesas_de_tres"] == ["deal_sets"]
    assert fields_by_plan["liguilla"] == [
        *("deal_sets", "stop_model", "stop_low"),
        *("stop_high", "stop_alpha", "stop_beta"),
    ]


def test_duplicate_deals_are_those_of_its_tables(organiser: Client) -> None:
    organiser.post(
        PATH,
        {**TERMS, "plan": "duplicado", "name": "Duplicado", "boards": "4"} | {"ruleset": "parejas"},
    )
    tournament = Tournament.objects.get()
    assert (tournament.options, tournament.stages.get().rules.deals) == ({"deals": 4}, 4)


def test_single_players_enter_where_partners_rotate(organiser: Client) -> None:
    created(organiser, plan="individual")
    assert Tournament.objects.get().unit == "player"


def test_only_rules_that_fit_the_tables_are_offered(organiser: Client) -> None:
    def offered(plan: str) -> list[str]:
        form = organiser.get(PATH, {"plan": plan}).context["form"]
        return [name for name, _ in form.fields["ruleset"].choices]

    assert offered("mesas_de_tres") == ["arrastrado"]
    assert offered("individual") == ["parejas", "parejas-online", "cuatro"]
    assert {"mano-a-mano", "habanero", "parejas"} <= set(offered("suizo"))
    assert "mano-a-mano" not in offered("duplicado"), "it has no fixed deals"


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"name": " "}, "name"),
        ({"hands": "0"}, "hands"),
        ({"hands": ""}, "hands"),
        ({"ruleset": "mano-a-mano", "length": "deals"}, "hands"),
        ({"ruleset": "arrastrado"}, "ruleset"),
        ({"plan": "suizo", "rounds": "501"}, "rounds"),
        ({"plan": "suizo", "profile": "mus_league"}, "profile"),
        ({"plan": "suizo_final", "take": "1"}, "take"),
        ({"plan": "grupos_final", "groups": "1", "take_of_each": "2"}, "groups"),
        ({"plan": "suizo_final", "take": "8", "expected": "6"}, "expected"),
        ({"no_show_minutes": "-1"}, "no_show_minutes"),
    ],
)
def test_a_bad_plan_is_refused_beside_its_field(
    fields: dict[str, str], field: str, organiser: Client
) -> None:
    response = created(organiser, **fields)
    assert response.status_code == 422
    assert list(response.context["form"].errors) == [field]
    assert not Tournament.objects.exists()


def test_one_sees_what_a_plan_comes_to_before_anything_is_made(organiser: Client) -> None:
    response = created(organiser, plan="suizo_final", take="8", expected="24", look="1")
    page = response.content.decode()
    assert "Juegan 24: suizo, 5 rondas." in page
    assert "Juegan 8: cuadro eliminatorio, 3 rondas." in page
    assert not Tournament.objects.exists()


def test_nobody_looks_at_a_plan_that_is_none(organiser: Client) -> None:
    assert organiser.get(PATH, {"plan": "ruleta"}).status_code == 422


@pytest.mark.parametrize(
    ("counted_by", "kept"),
    [
        ("matchpoints", {}),
        ("average", {"comparison": "average"}),
        ("victory", {"scoring": "victory"}),
    ],
)
def test_movement_and_scoring_of_a_duplicate_are_chosen_and_said(
    counted_by: str, kept: dict[str, str], organiser: Client
) -> None:
    fields = {
        **TERMS,
        "plan": "duplicado",
        "name": "Duplicado",
        "ruleset": "parejas",
        "boards": "3",
        "movement": "mitchell",
        "counted_by": counted_by,
        "expected": "17",
    }
    sentences = {
        "es": ("Movimiento Mitchell", "reparto da|Butler|victoria"),
        "en": ("Mitchell movement", "deal gives|Butler|victory points"),
        "de": ("Mitchell-Bewegung", "Blatt gibt|Butler|Siegpunkte"),
    }
    for language, (movement, scoring) in sentences.items():
        page = organiser.post(PATH, {**fields, "look": "1"}, headers={"Accept-Language": language})
        outline = (
            page.content.decode().partition('notice--note" role="status"')[2].partition("</div>")[0]
        )
        assert movement in outline
        assert re.search(scoring, outline, re.IGNORECASE)
    organiser.post(PATH, fields)
    stage = Tournament.objects.get().stages.get()
    settings = {name: stage.settings.get(name) for name in ("movement", "comparison", "scoring")}
    assert settings == {"movement": "mitchell", "comparison": None, "scoring": None, **kept}


def test_a_movement_left_open_and_match_points_are_in_no_file(organiser: Client) -> None:
    fields = {**TERMS, "plan": "duplicado", "name": "D", "ruleset": "parejas", "boards": "3"}
    organiser.post(PATH, {**fields, "movement": "auto", "counted_by": "matchpoints"})
    settings = Tournament.objects.get().stages.get().settings
    assert not {"movement", "comparison", "scoring"} & set(settings)
