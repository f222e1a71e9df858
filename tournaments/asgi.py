"""The ASGI application, which `./baza up` serves with granian."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.settings")

application = get_asgi_application()
