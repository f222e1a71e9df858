"""The sample club night: its table worked out by hand from the scores written in the records.

Nothing here is computed by the engine. The 28 lines are the stated scores of the records, hands
first, then the points of their hands added up; the table was filled in from them with pencil:
two points a win (nobody tied), hands and points added along each pair's seven lines.

Two ties on match points, each of two pairs, so each is decided by their own match:

* Las Fuentes and Arrabal, eight points: round 2 table 2, Arrabal 2 - Las Fuentes 3. Las Fuentes are
  third although Arrabal have the better hands (+2 against 0) and points (+288 against -136).
* La Magdalena and San José, six points: round 1 table 4, La Magdalena 3 - San José 2. La Magdalena
  are fifth although San José have the better hands (-1 against -5) and points (+8 against -226).
"""

import csv
import json
from pathlib import Path

from tests.domain.liguilla_table import Criterion, Played, Score, standings

CLUB_NIGHT = Path(__file__).parents[2] / "tournaments/management/commands/club_night"

CUARENTA, COSO, DELICIAS, MAGDALENA, SAN_JOSE, ARRABAL, TORRERO, FUENTES = range(1, 9)

SCORES = (
    # round 1: home (at A and C), away, hands, points
    (CUARENTA, FUENTES, 0, 3, 129, 301),
    (COSO, TORRERO, 1, 3, 332, 288),
    (DELICIAS, ARRABAL, 2, 3, 319, 471),
    (MAGDALENA, SAN_JOSE, 3, 2, 410, 340),
    # round 2
    (TORRERO, CUARENTA, 2, 3, 380, 450),
    (ARRABAL, FUENTES, 2, 3, 392, 378),
    (SAN_JOSE, COSO, 0, 3, 150, 320),
    (MAGDALENA, DELICIAS, 0, 3, 176, 274),
    # round 3
    (CUARENTA, ARRABAL, 1, 3, 288, 392),
    (TORRERO, SAN_JOSE, 3, 0, 253, 137),
    (FUENTES, MAGDALENA, 3, 1, 378, 302),
    (COSO, DELICIAS, 3, 2, 394, 296),
    # round 4
    (SAN_JOSE, CUARENTA, 3, 0, 301, 129),
    (MAGDALENA, ARRABAL, 2, 3, 351, 379),
    (DELICIAS, TORRERO, 1, 3, 287, 373),
    (COSO, FUENTES, 3, 0, 314, 136),
    # round 5
    (CUARENTA, MAGDALENA, 2, 3, 433, 357),
    (SAN_JOSE, DELICIAS, 3, 2, 451, 299),
    (ARRABAL, COSO, 2, 3, 327, 383),
    (TORRERO, FUENTES, 3, 1, 366, 214),
    # round 6
    (DELICIAS, CUARENTA, 3, 1, 378, 242),
    (COSO, MAGDALENA, 2, 3, 344, 366),
    (FUENTES, SAN_JOSE, 0, 3, 169, 261),
    (TORRERO, ARRABAL, 3, 2, 378, 372),
    # round 7
    (CUARENTA, COSO, 1, 3, 276, 324),
    (DELICIAS, FUENTES, 1, 3, 244, 296),
    (MAGDALENA, TORRERO, 1, 3, 320, 360),
    (SAN_JOSE, ARRABAL, 2, 3, 349, 401),
)

TABLE = (
    # pair, won, lost, match points, hands for-against, points for-against
    # Torrero: 3-1 2-3 3-0 3-1 3-1 3-2 3-1; 288+380+253+373+366+378+360, 332+450+137+287+214+372+320
    (TORRERO, 6, 1, 12, 20, 9, 2398, 2112),
    # Los del Coso: 1-3 3-0 3-2 3-0 3-2 2-3 3-1
    (COSO, 5, 2, 10, 18, 11, 2411, 1839),
    # Las Fuentes: 3-0 3-2 3-1 0-3 1-3 0-3 3-1
    (FUENTES, 4, 3, 8, 13, 13, 1872, 2008),
    # Arrabal: 3-2 2-3 3-1 3-2 2-3 2-3 3-2
    (ARRABAL, 4, 3, 8, 18, 16, 2734, 2446),
    # La Magdalena: 3-2 0-3 1-3 2-3 3-2 3-2 1-3
    (MAGDALENA, 3, 4, 6, 13, 18, 2282, 2508),
    # San José: 2-3 0-3 0-3 3-0 3-2 3-0 2-3
    (SAN_JOSE, 3, 4, 6, 13, 14, 1989, 1981),
    # Delicias: 2-3 3-0 2-3 1-3 2-3 3-1 1-3
    (DELICIAS, 2, 5, 4, 14, 16, 2097, 2403),
    # Las Cuarenta: 0-3 3-2 1-3 0-3 2-3 1-3 1-3
    (CUARENTA, 1, 6, 2, 8, 20, 1947, 2433),
)

DECIDED_BY = (
    Criterion.FIRST,
    Criterion.MATCH_POINTS,
    Criterion.MATCH_POINTS,
    Criterion.DIRECT_ENCOUNTER,
    Criterion.MATCH_POINTS,
    Criterion.DIRECT_ENCOUNTER,
    Criterion.MATCH_POINTS,
    Criterion.MATCH_POINTS,
)


def rows(name: str) -> list[dict[str, str]]:
    with (CLUB_NIGHT / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def played() -> list[Played]:
    return [Played(home, away, Score(*score)) for home, away, *score in SCORES]


def test_the_club_night_ends_as_worked_out_by_hand() -> None:
    table = standings(range(1, 9), played())
    assert [line.rank for line in table] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert [
        (
            line.entry,
            line.won,
            line.lost,
            line.match_points,
            line.hands_for,
            line.hands_against,
            line.points_for,
            line.points_against,
        )
        for line in table
    ] == list(TABLE)
    assert tuple(line.decided_by for line in table) == DECIDED_BY


def test_the_scores_above_are_those_written_in_the_records() -> None:
    players = {row["id"]: row["nombre"] for row in rows("players.csv")}
    number = {
        (players[row["jugador1"]], players[row["jugador2"]]): n
        for n, row in enumerate(rows("pairs.csv"), start=1)
    }
    scores = []
    for line in (CLUB_NIGHT / "records.ndjson").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        seats, score = record["seats"], record["score"]
        scores.append(
            (
                number[seats[0], seats[2]],
                number[seats[1], seats[3]],
                score["AC"],
                score["BD"],
                sum(hand["points"]["AC"] for hand in record["hands"]),
                sum(hand["points"]["BD"] for hand in record["hands"]),
            )
        )
    assert tuple(scores) == SCORES
