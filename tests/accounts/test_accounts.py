"""Accounts: passwords, addresses, second factors, and where a user is signed in."""

import re
from datetime import timedelta
from functools import partial

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.core import signing
from django.utils import timezone
from pytest_django.fixtures import Settings

from tests.clubs import NOBODY, SYSTEM, a_club, organiser, program, user
from tests.results.test_concurrency import at_once
from tests.support.refusals import refusal
from tournaments.accounts.services import accounts
from tournaments.accounts.services.accounts import (
    end_sign_in,
    end_sign_ins,
    note_sign_in,
    truncate_address,
)
from tournaments.accounts.services.invitations import issue_token
from tournaments.core.api.requests import authenticate_token
from tournaments.core.errors import Reason
from tournaments.core.permissions import (
    Actor,
    club_rights,
    is_blocked_without_second_factor,
    may_act_as_staff,
    may_administer,
)
from tournaments.domain.totp import code_of, step_at
from tournaments.models import ApiToken, AuditEvent, Club, RecoveryCode, SecondFactor, SignIn
from tournaments.people.services.clubs import create_club

pytestmark = pytest.mark.django_db

OLD = "as de oros y tres"
NEW = "la espada corta el viento"


@pytest.fixture
def club() -> Club:
    return a_club()


@pytest.fixture
def olga(club: Club) -> Actor:
    """An organiser with a password."""
    boss = organiser(club)
    assert boss.user
    boss.user.set_password(OLD)
    boss.user.save()
    return boss


def user_of(actor: Actor) -> User:
    assert actor.user
    return actor.user


def signed_in(account: User) -> str:
    """Open a session as a browser does, and return its key."""
    session = SessionStore()
    session["_auth_user_id"] = str(account.pk)
    session.save()
    assert session.session_key
    note_sign_in(account, session.session_key, agent="Firefox", address="192.168.7.9")
    return session.session_key


def code_now(account: User, steps: int = 0) -> str:
    secret = SecondFactor.objects.get(user=account).secret
    return code_of(secret, step_at(timezone.now().timestamp()) + steps)


def set_up(actor: Actor) -> tuple[str, ...]:
    accounts.begin_second_factor(actor)
    return accounts.confirm_second_factor(actor, code_now(user_of(actor), -1), keep=None)


def verbs(club: Club) -> list[str]:
    return list(AuditEvent.objects.filter(club=club).values_list("verb", flat=True))


def test_a_password_is_changed_by_one_who_knows_it_and_ends_the_other_sessions(
    olga: Actor, club: Club
) -> None:
    kept_key, other_key = signed_in(user_of(olga)), signed_in(user_of(olga))
    with refusal(Reason.WRONG_PASSWORD):
        accounts.change_password(olga, "cinco", NEW, keep=kept_key)
    with refusal(Reason.BAD_PASSWORD):
        accounts.change_password(olga, OLD, "olga", keep=kept_key)
    accounts.change_password(olga, OLD, NEW, keep=kept_key)
    assert User.objects.get(pk=user_of(olga).pk).check_password(NEW)
    assert SessionStore(kept_key).exists(kept_key)
    assert not SessionStore(other_key).exists(other_key)
    assert [row.session_key for row in SignIn.objects.all()] == [kept_key]
    assert verbs(club)[-1] == "member.password_changed"


@pytest.mark.django_db(transaction=True)
def test_of_two_new_passwords_at_once_the_second_is_asked_for_the_first(olga: Actor) -> None:
    first, second = (Actor.for_user(User.objects.get(pk=user_of(olga).pk)) for _ in range(2))
    answers = at_once(
        lambda: accounts.change_password(first, OLD, NEW, keep=None),
        lambda: accounts.change_password(second, OLD, f"{NEW} y seca", keep=None),
    )
    assert answers.count("wrong_password") == 1


@pytest.mark.django_db(transaction=True)
def test_new_codes_made_twice_at_once_are_ten(olga: Actor) -> None:
    codes = set_up(olga)
    at_once(
        lambda: accounts.renew_recovery_codes(olga, OLD, codes[0]),
        lambda: accounts.renew_recovery_codes(olga, OLD, codes[1]),
    )
    assert RecoveryCode.objects.count() == accounts.RECOVERY_CODE_COUNT


def test_a_program_does_not_change_its_owners_account(club: Club) -> None:
    with refusal(Reason.FORBIDDEN):
        accounts.change_password(program(club, "tournaments:manage"), OLD, NEW, keep=None)
    with refusal(Reason.SIGN_IN):
        accounts.begin_second_factor(NOBODY)


def test_an_address_counts_once_its_link_was_followed(olga: Actor) -> None:
    proof = accounts.request_address_change(olga, OLD, " Olga@Example.ORG ")
    assert User.objects.get(pk=user_of(olga).pk).email == ""
    accounts.confirm_address(proof)
    assert User.objects.get(pk=user_of(olga).pk).email == "Olga@example.org"
    with refusal(Reason.NOT_FOUND):
        accounts.confirm_address(proof)


def test_a_link_for_an_address_dies_of_age_of_change_and_of_another_hand(olga: Actor) -> None:
    first = accounts.request_address_change(olga, OLD, "uno@example.org")
    accounts.request_address_change(olga, OLD, "dos@example.org")
    forged = signing.dumps({"user": user_of(olga).pk, "email": "dos@example.org"}, salt="other")
    for proof in (first, forged, "", "x" * 900):
        with refusal(Reason.NOT_FOUND):
            accounts.confirm_address(proof)


def test_a_new_password_ends_a_change_of_the_address(olga: Actor) -> None:
    for renew in (
        lambda: accounts.change_password(olga, OLD, NEW, keep=None),
        lambda: accounts.reset_password(user("olga"), accounts.reset_path(user("olga"))[1], OLD),
    ):
        proof = accounts.store_unconfirmed_address(user_of(olga), "otra@example.org")
        renew()
        with refusal(Reason.NOT_FOUND):
            accounts.confirm_address(proof)


def test_two_accounts_do_not_share_an_address(olga: Actor) -> None:
    User.objects.create_user("berta", email="berta@example.org")
    proof = accounts.request_address_change(olga, OLD, "BERTA@example.org")
    with refusal(Reason.ADDRESS_TAKEN):
        accounts.confirm_address(proof)


@pytest.mark.django_db(transaction=True)
def test_of_two_accounts_that_confirm_an_address_at_once_one_gets_it(olga: Actor) -> None:
    both = [user_of(olga), user("berta")]
    address = "la.misma@example.org"
    proofs = [accounts.store_unconfirmed_address(one, address) for one in both]
    answers = at_once(*(partial(accounts.confirm_address, proof) for proof in proofs))
    assert answers.count("address_taken") == 1
    assert User.objects.filter(email=address).count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_names_that_differ_in_case_alone_one_is_made_at_once() -> None:
    names = ("ana", "Ana", "ANA", "aNa")
    answers = at_once(*(partial(accounts.create_account, name, None) for name in names))
    assert answers.count("name_taken") == 3
    assert User.objects.filter(username__iexact="ana").count() == 1


@pytest.mark.parametrize(
    "address",
    ["berta", "", f"{'a' * 250}@example.org", f"ana@{'ñ' * 60}.es", "ana@e\u0301\u202e.org"],
)
def test_what_no_mail_can_be_sent_to_is_no_address(olga: Actor, address: str) -> None:
    with refusal(Reason.BAD_ADDRESS):
        accounts.request_address_change(olga, OLD, address)


def test_an_address_may_have_the_letters_of_its_country(olga: Actor) -> None:
    accounts.confirm_address(accounts.request_address_change(olga, OLD, "ana@españa.es"))
    assert User.objects.get(pk=user_of(olga).pk).email == "ana@españa.es"


def test_an_app_counts_from_its_first_code_on(olga: Actor, club: Club) -> None:
    accounts.begin_second_factor(olga)
    assert not accounts.has_second_factor(user_of(olga))
    with refusal(Reason.WRONG_ONE_TIME_CODE):
        accounts.confirm_second_factor(olga, "000 000", keep=None)
    kept_key, other_key = signed_in(user_of(olga)), signed_in(user_of(olga))
    codes = accounts.confirm_second_factor(olga, code_now(user_of(olga)), keep=kept_key)
    assert len(set(codes)) == accounts.RECOVERY_CODE_COUNT
    assert all(re.fullmatch(r"[a-z2-9]{5}-[a-z2-9]{5}", code) for code in codes)
    assert accounts.has_second_factor(user_of(olga))
    assert (SessionStore().exists(kept_key), SessionStore().exists(other_key)) == (True, False)
    assert verbs(club)[-1] == "member.second_factor_set"
    with refusal(Reason.NOT_FOUND):
        accounts.begin_second_factor(olga)


def test_a_code_is_good_once(olga: Actor) -> None:
    set_up(olga)
    code = code_now(user_of(olga))
    accounts.check_second_factor(user_of(olga), f" {code[:3]} {code[3:]} ")
    with refusal(Reason.WRONG_ONE_TIME_CODE):
        accounts.check_second_factor(user_of(olga), code)


def test_a_recovery_code_is_good_once_and_is_reported_in_the_history(
    olga: Actor, club: Club
) -> None:
    codes = set_up(olga)
    accounts.check_second_factor(user_of(olga), codes[3].upper())
    assert verbs(club)[-1] == "member.recovery_code_used"
    with refusal(Reason.WRONG_ONE_TIME_CODE):
        accounts.check_second_factor(user_of(olga), codes[3])
    assert RecoveryCode.objects.filter(used_at=None).count() == accounts.RECOVERY_CODE_COUNT - 1


def test_five_wrong_codes_close_it_for_a_quarter_of_an_hour(olga: Actor) -> None:
    set_up(olga)
    for _ in range(accounts.MAX_FAILURES):
        with refusal(Reason.WRONG_ONE_TIME_CODE):
            accounts.check_second_factor(user_of(olga), "000000")
    with refusal(Reason.ONE_TIME_CODES_CLOSED):
        accounts.check_second_factor(user_of(olga), code_now(user_of(olga)))
    SecondFactor.objects.update(closed_until=timezone.now() - timedelta(seconds=1))
    accounts.check_second_factor(user_of(olga), code_now(user_of(olga)))
    assert SecondFactor.objects.get().failures == 0


def test_an_app_that_was_never_confirmed_opens_nothing(olga: Actor) -> None:
    accounts.begin_second_factor(olga)
    with refusal(Reason.WRONG_ONE_TIME_CODE):
        accounts.check_second_factor(user_of(olga), code_now(user_of(olga)))


def test_neither_secret_nor_codes_stand_in_the_rows(olga: Actor) -> None:
    codes = set_up(olga)
    rows = f"{list(SecondFactor.objects.values())} {list(RecoveryCode.objects.values())}"
    assert SecondFactor.objects.get().secret.hex() not in rows
    assert not any(code.replace("-", "") in rows for code in codes)


def test_new_codes_make_the_old_ones_worthless(olga: Actor) -> None:
    with refusal(Reason.NOT_FOUND):
        accounts.renew_recovery_codes(olga, OLD, "000000")
    old = set_up(olga)
    with refusal(Reason.WRONG_PASSWORD):
        accounts.renew_recovery_codes(olga, "cinco", code_now(user_of(olga)))
    with refusal(Reason.WRONG_ONE_TIME_CODE):
        accounts.renew_recovery_codes(olga, OLD, "000000")
    new = accounts.renew_recovery_codes(olga, OLD, code_now(user_of(olga)))
    with refusal(Reason.WRONG_ONE_TIME_CODE):
        accounts.check_second_factor(user_of(olga), old[0])
    accounts.check_second_factor(user_of(olga), new[0])


def test_a_factor_is_removed_by_password_and_code_or_by_the_service(
    olga: Actor, club: Club
) -> None:
    set_up(olga)
    with refusal(Reason.WRONG_PASSWORD):
        accounts.remove_second_factor(olga, "cinco", code_now(user_of(olga)))
    accounts.remove_second_factor(olga, OLD, code_now(user_of(olga)))
    assert not accounts.has_second_factor(user_of(olga))
    with refusal(Reason.NOT_FOUND):
        accounts.remove_second_factor(olga, OLD, "000000")
    codes = set_up(olga)
    accounts.remove_second_factor(olga, OLD, codes[0])
    set_up(olga)
    session_key = signed_in(user_of(olga))
    with refusal(Reason.FORBIDDEN):
        accounts.reset_second_factor(olga, user_of(olga))
    accounts.reset_second_factor(SYSTEM, user_of(olga))
    assert not SessionStore().exists(session_key)
    assert verbs(club).count("member.second_factor_removed") == 3


def test_five_guesses_at_a_removal_close_the_second_factor(olga: Actor) -> None:
    set_up(olga)
    for _ in range(accounts.MAX_FAILURES):
        with refusal(Reason.WRONG_ONE_TIME_CODE):
            accounts.remove_second_factor(olga, OLD, "000000")
    with refusal(Reason.ONE_TIME_CODES_CLOSED):
        accounts.remove_second_factor(olga, OLD, code_now(user_of(olga)))
    assert accounts.has_second_factor(user_of(olga))


def test_a_user_name_of_letters_without_ink_is_refused() -> None:
    with refusal(Reason.BAD_USERNAME):
        accounts.create_account("\u3164\u3164", OLD)


def test_where_it_is_required_an_organiser_without_it_administers_nothing(
    olga: Actor, club: Club, settings: Settings
) -> None:
    assert may_administer(olga, club)
    settings.SECOND_FACTOR_REQUIRED = True
    assert is_blocked_without_second_factor(olga)
    may = club_rights(olga, club)
    assert (may.administer, may.manage, may.run_bots) == (False, False, False)
    assert may.arbitrate
    with refusal(Reason.SECOND_FACTOR):
        issue_token(olga, club, user_of(olga), name="x", scopes=[])
    set_up(olga)
    actor = Actor.for_user(User.objects.get(pk=user_of(olga).pk))
    assert may_administer(actor, club)
    assert not is_blocked_without_second_factor(actor)


def test_staff_found_no_club_without_it_where_it_is_required(settings: Settings) -> None:
    boss = user("fundadora")
    boss.is_staff = True
    settings.SECOND_FACTOR_REQUIRED = True
    assert not may_act_as_staff(Actor.for_user(boss))
    with refusal(Reason.SECOND_FACTOR):
        create_club(Actor.for_user(boss), name="Uno")


def test_programs_arbiters_and_strangers_are_not_asked_for_one(
    club: Club, settings: Settings
) -> None:
    settings.SECOND_FACTOR_REQUIRED = True
    assert club_rights(program(club, "tournaments:manage"), club).manage
    assert not is_blocked_without_second_factor(Actor.for_user(user("ana")))
    assert not is_blocked_without_second_factor(SYSTEM)


def test_of_an_address_the_last_part_is_not_kept() -> None:
    assert truncate_address("192.168.7.9") == "192.168.7.0"
    assert truncate_address("2001:db8:1:2::9") == "2001:db8:1::"
    assert truncate_address("unix:") == ""


def test_a_session_is_ended_by_its_owner_alone(olga: Actor) -> None:
    key = signed_in(user_of(olga))
    row = SignIn.objects.get(session_key=key)
    with refusal(Reason.NOT_FOUND):
        end_sign_in(Actor.for_user(user("ana")), row.pk)
    end_sign_in(olga, row.pk)
    assert not SessionStore().exists(key)
    with refusal(Reason.NOT_FOUND):
        end_sign_in(olga, row.pk)


def test_all_sessions_but_one_end_and_dead_ones_are_forgotten(olga: Actor) -> None:
    keys = [signed_in(user_of(olga)) for _ in range(3)]
    assert end_sign_ins(user_of(olga), keep=keys[1]) == 2
    assert [SessionStore().exists(key) for key in keys] == [False, True, False]
    SessionStore(keys[1]).delete()
    last = signed_in(user_of(olga))
    assert [row.session_key for row in SignIn.objects.all()] == [last]


def test_a_token_ends_after_its_days(club: Club) -> None:
    row, text = issue_token(SYSTEM, club, user("olga"), name="x", scopes=[], days=30)
    assert authenticate_token(text).token == row
    ApiToken.objects.update(expires_at=timezone.now())
    with refusal(Reason.BAD_TOKEN):
        authenticate_token(text)
    for days in (0, 1096):
        with refusal(Reason.BAD_TERM):
            issue_token(SYSTEM, club, user("olga"), name="x", scopes=[], days=days)
