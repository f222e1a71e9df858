"""Submitting records: parsed, judged against the locked match, written.

:mod:`.submit` is the way in for one record, :mod:`tournaments.services.bulk` for many lines,
:mod:`tournaments.services.bot_matches` for what bots play. All of them parse (:mod:`.parse`), judge
by the pure function :func:`.decide.decide`, and write by :func:`.write.write_decisions`.
"""

from tournaments.services.records.outcome import Outcome, SubmissionOutcome
from tournaments.services.records.submit import Source, submit_record, submit_to_tournament

__all__ = ["Outcome", "Source", "SubmissionOutcome", "submit_record", "submit_to_tournament"]
