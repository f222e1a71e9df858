"""Steps of an evening over the API, for the release whose folder is the working directory.

``python evening.py STEP…`` prints the answers of the steps as a list. It runs in its own process,
with the code of that release alone, and uses what every release since 0.3.0 has; `seat_fours` and
`sign_up` use what 0.4.0 has.
"""

from __future__ import annotations

import json
import os
import sys
import uuid
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path.cwd()))
os.environ["DJANGO_SETTINGS_MODULE"] = "tournaments.settings"

import django

django.setup()

from django.contrib.auth.models import User  # noqa: E402
from django.core.management import CommandError, call_command  # noqa: E402
from django.test import Client  # noqa: E402

from tournaments.models import Club, Membership  # noqa: E402

PLAYERS = "id,nombre\n" + "".join(f"J{n},Jugador {chr(64 + n)}\n" for n in range(1, 17))
NAMES = "nombre\n" + "".join(f"Jugador {chr(64 + n)}\n" for n in range(1, 9))
PAIRS = "pareja,nombre,jugador1,jugador2\n" + "".join(
    f"P{n},Pareja {n},J{2 * n - 1},J{2 * n}\n" for n in range(1, 9)
)
FRIENDS = (
    ("Ana Gil", "Luis Sanz"),
    ("Eva Ruiz", "Pepe Cano"),
    ("Rosa Vela", "Julio Mir"),
    ("Marta Sol", "Iván Prat"),
)


def ask(path: str, body: Any = None) -> Any:
    """Ask the API as the club's organiser; a refusal is answered by its status and code."""
    headers = {"Authorization": f"Bearer {token()}", "Idempotency-Key": uuid.uuid4().hex}
    client = Client(SERVER_NAME="127.0.0.1", headers=headers, raise_request_exception=False)
    path = f"/api/v1/{path}"
    answer = client.get(path) if body is None else client.post(path, body, "application/json")
    document = json.loads(answer.content)
    return document if answer.status_code < 400 else f"{answer.status_code} {document['code']}"


def token() -> str:
    out = StringIO()
    scopes = ["games:submit", "games:read", "tournaments:manage"]
    call_command("issue_token", "velada", "olga", name=uuid.uuid4().hex, scope=scopes, stdout=out)
    return out.getvalue().split()[0]


def found() -> None:
    """Found the club on an empty database."""
    call_command("migrate", verbosity=0)
    club = Club.objects.create(name="Velada", slug="velada", city="Huesca")
    olga = User.objects.create_user("olga")
    Membership.objects.create(club=club, user=olga, role=Membership.Role.ORGANISER)


def upgrade() -> None:
    call_command("migrate", verbosity=0)


def make(slug: str) -> Any:
    """Make a Swiss of eight pairs with its first round published."""
    ask("clubs/velada/tournaments/", {"name": slug, "slug": slug, "format": "swiss"})
    ask(f"tournaments/{slug}/entries/import/", {"players": PLAYERS, "pairs": PAIRS})
    return begin(slug)


def seat_fours(slug: str) -> Any:
    """Make a tournament at tables of four with its first round published."""
    stage = {"format": "tables", "rules": {"typed_only": True, "seated_by": "lot"}}
    new = {"name": slug, "slug": slug, "ruleset": "cuatro", "stages": [stage]}
    ask("clubs/velada/tournaments/", new)
    ask(f"tournaments/{slug}/entries/list/", {"csv": NAMES})
    return begin(slug)


def sign_up(slug: str) -> Any:
    """Post a Swiss with a cap on points, and enter the four pairs that sign up."""
    stage = {"format": "swiss", "rules": {"points_cap": 200}}
    ask("clubs/velada/tournaments/", {"name": slug, "slug": slug, "stages": [stage]})
    settings = {"opens_when_posted": True, "places": 4, "fee_cents": 1000, "asks_contact": False}
    ask(f"tournaments/{slug}/sign-ups/settings/", settings)
    ask(f"tournaments/{slug}/post/", {})
    for names in FRIENDS:
        ask(f"tournaments/{slug}/sign-ups/", {"names": names})
    ask(f"tournaments/{slug}/money/pay/", {"ticket": 1})
    return state(ask(f"tournaments/{slug}/sign-ups/close/", {}))


def begin(slug: str) -> Any:
    """Draw and publish the first round."""
    ask(f"tournaments/{slug}/draw/", {})
    return publish(slug, "1")


def publish(slug: str, number: str) -> Any:
    return state(ask(f"tournaments/{slug}/rounds/{number}/publish/", {}))


def play(slug: str, number: str) -> Any:
    """Report all matches of a round, close it, and draw the next one."""
    for match in ask(f"tournaments/{slug}/matches/?round={number}")["results"]:
        ask(f"matches/{match['id']}/report/", {"home_hands": 3, "away_hands": match["table"] % 3})
    ask(f"tournaments/{slug}/rounds/{number}/close/", {})
    return state(ask(f"tournaments/{slug}/draw/", {"after": int(number)}))


def undo(slug: str) -> Any:
    """Go back to the newest point."""
    point = ask(f"tournaments/{slug}/restore-points/")[0]["id"]
    return state(ask(f"tournaments/{slug}/restore-points/{point}/go-back/", {}))


def state(answer: Any) -> Any:
    return answer if isinstance(answer, str) else answer["state"]


def table(slug: str) -> Any:
    answer = ask(f"tournaments/{slug}/standings/")
    if isinstance(answer, str):
        return answer
    return [(row["rank"], row["name"], row["won"]) for row in answer["rows"]]


def listed() -> Any:
    """Return the short names of the tournaments that everybody sees."""
    answer = ask("tournaments/")
    if isinstance(answer, str):
        return answer
    return sorted(row["slug"] for row in answer["results"])


def run(path: str) -> None:
    """Run a program as `manage.py shell` does."""
    with redirect_stdout(sys.stderr):
        exec(Path(path).read_text(encoding="utf-8"), {})  # noqa: S102 - a passage of a document


def verify() -> str:
    """Check the history; what is wrong with it, or nothing."""
    out = StringIO()
    try:
        call_command("audit_verify", stdout=out, stderr=out)
    except CommandError:
        return out.getvalue()
    return ""


if __name__ == "__main__":
    answers = []
    for step in sys.argv[1:]:
        name, *arguments = step.split()
        answers.append(globals()[name](*arguments))
    print(json.dumps(answers))
