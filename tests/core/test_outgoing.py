"""Sending to strangers' addresses: what is sent, what is refused, what is given up (fault 32)."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from tests.endpoints import (
    HOST,
    PUBLIC,
    Authority,
    Endpoint,
    Internet,
    answers,
    make_authority,
    serving,
    trusting,
)
from tournaments.core import outgoing
from tournaments.core.outgoing import MAX_REPLY_BYTES, Reply, send
from tournaments.domain.addresses import read_address
from tournaments.models import Delivery

if TYPE_CHECKING:
    import http.server
    from collections.abc import Iterator
    from pathlib import Path

Fault = Delivery.Fault
PATIENCE = 30.0


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return make_authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture
def endpoint(authority: Authority, monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    with serving(authority.chain) as endpoints, trusting(authority, monkeypatch):
        yield endpoints


@pytest.fixture
def internet(monkeypatch: pytest.MonkeyPatch) -> Internet:
    network = Internet({HOST: [[PUBLIC]]})
    network.install(monkeypatch)
    return network


def send_ping(url: str, *, patience: float = PATIENCE) -> Reply:
    return send(read_address(url), b'{"type":"ping"}', {"webhook-id": "msg_1"}, patience=patience)


def test_a_message_arrives_as_it_is(endpoint: Endpoint, internet: Internet) -> None:
    endpoint.answer = answers(200, b"gracias")
    reply = send_ping(endpoint.url)
    assert (reply.status, reply.body, reply.fault) == (200, b"gracias", None)
    assert reply.is_accepted
    (received,) = endpoint.received
    assert received.path == "/baza?club=1"
    assert received.body == b'{"type":"ping"}'
    assert received.headers["host"] == f"{HOST}:{endpoint.port}"
    assert received.headers["webhook-id"] == "msg_1"
    assert internet.asked == [HOST]
    assert internet.connected == [PUBLIC]


@pytest.mark.parametrize("status", [400, 404, 410, 500, 503])
def test_an_answer_that_is_no_success_is_kept_and_did_not_arrive(
    endpoint: Endpoint, internet: Internet, status: int
) -> None:
    endpoint.answer = answers(status, b"no")
    reply = send_ping(endpoint.url)
    assert (reply.status, reply.body, reply.is_accepted) == (status, b"no", False)


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_nobody_is_led_elsewhere(endpoint: Endpoint, internet: Internet, status: int) -> None:
    internet.names["metadata.example"] = [["169.254.169.254"]]
    endpoint.answer = answers(status, Location="https://metadata.example/latest/")
    reply = send_ping(endpoint.url)
    assert (reply.status, reply.is_accepted) == (status, False)
    assert internet.asked == [HOST]
    assert len(endpoint.received) == 1


def test_of_a_long_answer_the_beginning_is_read(endpoint: Endpoint, internet: Internet) -> None:
    endpoint.answer = answers(200, b"x" * (1 << 20))
    assert send_ping(endpoint.url).body == b"x" * MAX_REPLY_BYTES


@pytest.mark.parametrize(
    "number",
    [
        "127.0.0.1",
        "10.0.0.8",
        "172.16.3.4",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",  # noqa: S104 - to be refused
        "224.0.0.1",
        "255.255.255.255",
        "::1",
        "::",
        "::ffff:127.0.0.1",
        "::ffff:93.184.215.14",
        "64:ff9b::7f00:1",
        "64:ff9b:1::a00:8",
        "2002:7f00:1::",
        "2001:0:4136:e378:8000:63bf:3fff:fdd2",
        "fe80::1",
        "fc00::1",
        "fd00:ec2::254",
        "ff02::1",
    ],
)
def test_a_name_that_leads_into_a_private_network_is_not_connected_to(
    endpoint: Endpoint, internet: Internet, number: str
) -> None:
    internet.names[HOST] = [[number]]
    reply = send_ping(endpoint.url)
    assert (reply.status, reply.fault) == (None, Fault.PRIVATE)
    assert internet.connected == []
    assert endpoint.received == []


def test_one_private_number_among_public_ones_spoils_the_name(
    endpoint: Endpoint, internet: Internet
) -> None:
    internet.names[HOST] = [[PUBLIC, "127.0.0.1"]]
    assert send_ping(endpoint.url).fault == Fault.PRIVATE
    assert internet.connected == []


def test_a_name_that_changes_between_two_looks_is_looked_at_once(
    endpoint: Endpoint, internet: Internet
) -> None:
    """Rebinding: the second answer would be this machine. Nobody asks for it."""
    internet.names[HOST] = [[PUBLIC], ["127.0.0.1"]]
    assert send_ping(endpoint.url).is_accepted
    assert internet.asked == [HOST]
    assert internet.connected == [PUBLIC]


def test_the_next_message_looks_again(endpoint: Endpoint, internet: Internet) -> None:
    internet.names[HOST] = [[PUBLIC], ["127.0.0.1"]]
    assert send_ping(endpoint.url).is_accepted
    assert send_ping(endpoint.url).fault == Fault.PRIVATE
    assert internet.connected == [PUBLIC]
    assert len(endpoint.received) == 1


def test_who_is_really_at_the_other_end_counts(
    endpoint: Endpoint, internet: Internet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After resolution the connection itself says with whom it is."""
    internet.led_here = set()
    internet.names[HOST] = [["127.0.0.1"]]
    looked: list[str] = []

    def public_at_first(number: object) -> bool:
        looked.append(str(number))
        return len(looked) == 1

    monkeypatch.setattr(outgoing, "is_public", public_at_first)
    reply = send_ping(endpoint.url)
    assert looked == ["127.0.0.1", "127.0.0.1"]
    assert reply.fault == Fault.PRIVATE
    assert endpoint.received == []


def test_a_name_that_is_not_known_is_said_to_be(endpoint: Endpoint, internet: Internet) -> None:
    internet.names[HOST] = [[]]
    assert send_ping(endpoint.url).fault == Fault.NAME


def test_nobody_listening_is_said_to_be(internet: Internet) -> None:
    with serving(None) as endpoints:
        port = endpoints.port
    assert send_ping(f"https://{HOST}:{port}/").fault == Fault.CONNECTION


def test_a_proxy_of_the_environment_is_not_asked(
    endpoint: Endpoint, internet: Internet, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "http_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert send_ping(endpoint.url).is_accepted
    assert internet.connected == [PUBLIC]


def test_the_certificate_of_another_host_is_refused(
    authority: Authority, internet: Internet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = make_authority(tmp_path, "other.example")
    with serving(other.chain) as endpoint, trusting(other, monkeypatch):
        assert send_ping(endpoint.url).fault == Fault.TLS
        assert endpoint.received == []


def test_the_certificate_of_an_unknown_authority_is_refused(
    endpoint: Endpoint, internet: Internet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with trusting(make_authority(tmp_path), monkeypatch):
        assert send_ping(endpoint.url).fault == Fault.TLS
    assert endpoint.received == []


def test_who_does_not_speak_tls_gets_nothing(internet: Internet, endpoint: Endpoint) -> None:
    with serving(None) as plain:
        assert send_ping(f"https://{HOST}:{plain.port}/").fault in {Fault.TLS, Fault.CONNECTION}
        assert plain.received == []


def test_an_endpoint_that_says_nothing_is_given_up(endpoint: Endpoint, internet: Internet) -> None:
    released = threading.Event()

    def wait(_: http.server.BaseHTTPRequestHandler) -> None:
        released.wait(PATIENCE)

    endpoint.answer = wait
    reply = send_ping(endpoint.url, patience=0.5)
    released.set()
    assert (reply.status, reply.fault) == (None, Fault.TIME)


@pytest.mark.parametrize("part", ["head", "body"])
def test_an_answer_that_drips_is_cut(endpoint: Endpoint, internet: Internet, part: str) -> None:
    """Each byte comes in time; all of them together do not."""
    released = threading.Event()

    def drip(handler: http.server.BaseHTTPRequestHandler) -> None:
        if part == "body":
            handler.send_response(200)
            handler.send_header("Content-Length", "4000")
            handler.end_headers()
        else:
            handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        while not released.wait(0.05):
            handler.wfile.write(b"x")

    endpoint.answer = drip
    reply = send_ping(endpoint.url, patience=0.5)
    released.set()
    assert (reply.status, reply.fault) == (None, Fault.TIME)


def test_what_is_no_http_is_said_to_be_none(endpoint: Endpoint, internet: Internet) -> None:
    def babble(handler: http.server.BaseHTTPRequestHandler) -> None:
        handler.wfile.write(b"SSH-2.0-OpenSSH_9.9\r\n")
        handler.close_connection = True

    endpoint.answer = babble
    assert send_ping(endpoint.url).fault == Fault.ANSWER


def test_the_setting_lets_messages_into_ones_own_network() -> None:
    with serving(None) as endpoint:
        address = read_address(f"http://127.0.0.1:{endpoint.port}/here", private=True)
        assert send(address, b"{}", {}, private=True).is_accepted
        assert endpoint.received[0].path == "/here"
        assert send(address, b"{}", {}).fault == Fault.PRIVATE
