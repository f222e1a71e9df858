"""Where messages may be sent to, how they are signed, and when they are sent again."""

import base64
from datetime import timedelta
from ipaddress import ip_address

import pytest

from tournaments.domain import webhooks as webhook_rules
from tournaments.domain.addresses import AddressFault, BadAddress, is_public, read_address

VECTOR = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


def test_the_signature_is_that_of_the_standards_own_example() -> None:
    """The vector of the reference libraries of Standard Webhooks."""
    secret = base64.b64decode(VECTOR)
    assert webhook_rules.encode_secret(secret) == f"whsec_{VECTOR}"
    body = b'{"test": 2432232314}'
    signature = webhook_rules.signature(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, body)
    assert signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_two_secrets_sign_side_by_side() -> None:
    headers = webhook_rules.headers([b"new", b"old"], "msg_1", 7, b"{}")
    assert headers["webhook-id"] == "msg_1"
    assert headers["webhook-timestamp"] == "7"
    assert headers["webhook-signature"].split(" ") == [
        webhook_rules.signature(secret, "msg_1", 7, b"{}") for secret in (b"new", b"old")
    ]


@pytest.mark.parametrize(
    ("url", "host", "port", "target"),
    [
        ("https://club.example", "club.example", 443, "/"),
        ("https://Hooks.Club.example/a/b?c=d&e", "hooks.club.example", 443, "/a/b?c=d&e"),
        ("https://club.example:8443/x", "club.example", 8443, "/x"),
        ("https://club.example./x", "club.example", 443, "/x"),
        ("https://93.184.215.14/", "93.184.215.14", 443, "/"),
        ("https://[2606:2800:21f::1]:8443/", "2606:2800:21f::1", 8443, "/"),
        ("https://xn--pea-8ma.example/", "xn--pea-8ma.example", 443, "/"),
    ],
)
def test_an_address_of_the_public_internet_is_read(
    url: str, host: str, port: int, target: str
) -> None:
    address = read_address(url)
    assert (address.host, address.port, address.target) == (host, port, target)
    assert address.is_https


@pytest.mark.parametrize(
    ("url", "flaw"),
    [
        ("http://club.example/", AddressFault.NOT_HTTPS),
        ("ftp://club.example/", AddressFault.NOT_HTTPS),
        ("file:///etc/passwd", AddressFault.NOT_HTTPS),
        ("gopher://club.example/", AddressFault.NOT_HTTPS),
        ("club.example/hook", AddressFault.NOT_HTTPS),
        ("", AddressFault.UNREADABLE),
        ("https://club.example/a b", AddressFault.UNREADABLE),
        ("https://club.example/\r\nX: y", AddressFault.UNREADABLE),
        ("https://club.example\\@10.0.0.1/", AddressFault.UNREADABLE),
        ("https://peña.example/", AddressFault.UNREADABLE),
        ("https://club.example/#part", AddressFault.UNREADABLE),
        ("https://club.example:99999/", AddressFault.UNREADABLE),
        ("https://[::1", AddressFault.UNREADABLE),
        ("https://user:secret@club.example/", AddressFault.HAS_CREDENTIALS),
        ("https://club.example@127.0.0.1/", AddressFault.HAS_CREDENTIALS),
        ("https://@127.0.0.1/", AddressFault.HAS_CREDENTIALS),
        ("https:///hook", AddressFault.BAD_HOST),
        ("https://-club.example/", AddressFault.BAD_HOST),
        ("https://club..example/", AddressFault.BAD_HOST),
        ("https://2130706433/", AddressFault.BAD_HOST),
        ("https://0x7f000001/", AddressFault.BAD_HOST),
        ("https://0177.0.0.1/", AddressFault.BAD_HOST),
        ("https://127.1/", AddressFault.BAD_HOST),
        ("https://club.example.1/", AddressFault.BAD_HOST),
        ("https://127.0.0.1/", AddressFault.PRIVATE),
        ("https://127.0.0.1./", AddressFault.PRIVATE),
        ("https://169.254.169.254/latest/meta-data/", AddressFault.PRIVATE),
        ("https://[::ffff:127.0.0.1]/", AddressFault.PRIVATE),
        ("https://[::1]/", AddressFault.PRIVATE),
        ("https://[fe80::1%25eth0]/", AddressFault.PRIVATE),
        ("https://localhost/", AddressFault.PRIVATE),
        ("https://redis:6379/", AddressFault.PRIVATE),
        ("https://club.example:22/", AddressFault.BAD_PORT),
        ("https://club.example:80/", AddressFault.BAD_PORT),
        ("https://club.example:0/", AddressFault.BAD_PORT),
        ("https://club.example/" + "x" * 500, AddressFault.TOO_LONG),
    ],
)
def test_an_address_that_leads_elsewhere_is_refused(url: str, flaw: AddressFault) -> None:
    with pytest.raises(BadAddress) as refused:
        read_address(url)
    assert refused.value.flaw is flaw


def test_the_setting_for_ones_own_machine_lets_private_addresses_in() -> None:
    address = read_address("http://localhost:8001/hook", private=True)
    assert (address.is_https, address.host, address.port) == (False, "localhost", 8001)
    with pytest.raises(BadAddress):
        read_address("ftp://localhost/", private=True)


@pytest.mark.parametrize("number", ["1.1.1.1", "8.8.8.8", "93.184.215.14", "2606:4700::1111"])
def test_numbers_of_the_public_internet_are_known(number: str) -> None:
    assert is_public(ip_address(number))


@pytest.mark.parametrize(
    "number",
    [
        *("10.1.2.3", "100.64.0.1", "127.9.9.9", "169.254.169.254", "172.31.0.1", "192.168.0.1"),
        *("0.1.2.3", "192.0.0.8", "198.19.0.1", "203.0.113.9", "224.0.0.251", "240.0.0.1"),
        *("255.255.255.255", "::", "::1", "::ffff:8.8.8.8", "64:ff9b::808:808", "fe80::1"),
        *("2606:4700::1%eth0", "fd00::1", "ff02::1", "2002:808:808::1", "2001::1", "2001:db8::1"),
    ],
)
def test_numbers_that_belong_to_somebodys_own_network_are_not(number: str) -> None:
    assert not is_public(ip_address(number))


def test_a_message_is_tried_ten_times_in_three_days() -> None:
    pauses = [webhook_rules.pause_after(tries, "seed") for tries in range(1, 11)]
    assert pauses[-1] is None
    delays = [pause for pause in pauses if pause is not None]
    assert len(delays) == len(webhook_rules.PAUSES)
    for pause, plain in zip(delays, webhook_rules.PAUSES, strict=True):
        assert plain <= pause <= plain * 1.1
    assert sum(delays, timedelta()) > timedelta(days=3)


def test_a_pause_is_the_same_for_the_same_message_and_others_come_at_other_times() -> None:
    assert webhook_rules.pause_after(3, "msg_1") == webhook_rules.pause_after(3, "msg_1")
    assert len({webhook_rules.pause_after(3, f"msg_{number}") for number in range(20)}) == 20


def test_a_webhook_rests_half_an_hour_at_most() -> None:
    assert webhook_rules.rest_after(1, "seed") < timedelta(seconds=6)
    assert webhook_rules.rest_after(1000, "seed") <= timedelta(minutes=33)


def test_a_webhook_is_given_up_after_five_days_of_failures_and_ten_of_them() -> None:
    days = timedelta(days=5)
    assert webhook_rules.is_given_up(10, days)
    assert not webhook_rules.is_given_up(9, days)
    assert not webhook_rules.is_given_up(1000, days - timedelta(seconds=1))
