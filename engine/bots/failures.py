"""Why a bot lost a deal: a code for each way to fail, explained by the catalogues."""

from typing import Any, Final

from engine.messages import LANGUAGES, has_message, message

ILLEGAL_PLAY: Final = "illegal_play"
MALFORMED_ANSWER: Final = "malformed_answer"
WRONG_ID: Final = "wrong_id"
TIMEOUT_CPU: Final = "timeout_cpu"
HANG: Final = "hang"
CRASH: Final = "crash"
DIED_AT_START: Final = "died_at_start"
SLOW_START: Final = "slow_start"
OUTPUT_FLOOD: Final = "output_flood"
MEMORY: Final = "memory"
THREADS: Final = "threads"
PROTOCOL_VERSION: Final = "protocol_version"
INFRASTRUCTURE: Final = "infrastructure"

CODES: Final = (
    ILLEGAL_PLAY,
    MALFORMED_ANSWER,
    WRONG_ID,
    TIMEOUT_CPU,
    HANG,
    CRASH,
    DIED_AT_START,
    SLOW_START,
    OUTPUT_FLOOD,
    MEMORY,
    THREADS,
    PROTOCOL_VERSION,
    INFRASTRUCTURE,
)


class BotFailure(Exception):  # noqa: N818 - what the arena calls it
    """A bot that cannot go on; ``code`` is one of :data:`CODES`, ``facts`` fill its sentence.

    ``evidence`` is what the bot last wrote, cut short; ``stderr`` the end of its standard error.
    """

    def __init__(self, code: str, *, evidence: str = "", stderr: str = "", **facts: Any) -> None:
        self.code = code
        self.facts = facts
        self.evidence = evidence
        self.stderr = stderr
        super().__init__(f"{code}: {self.message_in('en')}")

    @property
    def is_bot_fault(self) -> bool:
        """Whether the bot answers for it, and not the machine it ran on."""
        return self.code != INFRASTRUCTURE

    def message_in(self, language: str) -> str:
        """Describes the failure, to follow the bot's name; in English for unknown languages."""
        language = language if language in LANGUAGES else "en"
        facts = dict(self.facts)
        code = f"{self.code}/in_all" if facts.pop("in_all", False) else self.code
        if self.code == OUTPUT_FLOOD:
            facts["what"] = message(language, f"bot_output.{facts['what']}")
        if "ending" in facts:
            facts["ending"] = _ending(facts["ending"], language)
        if self.code == ILLEGAL_PLAY:
            facts["legal"] = " ".join(token or '""' for token in facts["legal"])
        return message(language, f"bot_failure.{code}", **facts)


def _ending(ending: str, language: str) -> str:
    """Describe ``code 3``, ``signal SIGSEGV`` or a reason of the launcher."""
    kind, _, which = ending.partition(" ")
    if not has_message(f"bot_ending.{kind}"):
        return ending
    return message(language, f"bot_ending.{kind}", which=which)
