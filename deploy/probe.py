"""Ask a web server on a unix socket whether it answers: `python deploy/probe.py SOCKET [PATH]`.

With `BAZA_METRICS_TOKEN` in its environment it is told details and figures. Exit code 0 when the
answer is 200, else 1.
"""

import http.client
import os
import socket
import sys

TIMEOUT = 4.0  # seconds


def main(path: str, address: str = "/healthz") -> int:
    """Ask, and say what came."""
    token = os.environ.get("BAZA_METRICS_TOKEN", "").strip()
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    line = http.client.HTTPConnection("localhost", timeout=TIMEOUT)
    try:
        line.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        line.sock.settimeout(TIMEOUT)
        line.sock.connect(path)
        line.request("GET", address, headers=headers)
        answer = line.getresponse()
        sys.stdout.write(answer.read().decode())
    except (OSError, http.client.HTTPException) as error:
        sys.stderr.write(f"{path}: {error}\n")
        return 1
    finally:
        line.close()
    return int(answer.status != http.client.OK)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
