"""A client of the API for programs in Python: the standard library and nothing else.

>>> from baza_client import Client
>>> Client("https://club.example").address("tournaments/otono/")
'https://club.example/api/v1/tournaments/otono/'
"""

from baza_client.client import Client
from baza_client.shapes import (
    Accepted,
    Batch,
    Line,
    LiveEvent,
    Standing,
    Tournament,
    TournamentCard,
)
from baza_client.transport import Answer, CutShort, Problem, Transport, Unreachable

__all__ = [
    "Accepted",
    "Answer",
    "Batch",
    "Client",
    "CutShort",
    "Line",
    "LiveEvent",
    "Problem",
    "Standing",
    "Tournament",
    "TournamentCard",
    "Transport",
    "Unreachable",
]
