"""The year of the demo club: tournaments of several formats, from a seed, through the services.

Results are sums of points, hand by hand; the night with its records is in the command `demo`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from tournaments.core.permissions import Actor
from tournaments.director.services import entries, tournaments
from tournaments.director.services.draws import draw, draw_next
from tournaments.director.services.posting import post_tournament
from tournaments.director.services.rounds import start_clock
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.models import Club, Match, Round, Tournament
from tournaments.results.services.matches import (
    Ruling,
    dispute_result,
    forfeit,
    rule_on_dispute,
)
from tournaments.results.services.reports import report_result
from tournaments.signup.services.money import pay
from tournaments.signup.services.requests import Application, set_sign_up, sign_up
from tournaments.standings.services.prizes import NewPrize, set_prizes
from tournaments.standings.services.seasons import add_tournament, create_season

SAMPLE: Final = Path(__file__).parent / "commands" / "club_year"
SEED: Final = "Cuarenta y cinco"
PLACE: Final = "Casino de Zaragoza, Coso 29"
HANDS: Final = 3  # hands that win a match
CARD_POINTS: Final = 130  # of a hand, with the last trick
SKILL: Final = 0.7  # chosen: the best pair wins some seven hands in ten against the worst

SWISS: Final = "suizo-de-invierno"
INDIVIDUAL: Final = "individual-de-primavera"
CUP: Final = "copa-del-pilar"
SOCIAL: Final = "social-de-la-casa"
FEAST: Final = "torneo-de-la-fiesta"
SEASON: Final = "temporada"
PRIZES: Final = (
    NewPrize(1, 1, cents=240_00, text="Trofeo"),
    NewPrize(2, 2, cents=120_00),
    NewPrize(3, 4, text="Jamón"),
)


@dataclass(frozen=True, slots=True)
class DemoYear:
    """Plays the year of a club as its organiser; each tournament is loaded whole or not at all."""

    organiser: Actor
    club: Club
    print_now: Callable[[str], None]

    def play(self) -> None:
        """Play what is missing, in the order of the year."""
        for slug, load in (
            (SWISS, self.play_swiss),
            (INDIVIDUAL, self.play_individual),
            (CUP, self.play_cup),
            (SOCIAL, self.begin_social),
            (FEAST, self.post_feast),
        ):
            if not Tournament.objects.filter(slug=slug).exists():
                with transaction.atomic():
                    tournament = load(slug)
                self.print_now(f"{tournament.name}: loaded")

    def make_season(self, *slugs: str) -> None:
        """Make the season of the year once, from its finished tournaments."""
        if self.club.seasons.exists():
            return
        with transaction.atomic():
            name = f"Temporada {timezone.localdate().year}"
            season = create_season(
                self.organiser, self.club, name=name, by="person", best=3, slug=SEASON
            )
            for slug in slugs:
                add_tournament(self.organiser, season, Tournament.objects.get(slug=slug))

    # --- The tournaments --------------------------------------------------------------------------

    def play_swiss(self, slug: str) -> Tournament:
        """Thirty pairs, six rounds and prizes; a dispute is ruled on, a pair forfeits."""
        swiss = self.create("Suizo de invierno", slug, "swiss", days=-290, rounds=6)
        set_prizes(self.organiser, swiss, PRIZES)
        players, pairs = (SAMPLE / "players.csv").read_bytes(), (SAMPLE / "pairs.csv").read_bytes()
        regulars = list(self.club.pairs.with_players().order_by("pk"))
        entries.enter_newcomers(self.organiser, swiss, regulars)
        entries.import_entries(self.organiser, swiss, players, pairs)
        return self.play_rounds(swiss, 6, self.bring_to_the_arbiter)

    def play_individual(self, slug: str) -> Tournament:
        """Sixteen players who change partners."""
        individual = self.create("Individual de primavera", slug, "individual", days=-200, rounds=5)
        players = self.club.players.order_by("pk")[8:24]
        entries.enter_newcomers(self.organiser, individual, list(players))
        return self.play_rounds(individual, 5)

    def play_cup(self, slug: str) -> Tournament:
        """Sixteen pairs in a knock-out with a match for the third place."""
        cup = self.create("Copa del Pilar", slug, "knockout", days=-46, third_place=True)
        set_prizes(self.organiser, cup, PRIZES[:2])
        pairs = self.club.pairs.with_players().order_by("pk")[:16]
        entries.enter_newcomers(self.organiser, cup, list(pairs))
        return self.play_rounds(cup, 4)

    def begin_social(self, slug: str) -> Tournament:
        """Twelve pairs in the third of five rounds: a dispute waits, two tables still play."""
        social = self.create("Social de la casa", slug, "swiss", days=0, rounds=5)
        pairs = self.club.pairs.with_players().order_by("pk")[4:16]
        entries.enter_newcomers(self.organiser, social, list(pairs))
        draw(self.organiser, social)
        for number in (1, 2):
            self.play_round(self.published(social, number))
            draw_next(self.organiser, social, after=number)
        third = self.published(social, 3)
        start_clock(self.organiser, third, 45)
        played = matches_of(third)[:4]
        for match in played:
            self.report(match)
        dispute_result(
            Actor.for_entry(played[0].home), played[0], "Las diez de últimas eran nuestras."
        )
        return social

    def post_feast(self, slug: str) -> Tournament:
        """Sixteen places, all taken, and two pairs that wait; six have paid."""
        feast = self.create("Torneo de la Fiesta", slug, "swiss", days=23, rounds=5)
        opened = {"opens_at": timezone.now() - timedelta(days=9), "places": 16, "fee_cents": 20_00}
        set_sign_up(self.organiser, feast, {**opened, "asks_contact": False, "shows_names": True})
        set_prizes(self.organiser, feast, PRIZES)
        post_tournament(self.organiser, feast)
        pairs = self.club.pairs.with_players().order_by("-pk")[:18]
        for number, pair in enumerate(pairs):
            names = (pair.first.name, pair.second.name)
            request = sign_up(Actor.anonymous(), feast, Application(names, pair_name=pair.name))
            if number < 6:
                pay(self.organiser, request)
        return feast

    # --- Steps that several tournaments take ------------------------------------------------------

    def create(self, name: str, slug: str, kind: str, *, days: int, **rules: Any) -> Tournament:
        """Create a tournament of one stage, announced for ``days`` from today."""
        announcement = {"begins_at": moment(days), "place": PLACE}
        new = NewTournament(
            GameSettings(options={"to": HANDS}),
            ({"format": kind, "rules": rules},),
            announcement=announcement,
        )
        return tournaments.create_tournament(self.organiser, self.club, name, new, slug=slug)

    def play_rounds(
        self, tournament: Tournament, rounds: int, happen: Callable[[Round], None] | None = None
    ) -> Tournament:
        """Draw and play all rounds, and finish; ``happen`` comes between results and the close."""
        draw(self.organiser, tournament)
        for number in range(1, rounds + 1):
            if number > 1:
                draw_next(self.organiser, tournament, after=number - 1)
            self.play_round(self.published(tournament, number), happen)
        return tournaments.finish(self.organiser, tournament)

    def published(self, tournament: Tournament, number: int) -> Round:
        """Publish a round that was drawn."""
        rounds = Round.objects.filter(stage__tournament=tournament)
        return tournaments.publish_round(self.organiser, rounds.get(number=number))

    def play_round(self, round_: Round, happen: Callable[[Round], None] | None = None) -> None:
        """Report every result of a published round and close it."""
        for match in matches_of(round_):
            self.report(match)
        if happen is not None:
            happen(round_)
        tournaments.close_round(self.organiser, round_)

    def report(self, match: Match) -> None:
        """Report a match hand by hand, the more skilful side winning more often."""
        report_result(self.organiser, match, hand_scores=hands_of(match))

    def bring_to_the_arbiter(self, round_: Round) -> None:
        """In the second round uphold a disputed result, in the third a pair has not come."""
        match = matches_of(round_)[6]
        if round_.number == 2:
            reason = "Se apuntó un coto de más."
            dispute = dispute_result(Actor.for_entry(match.home), match, reason)
            told = "Las dos parejas firmaron el tanteo."
            rule_on_dispute(self.organiser, dispute, Ruling.UPHOLD, reason=told)
        if round_.number == 3:
            forfeit(self.organiser, match, ["away"], reason="No se presentaron.")


def matches_of(round_: Round) -> list[Match]:
    """Return the matches of a round that two sides play, by table."""
    return list(round_.matches.with_names().filter(away__isnull=False).order_by("table"))


def moment(days: int) -> datetime:
    """Return five in the afternoon ``days`` from today; for today, the full hour now."""
    now = timezone.localtime().replace(minute=0, second=0, microsecond=0)
    return now + timedelta(days=days, hours=17 - now.hour if days else 0)


def hands_of(match: Match) -> list[dict[str, int]]:
    """Return the points of each hand of a match, the same for the same seed, names and round."""
    names = [match.home.name, "" if match.away is None else match.away.name]
    dice = Random(f"{SEED} {match.round.number} {names}")  # noqa: S311 - results of a demo
    skills = [Random(f"{SEED} {name}").random() for name in names]  # noqa: S311
    home_chance = 0.5 + SKILL * (skills[0] - skills[1]) / 2
    hands: list[dict[str, int]] = []
    won = {"home": 0, "away": 0}
    while max(won.values()) < HANDS:
        winner, loser = ("home", "away") if dice.random() < home_chance else ("away", "home")
        points = dice.randint(CARD_POINTS // 2 + 1, CARD_POINTS - 20)
        cantes = dice.choice((0, 0, 20, 40, 60))
        hands.append({winner: points + cantes, loser: CARD_POINTS - points})
        won[winner] += 1
    return hands
