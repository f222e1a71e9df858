"""The examples of docs/programs/webhooks.md check a message that Baza has signed."""

from __future__ import annotations

import base64
import re
import shutil
import subprocess
import time
from typing import TYPE_CHECKING, Any

import pytest

from tournaments.domain import webhooks as webhook_rules
from tournaments.environment import ROOT
from tournaments.models import Webhook

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

GUIDE = (ROOT / "docs/programs/webhooks.md").read_text(encoding="utf-8")
BODY = '{"type":"ping","data":{"club":"peña"}}'.encode()


def block(language: str) -> str:
    occurrences = re.findall(rf"^```{language}\n(.*?)^```$", GUIDE, flags=re.MULTILINE | re.DOTALL)
    assert len(occurrences) == 1
    return str(occurrences[0])


@pytest.fixture
def is_genuine() -> Callable[[str, dict[str, str], bytes], bool]:
    names: dict[str, Any] = {}
    exec(block("python"), names)  # noqa: S102 - the document's own example
    verify: Callable[[str, dict[str, str], bytes], bool] = names["is_genuine"]
    return verify


def test_the_example_in_python_takes_what_is_genuine_and_nothing_else(
    is_genuine: Callable[[str, dict[str, str], bytes], bool],
) -> None:
    key, now = b"k" * 32, int(time.time())
    secret = webhook_rules.encode_secret(key)
    headers = webhook_rules.headers([b"another", key], "msg_1", now, BODY)
    assert is_genuine(secret, headers, BODY)
    assert not is_genuine(secret, headers, BODY + b" ")
    assert not is_genuine(secret, {**headers, "webhook-id": "msg_2"}, BODY)
    assert not is_genuine(webhook_rules.encode_secret(b"l" * 32), headers, BODY)
    old = webhook_rules.headers([key], "msg_1", now - 3600, BODY)
    assert not is_genuine(secret, old, BODY)


def test_the_example_with_openssl_gives_the_signature(tmp_path: Path) -> None:
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    (tmp_path / "body.json").write_bytes(BODY)
    key = bytes(range(32))
    process = subprocess.run(
        ["/bin/sh", "-c", block("sh")],
        env={
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "secret": webhook_rules.encode_secret(key),
            "id": "msg_1",
            "timestamp": "1614265330",
        },
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
    )
    signature = webhook_rules.signature(key, "msg_1", 1614265330, BODY).removeprefix("v1,")
    assert process.stdout.strip() == signature
    assert base64.b64decode(signature)


def test_the_types_that_are_its_own_are_reported() -> None:
    assert "`ping`" in GUIDE
    assert f"`{Webhook.Type.CHECKPOINT.value}`" in GUIDE
