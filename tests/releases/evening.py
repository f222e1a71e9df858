"""Steps of an evening over the API, for the release whose folder is the working directory.

``python evening.py STEP…`` prints the answers of the steps as a list. It runs in its own process,
with the code of that release alone, and uses what every release since 0.2.0 has.
"""

from __future__ import annotations

import json
import os
import sys
import uuid
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
PAIRS = "pareja,nombre,jugador1,jugador2\n" + "".join(
    f"P{n},Pareja {n},J{2 * n - 1},J{2 * n}\n" for n in range(1, 9)
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


def run(path: str) -> None:
    """Run a program as `manage.py shell` does."""
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
