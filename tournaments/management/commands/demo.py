"""`manage.py demo`: loads a club with a year of tournaments, one of them played by its records.

Everything goes through the same services as the web and the API use. Run again, it does what an
interruption left out, else nothing.
"""

import secrets
import time
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

import engine
from tournaments.accounts.services import invitations
from tournaments.arena.services import arena, dispatch, ladders
from tournaments.core.find import find_club, lock_club
from tournaments.core.permissions import Actor
from tournaments.director.services import entries, tournaments
from tournaments.director.services.draws import draw
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.management.demo_year import CUP, INDIVIDUAL, PLACE, SWISS, DemoYear, moment
from tournaments.models import ApiToken, Bot, Club, Match, Membership, Record, Round, Tournament
from tournaments.people.services import clubs
from tournaments.results.services import submit
from tournaments.standings.queries.standings import standings_page

SAMPLE = Path(__file__).parent / "club_night"
CLUB = "el-ebro"
LIGUILLA = "liguilla-de-otono"
BOT_LEAGUE = "liga-de-bots"
ORGANISER = "organizador"
BOTS_A_KIND = 4  # chosen: 28 matches, which a worker plays in seconds
QUICK_BOTS = (Bot.Kind.RANDOM, Bot.Kind.SIMPLE)  # bots without code to compile
PATIENCE = 120.0  # seconds for a worker to play the bots' league
INTERVAL = 0.3  # seconds between two checks


class Command(BaseCommand):
    """Load the demo club with its night, its year and its bots' league, each once."""

    help = __doc__ or ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add what to leave out."""
        parser.add_argument("--no-bots", action="store_true", help="leave the bots' league out")
        parser.add_argument(
            "--night", action="store_true", help="load just the club night with its records"
        )

    def handle(self, *, no_bots: bool, night: bool, **_options: Any) -> None:
        """Do the steps that are missing, and print their results."""
        system = Actor.system()
        if Club.objects.filter(slug=CLUB).exists():
            self.print_now(f"The demo club is there already: {CLUB}.")
        elif settings.SECOND_FACTOR_REQUIRED:
            raise CommandError(
                "The demo's organiser has no second factor, which BAZA_SECOND_FACTOR requires: "
                "run the command with BAZA_SECOND_FACTOR=offered."
            )
        else:
            with transaction.atomic():  # an interruption leaves no half of a club
                self.play_club_night(system)
        if night:
            return
        club = find_club(CLUB)
        organiser = Actor.for_user(get_user_model().objects.get(username=ORGANISER))
        year = DemoYear(organiser, club, self.print_now)
        year.play()
        year.make_season(SWISS, INDIVIDUAL, CUP, LIGUILLA)
        if not no_bots and not Tournament.objects.filter(slug=BOT_LEAGUE).exists():
            self.play_bot_league(system, club)

    def play_club_night(self, system: Actor) -> None:
        """Create the club and play its liguilla."""
        club = clubs.create_club(system, name="Club de Tute El Ebro", city="Zaragoza", slug=CLUB)
        self.play_liguilla(self.make_organiser(system, club), club)

    def make_organiser(self, system: Actor, club: Club) -> Actor:
        """Create the demo's user with a password and a token, stored in `BAZA_VAR`."""
        password = secrets.token_urlsafe(9)
        user = get_user_model().objects.create_user(ORGANISER, password=password)
        clubs.add_member(system, club, user, Membership.Role.ORGANISER)
        _row, token = invitations.issue_token(
            system, club, user, name="demo", scopes=ApiToken.Scope.values
        )
        keys = settings.VAR / "demo-keys.txt"
        keys.touch(mode=0o600)
        keys.write_text(f"user {ORGANISER}\npassword {password}\ntoken {token}\n", encoding="utf-8")
        self.print_now(
            f"Club {club.name}. Sign in as {ORGANISER}: password and API token are in {keys}"
        )
        return Actor.for_user(user)

    def play_liguilla(self, organiser: Actor, club: Club) -> None:
        """Play the club night: entries, seven rounds, 28 records, and the 24 that were disputed."""
        liguilla = tournaments.create_tournament(
            organiser,
            club,
            "Liguilla de otoño",
            NewTournament(
                GameSettings(options={"to": 3}),
                announcement={"begins_at": moment(-75), "place": PLACE},
            ),
            slug=LIGUILLA,
        )
        pairs = entries.import_entries(
            organiser,
            liguilla,
            (SAMPLE / "players.csv").read_bytes(),
            (SAMPLE / "pairs.csv").read_bytes(),
        )
        draw(organiser, liguilla)
        rounds = list(Round.objects.filter(stage__tournament=liguilla).order_by("number"))
        for row in rounds:
            tournaments.publish_round(organiser, row)
        self.print_now(
            f"{liguilla.name}: {len(pairs)} pairs, {len(rounds)} rounds drawn and published"
        )
        self.submit_all(organiser, liguilla)
        self.submit_disputed(organiser, liguilla)
        for row in rounds:
            tournaments.close_round(organiser, row)
        tournaments.finish(organiser, liguilla)
        self.print_standings(organiser, LIGUILLA)

    def submit_all(self, organiser: Actor, liguilla: Tournament) -> None:
        """Submit the night's records, one a match; each is replayed before it counts."""
        lines = sample_lines("records.ndjson")
        for number, line in enumerate(lines, 1):
            submitted = submit.submit_to_tournament(
                organiser, liguilla, line, source=Record.Source.IMPORT
            )
            if submitted.outcome != "accepted":
                raise CommandError(
                    f"records.ndjson#{number}: {submitted.code}: {submitted.message}"
                )
            self.print_now(f"  replayed {number} of {len(lines)}", ending="\r")
        self.print_now(f"  {len(lines)} records replayed and accepted")

    def submit_disputed(self, organiser: Actor, liguilla: Tournament) -> None:
        """Submit the disputed records, and print why each is refused."""
        self.print_now("Disputed records:")
        codes: Counter[str] = Counter()
        for number, line in enumerate(sample_lines("disputed.ndjson"), 1):
            submitted = submit.submit_to_tournament(
                organiser, liguilla, line, source=Record.Source.IMPORT
            )
            if submitted.outcome != "refused":
                raise CommandError(f"disputed.ndjson#{number} was {submitted.outcome}")
            for fault in submitted.verdict.faults:
                codes[fault.code] += 1
                hand = f", hand {fault.hand}" if fault.hand else ""
                token = "" if fault.token is None else f", token {fault.token}"
                self.print_now(f"  {number:2} {fault.code} ({fault.rule}){hand}{token}")
                self.print_now(f"     {engine.explain(fault)}")
        common = ", ".join(f"{code} {n}" for code, n in codes.most_common(5))
        self.print_now(
            f"  {codes.total()} refused, none touched the standings. Most often: {common}"
        )

    def print_standings(self, organiser: Actor, slug: str) -> None:
        """Print the final table."""
        page = standings_page(slug, organiser)
        self.print_now(f"\n{page.head.name}, final standings")
        self.print_now("  #  pair               played won lost  MP  hands   points")
        for row in page.rows:
            hands = f"{row.hands_for}-{row.hands_against}"
            points = f"{row.points_for}-{row.points_against}"
            self.print_now(
                f"{row.rank:3}  {row.name:18} {row.played:5} {row.won:4} {row.lost:4} "
                f"{row.match_points:4}  {hands:>5}  {points}"
            )

    def play_bot_league(self, organiser: Actor, club: Club) -> None:
        """Play a league of bots of two kinds, each match a task of Celery."""
        new = NewTournament(
            GameSettings(options={"to": 3}), announcement={"begins_at": moment(-12)}
        )
        league = tournaments.create_tournament(
            organiser, club, "Liga de bots", new, slug=BOT_LEAGUE
        )
        house = list(Bot.objects.filter(club=None, kind__in=QUICK_BOTS).order_by("slug"))
        entries.enter_newcomers(
            organiser, league, [bot for bot in house for _ in range(BOTS_A_KIND)]
        )
        draw(organiser, league)
        rounds = list(Round.objects.filter(stage__tournament=league).order_by("number"))
        for row in rounds:
            dispatch.play_round(organiser, tournaments.publish_round(organiser, row))
        self.print_now(f"\n{league.name}: {len(rounds)} rounds handed to Celery")
        self.watch_league(league)
        for row in rounds:
            tournaments.close_round(organiser, row)
        tournaments.finish(organiser, league)
        self.print_standings(organiser, BOT_LEAGUE)
        with transaction.atomic():
            ladder = ladders.open_ladder(lock_club(club), league.ruleset)
            arena.run_now(organiser, ladder)
        self.print_now(f"{ladder.name}: open to the bots of members")

    def watch_league(self, league: Tournament) -> None:
        """Wait for the league and print its progress; give up when no worker plays."""
        matches = Match.objects.filter(round__stage__tournament=league)
        deadline, total = time.monotonic() + PATIENCE, matches.count()
        while pending := matches.filter(state=Match.State.PENDING).count():
            self.print_now(f"  played {total - pending} of {total}", ending="\r")
            if time.monotonic() > deadline:
                raise CommandError(
                    "no Celery worker has finished the league; start one with ./baza up,"
                    " or by itself: celery -A tournaments worker --queues matches,default"
                )
            time.sleep(INTERVAL)
        self.print_now(f"  played {total} of {total}")

    def print_now(self, text: str, ending: str = "\n") -> None:
        """Print at once."""
        self.stdout.write(text, ending=ending)
        self.stdout.flush()


def sample_lines(name: str) -> list[str]:
    """Return the records of a sample file, one a line."""
    text = (SAMPLE / name).read_text(encoding="utf-8")
    return text.splitlines()
