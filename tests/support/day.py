"""A Swiss of pairs on its day: people who come late, leave, rest, and are replaced."""

from tests.clubs import SYSTEM, a_club, play_out, the_round, user
from tests.support.scene_rows import reuse_rows
from tournaments.director.services.draws import draw, draw_next
from tournaments.director.services.entries import enter_newcomers
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import create_tournament, publish_round
from tournaments.models import Club, Entry, Pair, Player, Tournament
from tournaments.people.services.clubs import import_pairs, import_players


def the_people(pairs: int, club: Club | None = None) -> tuple[Club, list[Pair]]:
    """A club with `pairs` pairs, and four people more who play in none."""
    club = club or a_club()
    players = "".join(f"J{n:02},Jugador {n}\n" for n in range(1, 2 * pairs + 5))
    import_players(SYSTEM, club, "id,nombre\n" + players, as_written=True)
    lines = "".join(
        f"P{n:02},Pareja {n},J{2 * n - 1:02},J{2 * n:02}\n" for n in range(1, pairs + 1)
    )
    import_pairs(SYSTEM, club, "pareja,nombre,jugador1,jugador2\n" + lines)
    return club, list(Pair.objects.filter(club=club).order_by("code"))


@reuse_rows({}, {"drawn": False}, {"entered": 4})
def a_day(
    entered: int = 6,
    late: int = 2,
    rounds: int = 4,
    drawn: bool = True,
    format: str = "swiss",  # noqa: A002
) -> Tournament:
    """A Swiss with `entered` pairs entered, and some of the club that are not."""
    club, pairs = the_people(entered + late)
    rules = {"rounds": rounds} if format == "swiss" else {}
    tournament = create_tournament(
        SYSTEM,
        club,
        "Suizo",
        NewTournament(GameSettings(options={"to": 3}), stages=[{"format": format, "rules": rules}]),
    )
    enter_newcomers(SYSTEM, tournament, pairs[:entered])
    if drawn:
        draw(SYSTEM, tournament)
    tournament.refresh_from_db()
    return tournament


def entry(tournament: Tournament, number: int) -> Entry:
    entries = tournament.entries.with_players().select_related("tournament__club")
    return entries.get(number=number)


def late_pair(tournament: Tournament) -> Pair:
    """A pair of the club that has not entered."""
    entered = tournament.entries.values("pair")
    return Pair.objects.filter(club=tournament.club).exclude(pk__in=entered).order_by("code")[0]


def spare(tournament: Tournament) -> Player:
    """A member of the club who plays in no pair."""
    people = Player.objects.filter(club=tournament.club)
    free = people.filter(pairs_as_first__isnull=True, pairs_as_second__isnull=True)
    return free.order_by("code")[0]


def player_of(tournament: Tournament, number: int, name: str) -> Player:
    """The first of a pair, with an account of their own."""
    pair = entry(tournament, number).pair
    assert pair is not None
    Player.objects.filter(pk=pair.first_id).update(user=user(name))
    return Player.objects.get(pk=pair.first_id)


def play_round(tournament: Tournament, number: int) -> None:
    """Publish a round, play it out, close it."""
    play_out(publish_round(SYSTEM, the_round(tournament, number)))


def next_round(tournament: Tournament, after: int) -> None:
    draw_next(SYSTEM, tournament, after=after)
