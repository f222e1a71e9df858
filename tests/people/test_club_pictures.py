"""A club's logo and photograph are read within bounds and kept without what a camera adds."""

from __future__ import annotations

from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from PIL import Image

from tests.support import scenes
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.core.permissions import Actor
from tournaments.models import AuditEvent, ClubPicture
from tournaments.people.services import pictures

pytestmark = pytest.mark.django_db

GPS, ORIENTATION = 0x8825, 0x0112
SIDEWAYS = 6  # of the orientations of EXIF: to be turned by a quarter


def a_file(kind: str = "JPEG", size: tuple[int, int] = (600, 300), colours: int = 1) -> bytes:
    """The bytes of a picture; of more than one colour it does not become small by itself."""
    image = Image.effect_noise(size, 90) if colours > 1 else Image.new("RGB", size, "#a03020")
    exif = Image.Exif()
    exif[ORIENTATION] = SIDEWAYS
    exif.get_ifd(GPS)[1] = "N"
    file = BytesIO()
    image.save(file, kind, exif=exif)
    return file.getvalue()


def test_a_photograph_is_upright_small_and_says_no_place(scene: scenes.Scene) -> None:
    data = a_file(size=(3000, 1500), colours=2)
    assert Image.open(BytesIO(data)).getexif().get_ifd(GPS)
    picture = pictures.set_picture(scene.organiser, scene.club, "photo", data)
    stored = Image.open(BytesIO(picture.content))
    width, height = stored.size
    assert (stored.format, height <= 1600) == ("WEBP", True)
    assert height == pytest.approx(2 * width, abs=2)
    assert not stored.getexif()
    assert len(picture.content) <= pictures.MAX_STORED


@pytest.mark.parametrize(
    "data",
    [
        b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
        b"GIF89a<script>alert(1)</script>",
        a_file()[:400],
        b"",
        a_file("PNG", (5001, 5000)),
        a_file() + bytes(pictures.MAX_FILE),
    ],
    ids=["svg", "script", "cut off", "empty", "too many pixels", "too many bytes"],
)
def test_what_is_no_picture_within_bounds_is_refused(scene: scenes.Scene, data: bytes) -> None:
    with refusal(Reason.BAD_PICTURE):
        pictures.set_picture(scene.organiser, scene.club, "logo", data)


def test_pictures_are_shown_on_the_club_s_page_and_its_posters_and_go_again(
    scene: scenes.Scene,
) -> None:
    club, organiser = scene.club, Client(headers={"accept-language": "en"})
    organiser.force_login(scene.users["organiser"])
    pages = [reverse("club", args=[club.slug]), reverse("poster", args=[scene.tournament.slug])]
    for kind in ClubPicture.Kind.values:
        path = reverse("set-picture", args=[club.slug, kind])
        file = SimpleUploadedFile("foto.jpg", a_file())
        assert "are saved" in organiser.post(path, {"file": file}, follow=True).text
    address = reverse("club-picture", args=[club.slug, "logo"])
    assert all(f'src="{address}?v=' in Client().get(page).text for page in pages)
    assert Client().get(address)["Content-Type"] == "image/webp"
    shared = Image.open(BytesIO(Client().get(f"{pages[1]}card.png").content))
    red, green, blue = shared.getpixel((1100, 100))  # type: ignore[misc]  # of RGB
    assert red > 2 * max(green, blue), "the photograph, not the green head"
    wrong = organiser.post(
        reverse("set-picture", args=[club.slug, "logo"]),
        {"file": SimpleUploadedFile("a.svg", b"<svg/>")},
    )
    assert (wrong.status_code, "JPEG, PNG or WebP" in wrong.text) == (422, True)
    organiser.post(reverse("set-picture", args=[club.slug, "logo"]))
    assert Client().get(address).status_code == 404
    verbs = AuditEvent.objects.filter(verb__startswith="club.picture").order_by("pk")
    kept = [(event.verb, event.facts["kind"]) for event in verbs]
    assert kept[2:] == [("club.picture_removed", "logo")]


def test_pictures_are_the_organisers_matter(scene: scenes.Scene) -> None:
    with refusal(Reason.FORBIDDEN):
        arbiter = Actor.for_user(scene.users["arbiter"])
        pictures.set_picture(arbiter, scene.club, "logo", a_file())
