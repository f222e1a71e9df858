"""The ASGI application, which `./baza up` serves with granian."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.settings")

from django.conf import settings
from django.core.asgi import get_asgi_application
from django.urls import get_resolver

from tournaments.core.db import refuse_damaged_database
from tournaments.core.processor import bind_to_one_processor, limit_garbage_collection

# Here and not in the settings: Django would start an event loop for every request of its test
# client and of a WSGI server to call an asynchronous middleware.
settings.MIDDLEWARE = ["tournaments.core.middleware.RequestLimit", *settings.MIDDLEWARE]

refuse_damaged_database()
django = get_asgi_application()
processor_lock = bind_to_one_processor(settings.VAR)

# Its views read the settings, which are complete by now.
from tournaments.live.streams import Streams  # noqa: E402

application = Streams(django)

# The routes import the views, which are to be among the objects that are never collected.
get_resolver().url_patterns  # noqa: B018 - loads them
limit_garbage_collection()
