"""Why a bot lost a deal: a code for each way to fail, and its sentence in two languages."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

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

TEXTS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        ILLEGAL_PLAY: (
            "answered {said!r}, and legal was {legal}",
            "respondió {said!r}, y lo legal era {legal}",
        ),
        MALFORMED_ANSWER: (
            "sent a line that is not an answer of the protocol ({detail})",
            "envió una línea que no es una respuesta del protocolo ({detail})",
        ),
        WRONG_ID: (
            "answered question {said} when {asked} was asked",
            "respondió a la pregunta {said} cuando se le hacía la {asked}",
        ),
        TIMEOUT_CPU: (
            "used {used:.2f} s of CPU time where {allowed:.2f} s were left",
            "gastó {used:.2f} s de procesador cuando le quedaban {allowed:.2f} s",
        ),
        HANG: (
            "gave no answer within {limit:g} s",
            "no respondió en {limit:g} s",
        ),
        CRASH: (
            "ended in the middle of the match ({ending})",
            "terminó en mitad de la partida ({ending})",
        ),
        DIED_AT_START: (
            "ended before it said that it was ready ({ending})",
            "terminó antes de decir que estaba listo ({ending})",
        ),
        SLOW_START: (
            "was not ready within {limit:g} s",
            "no estuvo listo en {limit:g} s",
        ),
        OUTPUT_FLOOD: (
            "wrote more than the {limit} bytes that {what} may have",
            "escribió más de los {limit} bytes que admite {what}",
        ),
        MEMORY: (
            "wanted more than its {limit} bytes of memory ({ending})",
            "quiso más de sus {limit} bytes de memoria ({ending})",
        ),
        THREADS: (
            "ran {said} threads at once, and {limit} are allowed",
            "tuvo {said} hilos a la vez, y se admiten {limit}",
        ),
        PROTOCOL_VERSION: (
            "speaks {said!r}, and the table {asked!r}",
            "habla {said!r}, y la mesa {asked!r}",
        ),
        INFRASTRUCTURE: (
            "could not be run, through no fault of its own ({detail})",
            "no se pudo ejecutar, y no por culpa suya ({detail})",
        ),
    }
)
"""What is said of the bot, in English and in Spanish; the facts of a failure fill the gaps."""

CODES: Final = tuple(TEXTS)

_WHAT: Final = {"line": ("a line", "una línea"), "stdout": ("a match", "una partida")}

_ENDINGS: Final = {
    "code": ("exit code {}", "código de salida {}"),
    "signal": ("signal {}", "señal {}"),
    "closed": ("it closed its output", "cerró su salida"),
    "unwilling": ("asking for memory failed", "falló al pedir memoria"),
}


class BotFailure(Exception):  # noqa: N818 - what the arena calls it
    """A bot that cannot go on; ``code`` is one of :data:`CODES`, ``facts`` fill its sentence.

    ``evidence`` is what the bot last wrote, cut short; ``stderr`` the end of its standard error.
    """

    def __init__(self, code: str, *, evidence: str = "", stderr: str = "", **facts: Any) -> None:
        self.code = code
        self.facts = facts
        self.evidence = evidence
        self.stderr = stderr
        super().__init__(f"{code}: {self.words('en')}")

    @property
    def is_the_bots(self) -> bool:
        """Whether the bot answers for it, and not the machine it ran on."""
        return self.code != INFRASTRUCTURE

    def words(self, language: str) -> str:
        """What happened, to follow the bot's name; ``language`` is ``en`` or ``es``."""
        spanish = language == "es"
        facts = dict(self.facts)
        if self.code == OUTPUT_FLOOD:
            facts["what"] = _WHAT[facts["what"]][spanish]
        if "ending" in facts:
            facts["ending"] = _ended(facts["ending"], spanish)
        if self.code == ILLEGAL_PLAY:
            facts["legal"] = " ".join(token or '""' for token in facts["legal"])
        return TEXTS[self.code][spanish].format(**facts)


def _ended(ending: str, spanish: bool) -> str:
    """``code 3``, ``signal SIGSEGV`` or a reason of the launcher, in words."""
    kind, _, which = ending.partition(" ")
    said = _ENDINGS.get(kind)
    return said[spanish].format(which) if said else ending
