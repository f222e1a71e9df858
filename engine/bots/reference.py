"""Whether a bot that is known to be good runs here, now, under the same limits."""

import shutil
import tempfile
from pathlib import Path
from typing import Final

from engine.bots.failures import BotFailure
from engine.bots.limits import Limits
from engine.bots.process import ProcessBot
from engine.bots.sandbox import SandboxError
from engine.rulesets import RULESETS
from engine.view import View

_PROGRAM: Final = Path(__file__).with_name("reference_bot.py")


def reference_runs(limits: Limits | None = None, *, trusted: bool = False) -> bool:
    """Start the reference bot and ask it one question; ``False`` when it fails in any way."""
    rules = RULESETS["parejas-online"]
    question = View(
        rules=rules,
        seat="A",
        dealer="D",
        trump="o",
        trump_card="7o",
        hand=("1c",),
        table=(),
        history=(),
        points={"AC": 0, "BD": 0},
        trick=10,
        legal=("1c",),
    )
    with tempfile.TemporaryDirectory(prefix="baza-reference-") as folder:
        copy = Path(shutil.copy(_PROGRAM, folder))
        bot = ProcessBot(["python3", str(copy)], rules, "A", limits=limits, trusted=trusted)
        try:
            return bot.choose(question) == "1c"
        except (BotFailure, SandboxError):
            return False
        finally:
            bot.close()
