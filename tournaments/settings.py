"""Django's settings. What depends on the machine comes from `environment`, which checks it."""

import os
from datetime import timedelta
from typing import Any

from django.utils.translation import gettext_lazy as _

from tournaments import environment

# Database, mails and backups hold codes and links in clear text: every process that loads the
# settings makes files that its own user alone can read, also outside `BAZA_VAR`. granian gives its
# socket the mode of `--uds-permissions` whatever the umask is.
os.umask(0o077)

ENVIRONMENT = environment.read(os.environ)
BASE_DIR = environment.ROOT
VAR = ENVIRONMENT.var

# --- Apps and middleware -----------------------------------------------------------------------
ROOT_URLCONF = "tournaments.urls"
ASGI_APPLICATION = "tournaments.asgi.application"
WSGI_APPLICATION = "tournaments.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
INSTALLED_APPS = [
    "tournaments.apps.TournamentsConfig",
    "tournaments.apps.Admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.sitemaps",
    "tournaments.apps.Static",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_htmx",
    "axes",
]
REQUESTS_AT_ONCE = 4
"""Requests that one web process works on at the same time (`core.middleware`).

Python runs one thread at a time, so more requests would only make each other slow; these few go on
while others wait for the database. The pool has eight connections: some stay free for exports, for
streams and for `/readyz`.
"""
MIDDLEWARE = [  # under ASGI `tournaments.core.middleware` comes before these
    "tournaments.core.middleware.RequestLog",
    "tournaments.operations.views.MonitoringEndpoints",
    "django.middleware.security.SecurityMiddleware",
    "tournaments.core.middleware.SecurityHeaders",
    "tournaments.core.middleware.CrossOriginReads",
    "tournaments.core.api.requests.QuotaHeaders",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "tournaments.core.middleware.NullCharacters",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "tournaments.accounts.session_tracking.SessionTracking",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
    "tournaments.core.api.error_handlers.RetryMiddleware",  # the last one: it calls the view
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "libraries": {
                "accounts": "tournaments.accounts.templatetags",
                "analyses": "tournaments.analysis.templatetags",
                "arena": "tournaments.arena.templatetags",
                "bots": "tournaments.arena.templatetags",
                "codes": "tournaments.printing.templatetags",
                "hands": "tournaments.results.templatetags",
                "lines": "tournaments.standings.templatetags.lines",
                "pages": "tournaments.core.templatetags",
                "people": "tournaments.people.templatetags",
                "prizes": "tournaments.standings.templatetags.prizes",
                "push": "tournaments.push.templatetags",
                "recorder": "tournaments.results.templatetags",
                "seasons": "tournaments.standings.templatetags.seasons",
                "signup": "tournaments.signup.templatetags",
                "standings": "tournaments.standings.templatetags.standings",
                "ui": "tournaments.core.templatetags",
                "webhooks": "tournaments.webhooks.templatetags",
            },
        },
    },
]

# --- Database ----------------------------------------------------------------------------------
DATABASES: dict[str, dict[str, Any]] = {"default": ENVIRONMENT.database}
DIRECT_DATABASE = ENVIRONMENT.direct_database  # for backups, which need one session

# --- Authentication ----------------------------------------------------------------------------
DEBUG = ENVIRONMENT.debug
SECRET_KEY = ENVIRONMENT.secret_key
SECRET_KEY_FALLBACKS = list(ENVIRONMENT.old_secret_keys)
AUDIT_KEY = ENVIRONMENT.audit_key
PUSH_KEY = ENVIRONMENT.push_key
ALLOWED_HOSTS = list(ENVIRONMENT.allowed_hosts)
CSRF_TRUSTED_ORIGINS = [ENVIRONMENT.public_url] if ENVIRONMENT.public_url else []
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
PASSWORD_HASHERS = [
    "tournaments.core.limits.BoundedArgon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

# Five wrong passwords for one name from one address lock them for fifteen minutes. Attempts over
# all names are counted by `tournaments.core.limits`: axes has one limit for all of its
# parameters.
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_CLIENT_IP_CALLABLE = "tournaments.core.limits.network_of"
AXES_LOCKOUT_TEMPLATE = "accounts/locked.html"
AXES_RESET_ON_SUCCESS = True
AXES_DISABLE_ACCESS_LOG = True  # `SignIn` rows record the sessions
AXES_VERBOSE = False

# The link that sets a password is valid for a day; organisers need an authenticator app where the
# service is public.
PASSWORD_RESET_TIMEOUT = int(timedelta(days=1).total_seconds())
SECOND_FACTOR_REQUIRED = ENVIRONMENT.second_factor_required

# --- Mail --------------------------------------------------------------------------------------
EMAIL_TIMEOUT = 10  # seconds
if ENVIRONMENT.email is None:
    EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    EMAIL_FILE_PATH = VAR / "mail"
else:
    EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    EMAIL_HOST = ENVIRONMENT.email["EMAIL_HOST"]
    EMAIL_PORT = ENVIRONMENT.email["EMAIL_PORT"]
    EMAIL_HOST_USER = ENVIRONMENT.email["EMAIL_HOST_USER"]
    EMAIL_HOST_PASSWORD = ENVIRONMENT.email["EMAIL_HOST_PASSWORD"]
    EMAIL_USE_TLS = ENVIRONMENT.email["EMAIL_USE_TLS"]
    EMAIL_USE_SSL = ENVIRONMENT.email["EMAIL_USE_SSL"]
    DEFAULT_FROM_EMAIL = ENVIRONMENT.email["DEFAULT_FROM_EMAIL"]
MAIL_GOES_OUT = ENVIRONMENT.email is not None

# --- Security headers and cookies --------------------------------------------------------------
# The names are those of Django 6, so that its own middleware can replace ours.
SECURE_CSP = {
    "default-src": ["'none'"],
    "script-src": ["'self'"],
    "style-src": ["'self'"],
    "img-src": ["'self'", "data:"],
    "font-src": ["'self'"],
    "connect-src": ["'self'"],
    "worker-src": ["'self'"],
    "manifest-src": ["'self'"],
    "form-action": ["'self'"],
    "base-uri": ["'none'"],
    "frame-ancestors": ["'none'"],
}
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
if ENVIRONMENT.is_https:
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
    SECURE_SSL_REDIRECT = True
    if ENVIRONMENT.hsts != "off":
        SECURE_HSTS_SECONDS = int(timedelta(days=365).total_seconds())
    SECURE_HSTS_INCLUDE_SUBDOMAINS = ENVIRONMENT.hsts in {"subdomains", "preload"}
    SECURE_HSTS_PRELOAD = ENVIRONMENT.hsts == "preload"
    # TLS ends at the proxy in front, which must set this header and drop a visitor's own.
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# --- Languages and time ------------------------------------------------------------------------
LANGUAGE_CODE = "es"
LANGUAGES = [("es", _("Spanish")), ("en", _("English")), ("de", _("German"))]
LOCALE_PATHS = [BASE_DIR / "tournaments" / "locale"]
FORMAT_MODULE_PATH = "tournaments.formats"
USE_I18N = True
TIME_ZONE = "Europe/Madrid"
USE_TZ = True

# --- Static files ------------------------------------------------------------------------------
STATIC_URL = "/static/"
STATIC_ROOT = VAR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "tournaments.core.static.ModuleStaticFilesStorage"},
}
if DEBUG:
    STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
WHITENOISE_KEEP_ONLY_HASHED_FILES = True
MEDIA_ROOT = VAR / "media"

# --- Bots --------------------------------------------------------------------------------------
LADDERS = ENVIRONMENT.ladders

# --- Backups -----------------------------------------------------------------------------------
BACKUPS = ENVIRONMENT.backups
BACKUPS_KEPT = ENVIRONMENT.backups_kept

# --- Redis: cache and broker -------------------------------------------------------------------
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": ENVIRONMENT.redis_url,
        "OPTIONS": {"pool_class": "tournaments.core.cache.SharedPool"},
        "KEY_PREFIX": "baza",
        "KEY_FUNCTION": "tournaments.core.cache.make_key",
        "TIMEOUT": 300,
    },
}

# A database row is the truth, a message only a wake-up: nothing below has to be exact, and losing
# the whole broker loses no work. The values were measured with workers killed half-way.
CELERY_BROKER_URL = ENVIRONMENT.broker_url
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 120,  # seconds; of a task that takes longer, another finds the lease
    "unacked_restore_interval": 2,
    "unacked_restore_throttle": 1,
}
CELERY_TASK_ACKS_LATE = True  # early acknowledgement lost 13 of 480 matches
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SOFT_TIME_LIMIT = 25  # seconds
CELERY_TASK_TIME_LIMIT = 30  # seconds; five more than the soft limit, to clean up
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_DEFAULT_QUEUE = "default"
CELERY_TASK_ROUTES = {
    "tournaments.arena.tasks.play_*": {"queue": "matches"},
    "tournaments.people.tasks.check": {"queue": "matches"},
    "tournaments.analysis.tasks.analyse": {"queue": "analysis"},
    "tournaments.webhooks.tasks.*": {"queue": "webhooks"},
    "tournaments.push.tasks.*": {"queue": "webhooks"},  # its workers wait for others' servers
}
CELERY_WORKER_PREFETCH_MULTIPLIER = 1  # a busy process holds no further message back
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT = 10  # seconds
# Celery's 4 seconds are too short on a busy machine: it killed each process while it started.
CELERY_WORKER_PROC_ALIVE_TIMEOUT = 300  # seconds
CELERY_WORKER_MAX_TASKS_PER_CHILD = 1000  # chosen: bounds what a leak adds up to
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = TIME_ZONE
CELERY_BEAT_SCHEDULER = "tournaments.scheduler:Scheduler"
# A message expires when its successor is due, or earlier: sweeps do not pile up in the queue.
CELERY_BEAT_SCHEDULE = {
    "pick up what is due": {
        "task": "tournaments.arena.tasks.sweep",
        "schedule": timedelta(seconds=5),
        "options": {"expires": 5},
    },
    "begin what is scheduled": {
        "task": "tournaments.arena.tasks.tick",
        "schedule": timedelta(seconds=20),
        "options": {"expires": 20},
    },
    "sign the histories": {
        "task": "tournaments.exchange.tasks.sign_all",
        "schedule": timedelta(hours=1),
        "options": {"expires": 3600},
    },
    "bring ratings up to date": {
        "task": "tournaments.ratings.tasks.sweep",
        "schedule": timedelta(seconds=10),
        "options": {"expires": 10},
    },
    **{
        f"heartbeat of {queue}": {
            "task": "tournaments.operations.tasks.answer",
            "args": (queue,),
            "schedule": timedelta(seconds=30),
            "options": {"queue": queue, "expires": 120},
        }
        for queue in ("default", "matches", "analysis", "webhooks")
        if ENVIRONMENT.analysis or queue != "analysis"
    },
    "go on with analyses": {
        "task": "tournaments.analysis.tasks.sweep",
        "schedule": timedelta(seconds=5),
        "options": {"expires": 5},
    },
    "check the bots that were brought": {
        "task": "tournaments.people.tasks.sweep",
        "schedule": timedelta(minutes=1),
        "options": {"expires": 60},
    },
    "tell the webhooks": {
        "task": "tournaments.webhooks.tasks.sweep",
        "schedule": timedelta(seconds=5),
        "options": {"expires": 5},
    },
    "tell the browsers": {
        "task": "tournaments.push.tasks.sweep",
        "schedule": timedelta(seconds=5),
        "options": {"expires": 5},
    },
    "confirm what nobody objected to": {
        "task": "tournaments.results.tasks.confirm",
        "schedule": timedelta(minutes=1),
        "options": {"expires": 60},
    },
    "back up when it is due": {  # after four in the morning
        "task": "tournaments.operations.tasks.back_up",
        "schedule": timedelta(minutes=15),
        "options": {"expires": 900},
    },
    "send the mails that were not sent": {
        "task": "tournaments.accounts.tasks.sweep",
        "schedule": timedelta(minutes=1),
        "options": {"expires": 60},
    },
    "write to who signed up": {
        "task": "tournaments.signup.tasks.sweep",
        "schedule": timedelta(minutes=1),
        "options": {"expires": 60},
    },
    "forget old keys": {
        "task": "tournaments.results.tasks.forget",
        "schedule": timedelta(hours=1),
        "options": {"expires": 600},
    },
    "forget what has been kept for its time": {
        "task": "tournaments.profiles.tasks.forget",
        "schedule": timedelta(hours=1),
        "options": {"expires": 600},
    },
}

# --- The API -----------------------------------------------------------------------------------
REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["tournaments.core.api.rendering.PrintableJSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": ["tournaments.core.api.requests.BearerToken"],
    "DEFAULT_PERMISSION_CLASSES": [],  # services and queries check permissions
    "DEFAULT_THROTTLE_CLASSES": ["tournaments.core.api.requests.Quota"],
    "DEFAULT_THROTTLE_RATES": {"anonymous": 1200, "token": 3000},  # requests a minute
    "DEFAULT_SCHEMA_CLASS": "tournaments.core.api.schema.Schema",
    "DEFAULT_VERSIONING_CLASS": None,
    "EXCEPTION_HANDLER": "tournaments.core.api.problems.handle_exception",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Baza",
    "DESCRIPTION": "Tute tournaments: clubs, tournaments, matches and their audited records.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "WEBHOOKS": ["tournaments.webhooks.api.EVENT", "tournaments.webhooks.api.OF_CLUB"],
    "POSTPROCESSING_HOOKS": [
        "tournaments.core.api.schema.add_common_refusals",
        "tournaments.api.examples.add_examples",
    ],
}

# --- Logging -----------------------------------------------------------------------------------
ERROR_REPORTS: dict[str, dict[str, Any]] = {}
if ENVIRONMENT.sentry_dsn:
    reports = {
        "class": "tournaments.core.error_reports.ErrorReports",
        "dsn": ENVIRONMENT.sentry_dsn,
    }
    ERROR_REPORTS["error_reports"] = reports
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"()": "tournaments.core.logs.TextFormatter"},
        "json": {"()": "tournaments.core.logs.JsonFormatter"},
    },
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": ENVIRONMENT.log},
        **ERROR_REPORTS,
    },
    "root": {"handlers": ["console", *ERROR_REPORTS], "level": "INFO"},
    "loggers": {
        "django": {"handlers": [], "level": "INFO", "propagate": True},
        "django.server": {"handlers": [], "level": "WARNING", "propagate": True},
        # Its own handler would format lines in another way.
        "_granian": {"handlers": ["console"], "level": "INFO", "propagate": False},
        # A line a request in JSON; for people, only the failures.
        "tournaments.core.middleware": {
            "level": "INFO" if ENVIRONMENT.log == "json" else "WARNING"
        },
        # It logs names of accounts and addresses; its rows hold the same facts.
        "axes": {"level": "ERROR"},
        "celery": {"level": "INFO"},
        # The sweep alone would write four lines every five seconds.
        "celery.app.trace": {"level": "WARNING"},
        "celery.beat": {"level": "WARNING"},
        "celery.worker.strategy": {"level": "WARNING"},
        # It logs forty lines for every font of every paper.
        "fontTools": {"level": "WARNING"},
    },
}
