"""The ASGI application, which `./baza up` serves with granian."""

import gc
import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.settings")

application = get_asgi_application()

# What is there from now on stays: the collector need not look through it again and again.
gc.collect()
gc.freeze()
