"""`manage.py demo`: loads a whole club night, from its CSV files to a bot round played by Celery.

Everything goes through the same services as the web and the API use. Run again, it changes nothing.
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
from tournaments.arena.services import dispatch
from tournaments.core.find import find_club, find_round
from tournaments.core.permissions import Actor
from tournaments.director.queries.rounds import round_page
from tournaments.director.services import entries, tournaments
from tournaments.director.services.draws import draw
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.models import ApiToken, Bot, Club, Membership, Record, Round, Tournament
from tournaments.people.services import clubs
from tournaments.results.services import submit
from tournaments.standings.queries.standings import standings_page

SAMPLE = Path(__file__).parent / "club_night"
CLUB = "el-ebro"
LIGUILLA = "liguilla-de-otono"
BOT_LEAGUE = "liga-de-bots"
ORGANISER = "organizador"
BOTS_A_KIND = 8  # chosen: bounds the matches of the demo that bots play
QUICK_BOTS = (Bot.Kind.RANDOM, Bot.Kind.SIMPLE)  # bots without code to compile
PATIENCE = 120.0  # seconds for a worker to play the bot round
INTERVAL = 0.3  # seconds between two checks


class Command(BaseCommand):
    """Load the demo club, play its night again and let bots play a round, each once."""

    help = __doc__ or ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add whether to skip the bots."""
        parser.add_argument("--no-bots", action="store_true", help="leave the bot round out")

    def handle(self, *, no_bots: bool, **_options: Any) -> None:
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
        if not no_bots and not Tournament.objects.filter(slug=BOT_LEAGUE).exists():
            self.play_bot_round(system, find_club(CLUB))

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
            NewTournament(GameSettings(options={"to": 3})),
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
        self.print_standings(organiser)

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

    def print_standings(self, organiser: Actor) -> None:
        """Print the final table."""
        page = standings_page(LIGUILLA, organiser)
        self.print_now(f"\n{page.head.name}, final standings")
        self.print_now("  #  pair               played won lost  MP  hands   points")
        for row in page.rows:
            hands = f"{row.hands_for}-{row.hands_against}"
            points = f"{row.points_for}-{row.points_against}"
            self.print_now(
                f"{row.rank:3}  {row.name:18} {row.played:5} {row.won:4} {row.lost:4} "
                f"{row.match_points:4}  {hands:>5}  {points}"
            )

    def play_bot_round(self, organiser: Actor, club: Club) -> None:
        """Play sixteen bots of two kinds, eight matches, each a Celery task of its own."""
        league = tournaments.create_tournament(
            organiser,
            club,
            "Liga de bots",
            NewTournament(GameSettings(options={"to": 3})),
            slug=BOT_LEAGUE,
        )
        house = list(Bot.objects.filter(club=None, kind__in=QUICK_BOTS).order_by("slug"))
        entries.enter_newcomers(
            organiser, league, [bot for bot in house for _ in range(BOTS_A_KIND)]
        )
        draw(organiser, league)
        first = find_round(BOT_LEAGUE, 1, organiser)
        tournaments.publish_round(organiser, first)
        dispatch.play_round(organiser, first)
        self.print_now(f"\n{league.name}: round 1 handed to Celery")
        self.watch_round(organiser)
        tournaments.close_round(organiser, first)
        page = round_page(BOT_LEAGUE, 1, organiser)
        for match in page.round.matches:
            if match.score is not None and match.away is not None:
                self.print_now(
                    f"  {match.table}. {match.home.name} {match.score.home_hands}"
                    f"-{match.score.away_hands} {match.away.name}"
                )

    def watch_round(self, organiser: Actor) -> None:
        """Wait for the bot round and print its progress; give up when no worker plays."""
        deadline = time.monotonic() + PATIENCE
        while True:
            progress = round_page(BOT_LEAGUE, 1, organiser).progress
            if progress is None or progress.finished:
                self.print_now("")
                return
            self.print_now(f"  played {progress.played} of {progress.total}", ending="\r")
            if time.monotonic() > deadline:
                raise CommandError(
                    "no Celery worker has finished the round; start one with ./baza up,"
                    " or by itself: celery -A tournaments worker --queues matches,default"
                )
            time.sleep(INTERVAL)

    def print_now(self, text: str, ending: str = "\n") -> None:
        """Print at once."""
        self.stdout.write(text, ending=ending)
        self.stdout.flush()


def sample_lines(name: str) -> list[str]:
    """Return the records of a sample file, one a line."""
    text = (SAMPLE / name).read_text(encoding="utf-8")
    return text.splitlines()
