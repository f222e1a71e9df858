"""FIDE's tournament report file (TRF): a stage of meetings of two, in and out.

Columns and records follow the format's edition of 2026 (FIDE Handbook C.04, annex; in force from
1 September 2025), which keeps the columns of 2016. For older programs the number of rounds, the
scale and the forbidden pairs are written a second time in the notation of the JaVaFo manual (XXR,
XXS, XXP); both are read. White is the first side, which deals last.

A report holds who met whom, on which side, and who won. It does not hold hands, card points, the
members of a pair or what is decided beside the score: `lost_facts` names what a tournament would
lose. What cannot be said at all (three at a table, a half bye that is not worth a tie) is refused.
"""

from tournaments.domain.trf.reading import is_report, read_trf
from tournaments.domain.trf.writing import loss_messages, lost_facts, rows_to_trf

__all__ = ["is_report", "loss_messages", "lost_facts", "read_trf", "rows_to_trf"]
