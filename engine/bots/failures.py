"""Why a bot lost a deal: a code for each way to fail, and its sentence in each language."""

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

LANGUAGES: Final = ("en", "es", "de")

TEXTS: Final[Mapping[str, tuple[str, str, str]]] = MappingProxyType(
    {
        ILLEGAL_PLAY: (
            "answered {said!r}, and legal was {legal}",
            "respondió {said!r}, y lo legal era {legal}",
            "antwortete {said!r}, und erlaubt war {legal}",
        ),
        MALFORMED_ANSWER: (
            "sent a line that is not an answer of the protocol ({detail})",
            "envió una línea que no es una respuesta del protocolo ({detail})",
            "schickte eine Zeile, die keine Antwort im Sinne der Schnittstelle ist ({detail})",
        ),
        WRONG_ID: (
            "answered question {said} when {asked} was asked",
            "respondió a la pregunta {said} cuando se le hacía la {asked}",
            "beantwortete Frage {said}, als Frage {asked} gestellt war",
        ),
        TIMEOUT_CPU: (
            "used {used:.2f} s of CPU time where {allowed:.2f} s were left",
            "gastó {used:.2f} s de procesador cuando le quedaban {allowed:.2f} s",
            "brauchte {used:.2f} s Rechenzeit, als noch {allowed:.2f} s übrig waren",
        ),
        HANG: (
            "gave no answer within {limit:g} s",
            "no respondió en {limit:g} s",
            "antwortete nicht innerhalb von {limit:g} s",
        ),
        CRASH: (
            "ended in the middle of the match ({ending})",
            "terminó en mitad de la partida ({ending})",
            "endete mitten in der Partie ({ending})",
        ),
        DIED_AT_START: (
            "ended before it said that it was ready ({ending})",
            "terminó antes de decir que estaba listo ({ending})",
            "endete, bevor er sich bereit meldete ({ending})",
        ),
        SLOW_START: (
            "was not ready within {limit:g} s",
            "no estuvo listo en {limit:g} s",
            "war nicht innerhalb von {limit:g} s bereit",
        ),
        OUTPUT_FLOOD: (
            "wrote more than the {limit} bytes that {what} may have",
            "escribió más de los {limit} bytes que admite {what}",
            "schrieb mehr als die {limit} Bytes, die {what} haben darf",
        ),
        MEMORY: (
            "wanted more than its {limit} bytes of memory ({ending})",
            "quiso más de sus {limit} bytes de memoria ({ending})",
            "wollte mehr als seine {limit} Bytes Speicher ({ending})",
        ),
        THREADS: (
            "ran {said} threads at once, and {limit} are allowed",
            "tuvo {said} hilos a la vez, y se admiten {limit}",
            "hatte {said} Threads zugleich, und erlaubt sind {limit}",
        ),
        PROTOCOL_VERSION: (
            "speaks {said!r}, and the table {asked!r}",
            "habla {said!r}, y la mesa {asked!r}",
            "spricht {said!r}, und der Tisch {asked!r}",
        ),
        INFRASTRUCTURE: (
            "could not be run, through no fault of its own ({detail})",
            "no se pudo ejecutar, y no por culpa suya ({detail})",
            "ließ sich nicht ausführen, ohne eigenes Verschulden ({detail})",
        ),
    }
)
"""What is said of the bot, in each of :data:`LANGUAGES`; the facts of a failure fill the gaps."""

CODES: Final = tuple(TEXTS)

_IN_ALL: Final = (
    "took {limit:g} s in all for its answers of one record",
    "tardó {limit:g} s en total en sus respuestas de un acta",
    "brauchte für seine Antworten in einem Protokoll insgesamt {limit:g} s",
)
"""What is said of a bot that hangs little by little."""

_WHAT: Final = {
    "line": ("a line", "una línea", "eine Zeile"),
    "stdout": ("a match", "una partida", "eine Partie"),
}

_ENDINGS: Final = {
    "code": ("exit code {}", "código de salida {}", "Exit-Code {}"),
    "signal": ("signal {}", "señal {}", "Signal {}"),
    "closed": ("it closed its output", "cerró su salida", "die Ausgabe wurde geschlossen"),
    "unwilling": (
        "asking for memory failed",
        "falló al pedir memoria",
        "es war kein Speicher zu bekommen",
    ),
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
        """What happened, to follow the bot's name; in English where a language has no words."""
        index = LANGUAGES.index(language) if language in LANGUAGES else 0
        facts = dict(self.facts)
        if self.code == OUTPUT_FLOOD:
            facts["what"] = _WHAT[facts["what"]][index]
        if "ending" in facts:
            facts["ending"] = _ended(facts["ending"], index)
        if self.code == ILLEGAL_PLAY:
            facts["legal"] = " ".join(token or '""' for token in facts["legal"])
        texts = _IN_ALL if facts.pop("in_all", False) else TEXTS[self.code]
        return texts[index].format(**facts)


def _ended(ending: str, index: int) -> str:
    """``code 3``, ``signal SIGSEGV`` or a reason of the launcher, in words."""
    kind, _, which = ending.partition(" ")
    said = _ENDINGS.get(kind)
    return said[index].format(which) if said else ending
