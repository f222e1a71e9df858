"""The web server's address: free port, host names, and whether it answers."""

import http.client
import platform
import socket

EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  (only if asked for by name)  # nosec B104
TIMEOUT = 5.0  # seconds


def free_port(host: str, port: int) -> int:
    """Return the port, or a free one for 0; raises `OSError` when the port is in use."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind((host, port))
        chosen: int = probe.getsockname()[1]
    return chosen


def address(host: str, port: int, public_url: str) -> str:
    """Return the address to open in a browser."""
    if public_url:
        return f"{public_url}/ (listening on {host}, port {port})"
    return f"http://{bracketed(own_address() if host in EVERYWHERE else host)}:{port}/"


def bracketed(host: str) -> str:
    """Return a host as URLs write it: IPv6 in square brackets."""
    return f"[{host}]" if ":" in host else host


def other_hosts(host: str) -> list[str]:
    """Return the host names besides localhost that the service on this host answers to."""
    if host in EVERYWHERE:
        return [platform.node(), own_address()]
    return [bracketed(host)]


def own_address() -> str:
    """Return this machine's address on its network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent: it only selects the network card
        except OSError:
            return "127.0.0.1"
        found: str = probe.getsockname()[0]
    return found


def front_page_status(host: str, port: int) -> int | None:
    """Return the HTTP status of the front page; None without an answer."""
    client = http.client.HTTPConnection(EVERYWHERE.get(host, host), port, timeout=TIMEOUT)
    try:
        client.request("GET", "/", headers={"Host": f"localhost:{port}"})
        return client.getresponse().status
    except (OSError, http.client.HTTPException):
        return None
    finally:
        client.close()
