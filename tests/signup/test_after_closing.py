"""After the list is closed: the own page until the day, who waits, and the end of the contacts."""

from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from tests.clubs import SYSTEM, play_out, the_round
from tests.signup.test_entries_and_tickets import regulars
from tests.signup.test_signing_up import a_posted
from tests.signup.test_signup_pages import desk, text_of
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.director.services.draws import draw
from tournaments.director.services.tournaments import publish_round
from tournaments.models import Result, Round, SignUp, SignUpRequest, Tournament
from tournaments.profiles.services.erasing import delete_expired
from tournaments.signup.queries.contacts import contacts_until
from tournaments.signup.services.closing import close_sign_up, keep_contacts

pytestmark = pytest.mark.django_db


def own(request: SignUpRequest) -> Client:
    client = Client(headers={"accept-language": "en"})
    code = {"code": request.code}
    client.post(f"/t/{request.signup.tournament.slug}/come/code/", code)
    return client


@pytest.mark.parametrize("in_days", [3, 0])
def test_the_own_page_shows_day_place_fee_and_partner_and_the_arrival_on_the_day(
    in_days: int,
) -> None:
    tournament = a_posted(fee_cents=1250)
    begins = timezone.localtime() + timedelta(days=in_days)
    Tournament.objects.update(begins_at=begins, place="Bar Central")
    (request,) = regulars(tournament, 1)
    close_sign_up(SYSTEM, tournament)
    page = text_of(own(request), f"/t/{tournament.slug}/table/")
    for text in (
        f"{begins:%H:%M}",
        "Bar Central",
        "12.50\u00a0€ · to be paid",
        "Ana Alba / Luis Alba",
    ):
        assert text in page
    assert ("We are here" in page) == (in_days == 0)
    assert ("On the day you say here that you have come." in page) == (in_days > 0)


def test_who_waits_reads_how_it_ended() -> None:
    tournament = a_posted(places=3)
    *_others, waiting = regulars(tournament, 4)
    client, at = own(waiting), f"/t/{tournament.slug}/sign-up/mine/"
    close_sign_up(SYSTEM, tournament)
    assert "The list is closed. You wait: number 1" in text_of(client, at)
    draw(SYSTEM, tournament)
    assert "you were not entered: no place fell free" in text_of(client, at)


def contacts() -> list[str]:
    return list(SignUpRequest.objects.order_by("ticket").values_list("contact", flat=True))


def until() -> datetime:
    return contacts_until(SignUp.objects.select_related("tournament").get())


def test_contacts_go_thirty_days_after_the_last_result_without_finish_and_are_kept_once() -> None:
    tournament = a_posted()
    regulars(tournament, 4)
    SignUpRequest.objects.update(contact="600 123 456")
    close_sign_up(SYSTEM, tournament)
    draw(SYSTEM, tournament)
    publish_round(SYSTEM, the_round(tournament, 1))
    play_out(the_round(tournament, 1))
    now = timezone.now()
    assert abs(until() - now - timedelta(days=30)) < timedelta(minutes=5)

    tournament.days.create(number=1, starts_at=now + timedelta(days=7))
    assert until() == now + timedelta(days=37)
    tournament.days.all().delete()

    ago = now - timedelta(days=31)
    Tournament.objects.update(created_at=ago)
    Round.objects.filter(published_at__isnull=False).update(published_at=ago)
    Result.objects.update(made_at=ago)
    client, at = desk(tournament), f"/t/{tournament.slug}/sign-ups/"
    assert "Telephones and e-mails are deleted on" in text_of(client, at)
    client.post(f"{at}keep-contacts/")
    assert until() == ago + timedelta(days=60)
    with refusal(Reason.CONTACTS_KEPT):
        keep_contacts(SYSTEM, tournament)
    delete_expired()
    assert contacts() == ["600 123 456"] * 4
    SignUp.objects.update(contacts_kept=False)
    delete_expired()
    assert contacts() == [""] * 4
    assert "are deleted on" not in text_of(client, at)
