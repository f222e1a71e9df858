"""Accounts on the pages: signing in by two steps, links, sessions, roles, tokens."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from functools import partial
from io import StringIO
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from axes.models import AccessAttempt, AccessLog
from django.contrib.auth.hashers import get_hasher
from django.contrib.auth.models import User
from django.core import mail
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.results.test_concurrency import at_once
from tests.support import scenes
from tournaments.accounts.services.accounts import (
    begin_second_factor,
    confirm_second_factor,
    reset_path,
)
from tournaments.accounts.services.invitations import invite
from tournaments.accounts.tasks import send
from tournaments.accounts.templatetags import device_name
from tournaments.core import limits
from tournaments.core.limits import PASSWORDS, Capacity
from tournaments.core.permissions import Actor
from tournaments.domain.totp import code_of, step_at
from tournaments.models import (
    ApiToken,
    AuditEvent,
    Invitation,
    Mail,
    Membership,
    SecondFactor,
    SignIn,
)

if TYPE_CHECKING:
    from django.http import HttpResponse
    from pytest_django.fixtures import Settings

pytestmark = pytest.mark.django_db

NEW = "la espada corta el viento"


@pytest.fixture(autouse=True)
def nobody_guessed_before() -> None:
    cache.clear()


@pytest.fixture
def scene() -> scenes.Scene:
    return scenes.draft()


def code_now(user: User, steps: int = 0) -> str:
    secret = SecondFactor.objects.get(user=user).secret
    return code_of(secret, step_at(timezone.now().timestamp()) + steps)


def with_factor(user: User) -> tuple[str, ...]:
    begin_second_factor(Actor.for_user(user))
    return confirm_second_factor(Actor.for_user(user), code_now(user, -1), keep=None)


def give_password(client: Client, name: str, after: str = "") -> Any:
    form = {"username": name, "password": scenes.PASSWORD, "next": after}
    return client.post(reverse("login"), form)


def signed_in(name: str) -> Client:
    client = Client(headers={"User-Agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0"})
    give_password(client, name)
    return client


def is_in(client: Client) -> bool:
    return client.get(reverse("account")).status_code == 200


def text_of(response: HttpResponse | Any) -> str:
    page: str = response.content.decode()
    return page


def test_without_a_second_factor_the_password_is_enough(scene: scenes.Scene) -> None:
    client = Client()
    answer = give_password(client, "organiser", "/rules/")
    assert (answer.status_code, answer["Location"]) == (302, "/rules/")
    assert is_in(client)


@pytest.mark.parametrize("after", ["tournaments", "tournament"])  # no page, and the name of a view
def test_signing_in_leads_to_an_address_of_one_word_as_it_is(
    after: str, scene: scenes.Scene
) -> None:
    assert give_password(Client(), "organiser", after)["Location"] == after
    user, client = scene.users["arbiter"], Client()
    with_factor(user)
    client.force_login(user)
    assert client.get(f"{reverse('set-up-factor')}?next={after}")["Location"] == after
    client = Client()
    give_password(client, "arbiter", after)
    answer = client.post(reverse("second-step"), {"code": code_now(user)})
    assert (answer.status_code, answer["Location"]) == (302, after)


def test_one_who_is_signed_in_is_led_on_from_a_link_that_leads_back_to_sign_in(
    scene: scenes.Scene,
) -> None:
    client = signed_in("organiser")
    answer = client.get(f"{reverse('login')}?next={reverse('login')}")
    assert (answer.status_code, answer["Location"]) == (302, "/")


def test_with_one_the_password_alone_opens_nothing(scene: scenes.Scene) -> None:
    user = scene.users["organiser"]
    with_factor(user)
    client = Client()
    answer = give_password(client, "organiser", "/rules/")
    assert answer["Location"] == reverse("second-step")
    assert not is_in(client)
    wrong = client.post(reverse("second-step"), {"code": "000000"})
    assert wrong.status_code == 422
    assert not is_in(client)
    right = client.post(reverse("second-step"), {"code": code_now(user)})
    assert (right.status_code, right["Location"]) == (302, "/rules/")
    assert is_in(client)


def test_a_new_password_ends_the_second_step_begun_with_the_old_one(scene: scenes.Scene) -> None:
    user = scene.users["organiser"]
    with_factor(user)
    client = Client()
    give_password(client, "organiser")
    user.set_password(NEW)
    user.save()
    answer = client.post(reverse("second-step"), {"code": code_now(user)})
    assert answer["Location"] == reverse("login")
    assert not is_in(client)


def test_five_wrong_codes_close_the_second_step(scene: scenes.Scene) -> None:
    user = scene.users["organiser"]
    with_factor(user)
    client = Client()
    give_password(client, "organiser")
    responses = [client.post(reverse("second-step"), {"code": "000000"}) for _ in range(6)]
    assert [response.status_code for response in responses] == [422] * 5 + [429]
    assert client.post(reverse("second-step"), {"code": code_now(user)}).status_code == 429


PASSED_ON = {"X-Forwarded-For": "198.51.100.9, 203.0.113.7"}


@pytest.mark.parametrize("public", ["https://club.example", ""])
@pytest.mark.parametrize("peer", ["", "203.0.113.7"], ids=["socket", "tcp"])
@pytest.mark.parametrize(
    "headers",
    [{}, PASSED_ON, {"X-Forwarded-For": "unknown"}, {"X-Forwarded-For": "fe80::7%eth0"}],
    ids=["alone", "proxy", "nonsense", "zone"],
)
def test_after_five_wrong_passwords_even_the_right_one_waits(
    scene: scenes.Scene, settings: Settings, public: str, peer: str, headers: dict[str, str]
) -> None:
    """However the web server is reached: over a unix socket nobody has an address."""
    settings.ENVIRONMENT = replace(settings.ENVIRONMENT, public_url=public)
    client = Client(REMOTE_ADDR=peer, headers=headers)
    form = {"username": "organiser", "password": "la espada"}
    wrong = [client.post(reverse("login"), form).status_code for _ in range(5)]
    assert wrong == [200] * 4 + [429]
    assert give_password(client, "organiser").status_code == 429
    assert not is_in(client)
    assert give_password(client, "arbiter").status_code == 302


def test_signing_in_leaves_neither_address_nor_browser_with_what_counts_passwords(
    scene: scenes.Scene,
) -> None:
    assert is_in(signed_in("organiser"))
    assert SignIn.objects.get().user == scene.users["organiser"]
    assert not AccessLog.objects.exists()
    assert not AccessAttempt.objects.exists()


def test_who_comes_from_elsewhere_is_not_shut_out_with_the_guesser(
    scene: scenes.Scene, settings: Settings
) -> None:
    settings.ENVIRONMENT = replace(settings.ENVIRONMENT, public_url="https://club.example")
    guesser = Client(REMOTE_ADDR="", headers=PASSED_ON)
    for _ in range(5):
        guesser.post(reverse("login"), {"username": "organiser", "password": "la espada"})
    assert give_password(guesser, "organiser").status_code == 429
    elsewhere = {"X-Forwarded-For": "203.0.113.7, 198.51.100.9"}
    assert give_password(Client(REMOTE_ADDR="", headers=elsewhere), "organiser").status_code == 302


def test_wrong_passwords_are_counted_over_all_accounts_of_an_address(scene: scenes.Scene) -> None:
    """Four at each of nine accounts, so that no account is closed."""
    names = [scenes.user_named(f"guest{n}").username for n in range(9)]
    guesses = [{"username": name, "password": "la espada"} for name in names for _ in range(4)]
    answers = [Client().post(reverse("login"), guess).status_code for guess in guesses]
    assert answers == [200] * PASSWORDS.address + [429] * (36 - PASSWORDS.address)
    assert give_password(Client(), "organiser").status_code == 429
    assert give_password(Client(REMOTE_ADDR="203.0.113.7"), "organiser").status_code == 302


def test_a_visitor_with_many_addresses_of_one_provider_counts_as_one(scene: scenes.Scene) -> None:
    form = {"username": "nobody", "password": "la espada"}
    answers = [
        Client(REMOTE_ADDR=f"2001:db8:1:2::{n:x}").post(reverse("login"), form).status_code
        for n in range(1, 6)
    ]
    assert answers == [200] * 4 + [429]


def test_only_one_password_is_hashed_at_once_and_who_finds_a_crowd_is_asked_to_come_back(
    scene: scenes.Scene, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.PASSWORD_HASHERS = ["tournaments.core.limits.BoundedArgon2PasswordHasher"]
    monkeypatch.setattr("tournaments.core.limits.HASH_CAPACITY", Capacity(at_once=1, queue_size=0))
    form = {"username": "organiser", "password": scenes.PASSWORD}
    with limits.HASH_CAPACITY.slot():
        response = Client().post(reverse("login"), form)
    assert response.status_code == 503
    assert "Demasiada gente lo pide" in text_of(response)
    assert get_hasher("default").verify("siete", get_hasher("default").encode("siete", "x" * 16))


def test_a_recovery_code_stands_in_for_the_phone(scene: scenes.Scene) -> None:
    codes = with_factor(scene.users["organiser"])
    client = Client()
    give_password(client, "organiser")
    assert client.post(reverse("second-step"), {"code": codes[0]}).status_code == 302
    assert is_in(client)


def test_where_it_is_required_an_organiser_sets_it_up_before_anything_else(
    scene: scenes.Scene, settings: Settings
) -> None:
    settings.SECOND_FACTOR_REQUIRED = True
    client = Client()
    target = reverse("new-tournament", args=[scene.club.slug])
    answer = give_password(client, "organiser", target)
    set_up = reverse("set-up-factor")
    assert answer["Location"].startswith(f"{set_up}?next=")
    assert client.get(target)["Location"].startswith(f"{set_up}?next=")
    page = client.get(answer["Location"])
    assert "data:image/svg+xml" in text_of(page)
    user = scene.users["organiser"]
    response = client.post(set_up, {"code": code_now(user), "next": target})
    assert len(re.findall(r"<li><code>[a-z2-9-]{11}</code>", text_of(response))) == 10
    assert f'href="{target}"' in text_of(response)
    assert client.get(target).status_code == 200
    assert SecondFactor.objects.get(user=user).secret.hex() not in text_of(response)


def test_an_arbiter_is_not_asked_for_one(scene: scenes.Scene, settings: Settings) -> None:
    settings.SECOND_FACTOR_REQUIRED = True
    assert give_password(Client(), "arbiter", "/rules/")["Location"] == "/rules/"


def test_the_admin_is_behind_the_same_door(scene: scenes.Scene, settings: Settings) -> None:
    boss = scenes.user_named("boss", is_staff=True, is_superuser=True)
    assert Client().get("/admin/", follow=True).redirect_chain[-1][0].startswith("/accounts/login/")
    settings.SECOND_FACTOR_REQUIRED = True
    client = Client()
    client.force_login(boss)
    assert client.get("/admin/", follow=True).redirect_chain[-1][0] == reverse("set-up-factor")
    with_factor(boss)
    client.force_login(User.objects.get(pk=boss.pk))
    assert client.get("/admin/").status_code == 200
    outsider = signed_in("outsider")
    assert outsider.get("/admin/", follow=True).status_code == 403


def test_sessions_are_listed_and_ended(scene: scenes.Scene) -> None:
    client, other_client, third = (signed_in("organiser") for _ in range(3))
    page = text_of(client.get(reverse("account")))
    assert page.count("Firefox en Linux</strong>") == 3
    assert "127.0.0.0" in page
    assert "127.0.0.1" not in page
    row = SignIn.objects.get(session_key=other_client.session.session_key)
    client.post(reverse("end-sign-in", args=[row.pk]))
    assert (is_in(client), is_in(other_client), is_in(third)) == (True, False, True)
    client.post(reverse("end-other-sign-ins"))
    assert (is_in(client), is_in(third)) == (True, False)


def test_a_session_from_before_is_listed_as_soon_as_it_is_used(scene: scenes.Scene) -> None:
    client = Client()
    client.force_login(scene.users["player"])
    assert not SignIn.objects.exists()
    client.get("/")
    assert SignIn.objects.get().user == scene.users["player"]
    client.get("/")
    assert SignIn.objects.count() == 1


def test_another_password_ends_the_other_sessions(scene: scenes.Scene) -> None:
    client, other_client = signed_in("organiser"), signed_in("organiser")
    form = {"password": scenes.PASSWORD, "new": NEW, "again": "otra cosa distinta"}
    assert client.post(reverse("change-password"), form).status_code == 422
    response = client.post(reverse("change-password"), {**form, "again": NEW})
    assert response.status_code == 302
    assert (is_in(client), is_in(other_client)) == (True, False)
    assert [row.session_key for row in SignIn.objects.all()] == [client.session.session_key]


def deliver_all() -> None:
    """Do what a worker does with the mails that wait."""
    for pk in Mail.objects.values_list("pk", flat=True):
        send(pk)


def test_one_who_types_wrong_passwords_has_to_wait(scene: scenes.Scene) -> None:
    client = signed_in("organiser")
    form = {"password": "cinco", "new": NEW, "again": NEW}
    answers = [client.post(reverse("change-password"), form).status_code for _ in range(11)]
    assert answers == [422] * 10 + [429]


def test_an_address_is_confirmed_by_the_link_that_was_sent(scene: scenes.Scene) -> None:
    client = signed_in("organiser")
    form = {"password": scenes.PASSWORD, "email": "olga@example.org"}
    response = client.post(reverse("change-address"), form, follow=True)
    assert "no envía correo" in text_of(response)
    assert mail.outbox == []
    deliver_all()
    link = re.search(r"http://testserver(/accounts/email/\S+/)", str(mail.outbox[0].body))
    assert link
    assert "olga@example.org" in text_of(client.get(link[1]))
    assert User.objects.get(username="organiser").email == ""
    client.post(link[1])
    assert User.objects.get(username="organiser").email == "olga@example.org"
    assert "Este enlace ya no vale" in text_of(client.get(link[1]))


def test_a_forgotten_password_is_set_by_the_link_and_ends_all_sessions(
    scene: scenes.Scene,
) -> None:
    User.objects.filter(username="organiser").update(email="olga@example.org")
    other_client = signed_in("organiser")
    client = Client()
    for email in ("nobody@example.org", "olga@example.org"):
        response = client.post(reverse("forgotten-password"), {"email": email})
        assert response["Location"] == reverse("reset-sent")
    assert mail.outbox == []
    deliver_all()
    assert len(mail.outbox) == 1
    link = re.search(r"http://testserver(/accounts/new/\S+/)", str(mail.outbox[0].body))
    assert link
    form = client.get(link[1])["Location"]
    passwords = {"new_password1": NEW, "new_password2": NEW}
    assert client.post(form, passwords)["Location"] == reverse("login")
    assert User.objects.get(username="organiser").check_password(NEW)
    assert not is_in(other_client)
    assert not is_in(client)
    assert not SignIn.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_link_for_a_password_works_once_of_several_times_at_once(scene: scenes.Scene) -> None:
    link = reverse("new-password", args=reset_path(scene.users["organiser"]))
    clients = [Client() for _ in range(3)]
    forms = [client.get(link)["Location"] for client in clients]
    passwords = [f"{NEW} {number}" for number in range(3)]
    answers = at_once(
        *(
            partial(client.post, form, {"new_password1": password, "new_password2": password})
            for client, form, password in zip(clients, forms, passwords, strict=True)
        )
    )
    assert sum("Este enlace ya no vale" in text_of(answer) for answer in answers) == 2
    assert AuditEvent.objects.filter(verb="member.password_changed").count() == 1


def test_one_who_asks_for_links_again_and_again_has_to_wait() -> None:
    path, form = reverse("forgotten-password"), {"email": "nobody@example.org"}
    answers = [Client().post(path, form).status_code for _ in range(21)]
    assert answers == [302] * 20 + [429]


def test_a_wrong_code_counts_although_its_minute_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    minutes = itertools.count(60, 60)
    monkeypatch.setattr("tournaments.core.limits.time", SimpleNamespace(time=minutes.__next__))
    assert Client().post(reverse("forgotten-password"), {"email": "a@b.es"}).status_code == 302


def link_in(answer: Any) -> str:
    pattern_match = re.search(r"http://testserver(/invitations/[^<\s]+)", text_of(answer))
    assert pattern_match
    return pattern_match[1]


def test_a_link_is_made_shown_once_and_accepted_by_a_new_account(scene: scenes.Scene) -> None:
    boss = signed_in("organiser")
    path = reverse("members", args=[scene.club.slug])
    response = boss.post(path, {"role": "arbiter", "note": "Para Ana", "days": 7, "uses": 1})
    assert response.status_code == 201
    link = link_in(response)
    assert "data:image/svg+xml" in text_of(response)
    text = text_of(boss.get(path))
    assert "Para Ana" in text
    assert link not in text
    guest = Client()
    page_text = text_of(guest.get(link))
    assert scene.club.name in page_text
    assert "organiser te invita" in page_text
    form = {"username": "ana", "chosen": NEW, "again": NEW, "email": f"ana@{'ñ' * 60}.es"}
    assert guest.post(link, form).status_code == 422
    assert not User.objects.filter(username="ana").exists()
    answer = guest.post(link, {**form, "email": "ana@example.org"})
    assert answer["Location"] == reverse("club", args=[scene.club.slug])
    assert is_in(guest)
    assert Membership.objects.get(user__username="ana").role == "arbiter"
    deliver_all()
    assert mail.outbox[0].to == ["ana@example.org"]
    dead = Client().get(link)
    assert dead.status_code == 404
    assert "Esta invitación ya no vale" in text_of(dead)


def test_a_player_is_invited_as_themselves(scene: scenes.Scene) -> None:
    boss = signed_in("organiser")
    player = scene.club.players.get(code="J02")
    path = reverse("members", args=[scene.club.slug])
    form = {"role": "player", "days": 7, "uses": 1}
    assert boss.post(path, form).status_code == 422
    link = link_in(boss.post(path, {**form, "player": player.pk}))
    guest = signed_in("outsider")
    assert player.name in text_of(guest.get(link))
    guest.post(link)
    player.refresh_from_db()
    assert player.user == scene.users["outsider"]


def test_an_open_invitation_is_taken_back(scene: scenes.Scene) -> None:
    row, text = invite(scene.organiser, scene.club, "arbiter")
    boss = signed_in("organiser")
    boss.post(reverse("revoke-invitation", args=[scene.club.slug, row.key]))
    assert Invitation.objects.get().revoked_at
    assert Client().get(reverse("invitation", args=[text])).status_code == 404


def test_one_who_was_removed_does_not_come_back_by_their_own_invitation(
    scene: scenes.Scene,
) -> None:
    boss, other, slug = signed_in("organiser"), signed_in("arbiter"), scene.club.slug
    member = scene.users["arbiter"]
    boss.post(reverse("change-role", args=[slug, member.pk]), {"role": "organiser"})
    form = {"role": "organiser", "days": 90, "uses": 5}
    link = link_in(other.post(reverse("members", args=[slug]), form))
    boss.post(reverse("remove-member", args=[slug, member.pk]))
    for answer in (other.get(link), other.post(link), Client().get(link)):
        assert answer.status_code == 409
        assert "ya no puede invitar a nadie" in text_of(answer)
    assert not Membership.objects.filter(user=member).exists()


def test_an_organiser_changes_roles_and_takes_them_away(scene: scenes.Scene) -> None:
    boss, arbiter = signed_in("organiser"), scene.users["arbiter"]
    slug = scene.club.slug
    own_path = reverse("remove-member", args=[slug, scene.users["organiser"].pk])
    assert boss.post(own_path).status_code == 409
    boss.post(reverse("change-role", args=[slug, arbiter.pk]), {"role": "organiser"})
    assert Membership.objects.get(user=arbiter).role == "organiser"
    boss.post(reverse("remove-member", args=[slug, arbiter.pk]))
    assert not Membership.objects.filter(user=arbiter).exists()
    assert boss.get(reverse("change-role", args=[slug, arbiter.pk])).status_code == 404


def test_a_token_is_made_shown_once_and_taken_back(scene: scenes.Scene) -> None:
    boss = signed_in("organiser")
    path = reverse("tokens", args=[scene.club.slug])
    response = boss.post(path, {"name": "Marcador", "scopes": ["games:submit"], "days": 30})
    pattern_match = re.search(r"baza_[0-9a-f]{16}_[\w-]{43}", text_of(response))
    assert pattern_match
    text = text_of(boss.get(path))
    assert "sin usar" in text
    assert pattern_match[0] not in text
    token = ApiToken.objects.get()
    assert token.expires_at
    assert (token.expires_at - token.created_at).days in {29, 30}
    address = reverse("revoke-token", args=[scene.club.slug, token.pk])
    assert address in text
    assert "un token anulado no vuelve a valer" in text_of(boss.get(address))
    assert ApiToken.objects.get().revoked_at is None
    boss.post(address)
    assert "ya no vale" in text_of(boss.get(path))
    assert "El token ya se había retirado" in text_of(boss.get(address))


def test_the_staff_make_accounts_links_and_take_factors_away(scene: scenes.Scene) -> None:
    out = StringIO()
    call_command("add_account", "carmen", stdout=out)
    path = out.getvalue().strip()
    assert Client().get(path).status_code == 302
    with pytest.raises(CommandError, match="name_taken"):
        call_command("add_account", "Carmen")
    with pytest.raises(CommandError, match="no user"):
        call_command("reset_link", "nadie")
    out = StringIO()
    call_command("reset_link", "carmen", stdout=out)
    assert out.getvalue().startswith("/accounts/new/")
    user = scene.users["organiser"]
    with_factor(user)
    call_command("reset_second_factor", "organiser", stdout=StringIO())
    assert not SecondFactor.objects.exists()


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        ("Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile Safari/537.36", "Chrome en Android"),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge en Windows"),
        ("Mozilla/5.0 (iPhone; CPU like Mac OS X) Version/18 Safari/604.1", "Safari en iPhone"),
        ("curl/8", "Un navegador desconocido"),
    ],
)
def test_a_browser_is_named_as_people_name_it(agent: str, name: str) -> None:
    assert device_name(agent) == name
