"""Another secret key: nobody is locked out while the old one is given."""

from __future__ import annotations

import time
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.core import signing
from django.core.management import call_command
from django.test import Client, override_settings
from django.utils import timezone

from tests.clubs import SYSTEM, a_club, organiser, stranger, the_liguilla, user
from tests.support.refusals import refusal
from tournaments.accounts.services import accounts
from tournaments.accounts.services.accounts import (
    begin_second_factor,
    check_second_factor,
    confirm_second_factor,
)
from tournaments.accounts.services.invitations import (
    find_invitation,
    invite,
    issue_token,
)
from tournaments.core import keys
from tournaments.core.api.requests import authenticate_token
from tournaments.core.errors import Reason
from tournaments.core.permissions import Actor
from tournaments.domain import totp
from tournaments.live.queries.feed import sequence_of, token_of
from tournaments.models import ApiToken, Club, RecoveryCode, SecondFactor, Webhook
from tournaments.models.webhooks import derive_secret
from tournaments.operations.services.rekeying import reseal_second_factors
from tournaments.webhooks.services.deliveries import is_same_key, signing_secrets
from tournaments.webhooks.services.webhooks import add_webhook, change_secret, secret_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.contrib.auth.models import User

pytestmark = pytest.mark.django_db

OLD = settings.SECRET_KEY
NEW, NEWER = "new-" + "n" * 60, "newer-" + "m" * 60


@contextmanager
def keyed(key: str, *old: str) -> Iterator[None]:
    """Run under a key, with older ones beside it."""
    with override_settings(SECRET_KEY=key, SECRET_KEY_FALLBACKS=list(old)):
        yield


@pytest.fixture
def club() -> Club:
    return a_club()


def code_of(factor: SecondFactor) -> str:
    """What the app of a factor shows now."""
    return totp.code_of(factor.secret, totp.step_at(time.time()))


def with_factor(name: str) -> tuple[User, SecondFactor, tuple[str, ...]]:
    """A user with an app; its first code is used."""
    account = user(name)
    factor = begin_second_factor(Actor.for_user(account))
    codes = confirm_second_factor(Actor.for_user(account), code_of(factor), keep=None)
    SecondFactor.objects.update(last_step=0)
    return account, SecondFactor.objects.get(user=account), codes


def test_a_token_from_before_is_good_and_moves_when_it_is_used(club: Club) -> None:
    _token, text = issue_token(organiser(club), club, user("olga"), name="tablet", scopes=[])
    _token, idle = issue_token(organiser(club), club, user("olga"), name="idle", scopes=[])
    with keyed(NEW, OLD):
        assert authenticate_token(text).user == user("olga")
    with keyed(NEW):
        assert authenticate_token(text).user == user("olga")
        with refusal(Reason.BAD_TOKEN):
            authenticate_token(idle)


def test_a_token_used_under_the_old_key_alone_is_not_good_under_another(club: Club) -> None:
    _token, text = issue_token(organiser(club), club, user("olga"), name="tablet", scopes=[])
    with keyed(NEW), refusal(Reason.BAD_TOKEN):
        authenticate_token(text)
    with keyed(NEW, NEWER), refusal(Reason.BAD_TOKEN):
        authenticate_token(text)


def test_an_app_from_before_opens_and_is_moved_for_the_time_after() -> None:
    actor, factor, _codes = with_factor("olga")
    secret = factor.secret
    with keyed(NEW, OLD):
        check_second_factor(actor, code_of(factor))
        key_use = reseal_second_factors()
        assert (key_use.moved, key_use.kept, key_use.lost) == (1, 0, 0)
        key_use = reseal_second_factors()
        assert (key_use.moved, key_use.kept, key_use.lost) == (0, 1, 0)
    with keyed(NEW):
        factor.refresh_from_db()
        assert factor.secret == secret
        SecondFactor.objects.update(last_step=0)
        check_second_factor(actor, code_of(factor))
    with keyed(NEWER, NEW):
        assert reseal_second_factors().moved == 1
    with keyed(NEWER):
        factor.refresh_from_db()
        assert factor.secret == secret
        assert secret.hex() not in factor.seed


def unseal_as_an_earlier_release() -> SecondFactor:
    """Give the only factor a secret that follows from a plain seed and the present key."""
    SecondFactor.objects.update(seed="ab" * 32)
    return SecondFactor.objects.get()


def test_an_app_of_an_earlier_release_is_moved_and_opens() -> None:
    actor, _factor, _codes = with_factor("olga")
    code = code_of(unseal_as_an_earlier_release())
    with keyed(NEW, OLD):
        assert reseal_second_factors().moved == 1
    with keyed(NEW):
        check_second_factor(actor, code)


def test_an_app_of_an_earlier_release_opens_whichever_of_several_old_keys_it_needs() -> None:
    with keyed(NEW):
        actor, _factor, codes = with_factor("olga")
        code = code_of(unseal_as_an_earlier_release())
    with keyed(NEWER, NEW, OLD):
        key_use = reseal_second_factors()
        assert (key_use.unknown, key_use.moved, key_use.lost) == (1, 0, 0)
        check_second_factor(actor, codes[0])
        check_second_factor(actor, code)
        assert reseal_second_factors().kept == 1
    with keyed(NEWER):
        SecondFactor.objects.update(last_step=0)
        check_second_factor(actor, code_of(SecondFactor.objects.get()))
        with refusal(Reason.WRONG_ONE_TIME_CODE):
            check_second_factor(actor, codes[1])


def test_an_app_set_up_with_one_key_opens_when_an_older_key_is_given_too() -> None:
    with keyed(NEW):
        actor, factor, _codes = with_factor("olga")
        code = code_of(factor)
    with keyed(NEWER, NEW, OLD):
        assert reseal_second_factors().moved == 1
    with keyed(NEWER):
        check_second_factor(actor, code)


def test_an_app_set_up_while_the_key_is_changed_rests_on_the_new_one() -> None:
    with keyed(NEW, OLD):
        actor, factor, _codes = with_factor("olga")
        secret = factor.secret
    with keyed(NEW):
        factor.refresh_from_db()
        assert factor.secret == secret
        check_second_factor(actor, code_of(factor))


def test_without_its_key_an_app_opens_nothing_and_says_so() -> None:
    with keyed(NEW, OLD):
        actor, factor, _codes = with_factor("olga")
        code = code_of(factor)
    assert SecondFactor.objects.get().secret == b""
    with refusal(Reason.WRONG_ONE_TIME_CODE):
        check_second_factor(actor, code)
    assert reseal_second_factors().lost == 1


def test_an_app_that_was_only_begun_under_a_key_that_is_gone_gets_another_secret() -> None:
    account = user("olga")
    with keyed(NEW, OLD):
        before = begin_second_factor(Actor.for_user(account)).secret
    after = begin_second_factor(Actor.for_user(account)).secret
    assert len(after) == 20
    assert after != before


def test_a_recovery_code_from_before_opens_once() -> None:
    actor, _factor, codes = with_factor("olga")
    with keyed(NEW, OLD):
        check_second_factor(actor, codes[0])
        with refusal(Reason.WRONG_ONE_TIME_CODE):
            check_second_factor(actor, codes[0])
    assert RecoveryCode.objects.filter(used_at__isnull=False).count() == 1


def test_an_invitation_and_a_link_from_before_are_good(club: Club) -> None:
    _invitation, text = invite(organiser(club), club, "arbiter")
    guest = user("ana")
    proof = accounts.store_unconfirmed_address(guest, "ana@example.org")
    with keyed(NEW, OLD):
        assert find_invitation(text).role == "arbiter"
        assert accounts.address_of_link(proof).user == guest
    with keyed(NEW), refusal(Reason.NOT_FOUND):
        find_invitation(text)


def test_a_person_stays_signed_in(client: Client) -> None:
    client.force_login(user("olga"))
    with keyed(NEW, OLD):
        assert client.get("/accounts/").status_code == 200
    with keyed(NEW):
        assert client.get("/accounts/").status_code == 200
    with keyed(NEWER):
        assert client.get("/accounts/").status_code == 302


def test_a_webhook_signs_with_the_secret_that_was_shown_until_it_gets_another(club: Club) -> None:
    webhook = add_webhook(SYSTEM, club, url="https://club.example/hook")
    text, secret = secret_text(webhook), derive_secret(webhook.salt)
    with keyed(NEW, OLD):
        assert is_same_key(webhook)
        assert secret_text(webhook) == text
        assert signing_secrets(webhook) == (secret,)
        assert reseal_second_factors().webhooks == ((club.slug, "club.example"),)
        webhook = change_secret(SYSTEM, webhook)
        assert secret in signing_secrets(webhook)
        assert signing_secrets(webhook)[0] == derive_secret(webhook.salt, NEW)
        assert reseal_second_factors().webhooks == ()
    with keyed(NEW):
        assert is_same_key(Webhook.objects.get())


def test_who_follows_goes_on_from_a_token_of_before() -> None:
    night = the_liguilla(published=1)
    token = token_of(night.pk, 7)
    with keyed(NEW, OLD):
        assert sequence_of(night.pk, token) == 7
        assert token_of(night.pk, 7) != token
    with keyed(NEW):
        assert sequence_of(night.pk, token) is None


def test_what_still_needs_the_old_key_is_reported(
    club: Club, capsys: pytest.CaptureFixture[str]
) -> None:
    with_factor("olga")
    add_webhook(SYSTEM, club, url="https://club.example/hook")
    issue_token(organiser(club), club, user("olga"), name="idle", scopes=[])
    used, _text = issue_token(organiser(club), club, user("olga"), name="used", scopes=[])
    ApiToken.objects.filter(pk=used.pk).update(last_used_at=timezone.now() - timedelta(days=1))
    invitation, _text = invite(organiser(club), club, "arbiter", days=9)
    with keyed(NEW, OLD):
        call_command("change_key")
    assert capsys.readouterr().out.splitlines() == [
        "second factors: 1 moved, 0 on the present key",
        f"webhook of {club.slug} to club.example: needs a new secret, on its page",
        "tokens not used for 30 days, which may need the old key: 1",
        f"open invitations may need the old key until {invitation.expires_at:%Y-%m-%d}",
    ]


def test_with_one_key_there_is_nothing_to_move() -> None:
    with_factor("olga")
    seed = SecondFactor.objects.get().seed
    key_use = reseal_second_factors()
    assert (key_use.moved, key_use.kept, key_use.webhooks, key_use.invitations) == (0, 1, (), None)
    assert SecondFactor.objects.get().seed == seed


def test_what_is_sealed_differs_each_time_and_opens_with_its_key_and_its_purpose() -> None:
    ciphertext, other = keys.seal("a", b"x" * 20), keys.seal("a", b"x" * 20)
    assert ciphertext != other
    assert len(keys.seal("a", b"x" * 32)) <= (SecondFactor._meta.get_field("seed").max_length or 0)
    assert keys.unseal("a", ciphertext) == (b"x" * 20, OLD)
    assert keys.unseal("b", ciphertext) is None
    with keyed(NEW):
        assert keys.unseal("a", ciphertext) is None
    with pytest.raises(signing.BadSignature):
        signing.loads(ciphertext)


def test_nobody_else_is_let_in() -> None:
    assert stranger().user is not None
    with keyed(NEW, OLD), refusal(Reason.BAD_TOKEN):
        authenticate_token("baza_" + "0" * 16 + "_" + "x" * 43)
