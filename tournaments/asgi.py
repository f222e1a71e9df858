"""The ASGI application, which `./baza up` serves with granian."""

import gc
import os
import sys

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.settings")

from tournaments.handler import get_application

django = get_application()

# Its views read the settings, which are there by now.
from tournaments.api.streams import Streams  # noqa: E402
from tournaments.web.followers import Followers  # noqa: E402

application = Followers(Streams(django))

# A result comes back from each statement to a thread that waits for its turn among those that write
# pages; with Python's own 5 ms it would wait longer than the database took.
sys.setswitchinterval(0.0005)

# What is there from now on stays: the collector need not look through it again and again.
gc.collect()
gc.freeze()
