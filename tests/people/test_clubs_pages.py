"""A club whose name is almost that of another is pointed at before it is made."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.support import scenes
from tournaments.models import Club

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff() -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(scenes.user_named("staff", is_staff=True))
    return client


@pytest.mark.parametrize("name", ["PEÑA LA SOTA", "Peña  La-Sota", "Peña La Sota.", "Pena la sota"])
def test_a_club_named_almost_like_another_is_pointed_at_once(
    scene: scenes.Scene, staff: Client, name: str
) -> None:
    assert scene.club.name == "Peña La Sota"
    form = {"name": name, "city": "Huesca", "form_key": "the same"}
    page = staff.post(reverse("new-club"), form)
    assert page.status_code == 409
    shown = page.content.decode()
    assert "There is a club with nearly the same name: Peña La Sota (Zaragoza)." in shown
    assert '<input type="checkbox" name="may_be_alike"' in shown
    assert Club.objects.count() == 1
    assert staff.post(reverse("new-club"), {**form, "may_be_alike": "on"}).status_code == 302
    assert Club.objects.count() == 2


def test_another_name_asks_nothing(scene: scenes.Scene, staff: Client) -> None:
    assert b'<input type="hidden" name="may_be_alike"' in staff.get(reverse("new-club")).content
    for name in ("Peña La Sota II", "♠♥", "♣♦"):
        assert staff.post(reverse("new-club"), {"name": name}).status_code == 302
    assert Club.objects.exclude(pk=scene.club.pk).count() == 3


def test_a_name_put_right_is_asked_about_unless_it_is_the_clubs_own(
    scene: scenes.Scene, staff: Client
) -> None:
    staff.post(reverse("new-club"), {"name": "Casino", "city": "Huesca"})
    path = reverse("rename-club", args=[scene.club.slug])
    organiser = Client()
    organiser.force_login(scene.users["organiser"])
    assert organiser.post(path, {"name": "casino."}).status_code == 409
    assert organiser.post(path, {"name": "Peña la Sota"}).status_code == 302
    scene.club.refresh_from_db()
    assert scene.club.name == "Peña la Sota"
