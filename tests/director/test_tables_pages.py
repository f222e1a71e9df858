"""Tables of three to five on the pages of an organiser: the plan of a new tournament."""

import pytest

from tests.clubs import a_club, organiser
from tests.results.test_typed_places import browser
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def test_the_wizard_asks_how_many_sit_at_a_table_and_what_a_place_is_worth() -> None:
    club = a_club()
    boss = browser(organiser(club))
    page = f"/clubs/{club.slug}/tournaments/new/?plan=mesas"
    form = {
        "plan": "mesas",
        "name": "Fiestas",
        "ruleset": "cuatro",
        "length": "deals",
        "hands": "12",
        "rounds": "5",
        "table_size": "4",
        "other_size": "5",
        "seated_by": "standing",
        "points_by_size": "3 1 -1 -3\n4, 2, 0, −2, −4",
        "table_forfeit": "-4",
        "confirm_minutes": "10",
        "bye_quota": "1",
        "no_show_minutes": "15",
    }
    assert boss.get(page).context["form"].fields["ruleset"].choices[0][0] == "arrastrado"
    refused = boss.post(page, form)
    assert refused.status_code == 422
    assert refused.context["form"].errors.keys() == {"typed_only"}
    wrong = boss.post(page, {**form, "points_by_size": "3 1"})
    assert wrong.context["form"].errors.keys() == {"points_by_size"}
    played = {**form, "ruleset": "arrastrado", "other_size": "4", "hands": "6"}
    assert boss.post(page, played).context["form"].errors.keys() == {"hands"}
    assert boss.post(page, {**form, "typed_only": "on"}).status_code == 302
    assert Tournament.objects.get().stages.get().settings == {
        "rounds": 5,
        "other_size": 5,
        "seated_by": "standing",
        "points_by_size": [[3, 1, -1, -3], [4, 2, 0, -2, -4]],
        "typed_only": True,
        "places": "played",
        "seeding": "auto",
        "scale": {"bye": 0, "forfeit_loss": -4},
    }
