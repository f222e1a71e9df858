"""A form may send any text where a page has a number: thousands of digits are no error of ours."""

from urllib.parse import urlencode

import pytest

from tests.signup.test_signing_up import a_posted, pairs
from tests.signup.test_signup_pages import desk

pytestmark = pytest.mark.django_db

LONG = "9" * 5000
PLAN = {"plan": "suizo", "ruleset": "parejas", "length": "to", "hands": "4", "rounds": "3"}
FORMS = (
    ("sign-ups/off/", {"ticket": LONG, "reason": "Un robot"}),
    ("sign-ups/enter/", {"shown": LONG, "ticket": LONG, "right": LONG}),
    ("sign-ups/enter/", {f"who-{LONG}-1-Ana": "new"}),
    ("sign-ups/1/join/", {"other": LONG}),
    ("sign-ups/sources/1/invite/", {"number": LONG, "reason": "Campeones"}),
    ("plan/", {**PLAN, f"prizes_{LONG}": LONG}),
)


@pytest.mark.parametrize(("path", "form"), FORMS)
def test_a_number_of_thousands_of_digits_is_none(path: str, form: dict[str, str]) -> None:
    tournament = a_posted()
    pairs(tournament, 2)
    answer = desk(tournament).post(
        f"/t/{tournament.slug}/{path}",
        urlencode(form),  # multipart limits the length of a name
        content_type="application/x-www-form-urlencoded",
    )
    assert answer.status_code in {200, 302, 404, 422}
