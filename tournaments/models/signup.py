"""Sign-up for a tournament, its sources, links and requests with people, and the cash book."""

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.domain.names import MAX_NAME_LENGTH
from tournaments.models.entries import new_code
from tournaments.models.people import Player
from tournaments.models.prizes import PrizeLine
from tournaments.models.tournaments import MAX_LINE_LENGTH, Tournament


class SignUp(models.Model):
    """How people sign up for a tournament.

    The form on the web is open from ``opens_at`` (None: there is none) until ``closes_at`` (None:
    until it is closed by hand, ``closed_at``). With ``opens_when_posted`` posting the tournament
    writes ``opens_at``. ``places`` is the number of entries that can play,
    ``minimum`` the number below which the organiser is warned, ``most_waiting`` how many may wait
    before the form on the web takes no more (None: as `most_waiting_of` says). A place is a rank,
    no state: entries come first, then live requests without an entry by ticket. ``condition`` is a
    line to tick.

    ``fee_cents`` is due for each entry or each person; members of the club pay ``member_cents``
    where it is set. ``last_ticket`` counts the tickets given; it is raised under the tournament's
    lock, so that tickets have no gap. ``contacts_kept``: their deletion was put off, once.
    ``best_others`` come from all sources together in ``others_order``, of those who are through in
    none.
    """

    class Per(models.TextChoices):
        """The unit that pays the fee."""

        ENTRY = "entry", _("each entry")
        PERSON = "person", _("each person")

    class OthersOrder(models.TextChoices):
        """The order in which the best of those come who are through in no source."""

        PLACE = "place", _("by place, then points, hands and card points a match")
        POINTS = "points", _("by points, then hands and card points a match")

    tournament = models.OneToOneField(Tournament, on_delete=models.PROTECT, related_name="sign_up")
    opens_at = models.DateTimeField(_("sign-up opens"), null=True, blank=True)
    opens_when_posted = models.BooleanField(
        _("sign-up opens when it is posted"), default=False, db_default=False
    )
    closes_at = models.DateTimeField(_("sign-up closes"), null=True, blank=True)
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)
    places = models.PositiveSmallIntegerField(_("places"), null=True, blank=True)
    minimum = models.PositiveSmallIntegerField(_("at least"), null=True, blank=True)
    most_waiting = models.PositiveSmallIntegerField(_("waiting at most"), null=True, blank=True)
    singles = models.BooleanField(_("singles may sign up"), default=False)
    only_paid = models.BooleanField(_("only those who paid are entered"), default=False)
    condition = models.CharField(_("condition"), max_length=MAX_LINE_LENGTH, blank=True)
    asks_contact = models.BooleanField(_("ask for a telephone or e-mail"), default=True)
    shows_names = models.BooleanField(_("show the names of those who are in"), default=False)
    fee_cents = models.PositiveIntegerField(_("fee in cents"), default=0)
    fee_per = models.CharField(
        _("who pays it"), max_length=6, choices=Per.choices, default=Per.ENTRY
    )
    member_cents = models.PositiveIntegerField(_("fee of members"), null=True, blank=True)
    best_others = models.PositiveSmallIntegerField(
        _("the best of the others"), default=0, db_default=0
    )
    others_order = models.CharField(
        _("order of the others"),
        max_length=6,
        choices=OthersOrder.choices,
        default=OthersOrder.PLACE,
        db_default=OthersOrder.PLACE.value,
    )
    last_ticket = models.PositiveIntegerField(default=0)
    contacts_kept = models.BooleanField(_("contacts kept longer"), default=False, db_default=False)

    class Meta:
        verbose_name = _("sign-up")
        verbose_name_plural = _("sign-ups")
        ordering = ("tournament_id",)

    def __str__(self) -> str:
        return str(self.tournament)


class SignUpLink(models.Model):
    """A secret link with which a bar or a centre signs up at most ``quota`` of its own.

    The quota is a cap, no reservation. ``origin`` is the name that its requests get.
    """

    signup = models.ForeignKey(SignUp, on_delete=models.PROTECT, related_name="links")
    origin = models.CharField(_("bar or centre"), max_length=MAX_NAME_LENGTH)
    quota = models.PositiveSmallIntegerField(_("at most"))
    digest = models.CharField(max_length=64, unique=True, editable=False)
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)

    class Meta:
        verbose_name = _("sign-up link")
        verbose_name_plural = _("sign-up links")
        ordering = ("signup_id", "pk")
        constraints = (
            models.CheckConstraint(condition=Q(quota__gte=1), name="a_link_is_for_one_at_least"),
        )

    def __str__(self) -> str:
        return f"{self.signup}: {self.origin}"


class SignUpSource(models.Model):
    """A tournament of the club from which the first ``take`` come into a sign-up (a final).

    ``origin`` is what its tickets come from, as `SignUpRequest.origin`; ``order`` the place of the
    source on the page, and who of two sources comes first where one person is through in both.
    """

    signup = models.ForeignKey(SignUp, on_delete=models.PROTECT, related_name="sources")
    tournament = models.ForeignKey(
        Tournament, on_delete=models.PROTECT, related_name="sign_up_sources"
    )
    take = models.PositiveSmallIntegerField(_("places that come through"))
    origin = models.CharField(_("comes from"), max_length=MAX_NAME_LENGTH, blank=True)
    order = models.PositiveSmallIntegerField(_("order"))

    class Meta:
        verbose_name = _("source of a sign-up")
        verbose_name_plural = _("sources of sign-ups")
        ordering = ("signup_id", "order", "pk")
        constraints = (
            models.UniqueConstraint(
                fields=("signup", "tournament"), name="one_source_per_tournament"
            ),
            models.CheckConstraint(condition=Q(take__gte=1), name="a_source_gives_one_at_least"),
        )

    def __str__(self) -> str:
        return f"{self.signup}: {self.tournament}"


class SignUpRequest(models.Model):
    """A pair or player, or half a pair, that asks for a place; rows are never deleted.

    One that is no ticket (``is_ticket``) never waits for a place: it pays for an entry that did not
    come from the sign-up. A request is live until it leaves (``left_at``) or a single is ``joined``
    to an earlier one, whose place the two then share. ``due_cents`` is the fee as it was promised.
    With ``code`` its
    people reach their own page; its entry takes the code over. ``form_key`` identifies the form
    that made it, so that a form sent again makes no second request. ``members`` is how many of its
    people say that they are members of the club. ``renamed_at``: one of its names was changed by
    the own link, which can be done once. ``told_in`` is the last answer that its people got about
    their place: whether they are in.

    Of a place in a final ``source_entry`` is the number of the entry in its ``source``, and
    ``source_place`` its place there when it was noted, and ``source_digest`` the digest of the
    source's proof by then; ``source_why`` is the reason of one who was invited without being
    through. One with a ``source_place`` and no source came through in a tournament of another club
    or system, ``origin``: the organiser stated the place.
    """

    signup = models.ForeignKey(SignUp, on_delete=models.PROTECT, related_name="requests")
    ticket = models.PositiveIntegerField(_("ticket"))
    pair_name = models.CharField(_("name of the pair"), max_length=MAX_NAME_LENGTH, blank=True)
    reserve = models.CharField(_("reserve"), max_length=MAX_NAME_LENGTH, blank=True)
    origin = models.CharField(_("comes from"), max_length=MAX_NAME_LENGTH, blank=True)
    contact = models.CharField(_("telephone or e-mail"), max_length=MAX_LINE_LENGTH, blank=True)
    members = models.PositiveSmallIntegerField(_("members of the club"), default=0)
    agreed_at = models.DateTimeField(_("condition accepted"), null=True, blank=True)
    due_cents = models.PositiveIntegerField(_("due in cents"), default=0)
    code = models.CharField(_("code"), max_length=12, default=new_code, editable=False)
    is_ticket = models.BooleanField(_("on the list"), default=True, db_default=True)
    form_key = models.CharField(max_length=64, null=True, blank=True, editable=False)
    link = models.ForeignKey(
        SignUpLink, on_delete=models.PROTECT, related_name="requests", null=True, blank=True
    )
    joined = models.ForeignKey(
        "self", on_delete=models.PROTECT, related_name="partners", null=True, blank=True
    )
    source = models.ForeignKey(
        SignUpSource, on_delete=models.PROTECT, related_name="requests", null=True, blank=True
    )
    source_entry = models.PositiveIntegerField(null=True, blank=True)
    source_place = models.PositiveIntegerField(null=True, blank=True)
    source_digest = models.CharField(max_length=80, blank=True, default="", db_default="")
    source_why = models.CharField(
        _("reason of the invitation"),
        max_length=MAX_LINE_LENGTH,
        blank=True,
        default="",
        db_default="",
    )
    renamed_at = models.DateTimeField(null=True, blank=True)
    told_in = models.BooleanField(default=False)
    made_at = models.DateTimeField(default=timezone.now)
    made_by = models.CharField(_("made by"), max_length=200)
    left_at = models.DateTimeField(_("left"), null=True, blank=True)
    left_why = models.CharField(_("reason"), max_length=MAX_LINE_LENGTH, blank=True)

    class Meta:
        verbose_name = _("request for a place")
        verbose_name_plural = _("requests for a place")
        ordering = ("signup_id", "ticket")
        constraints = (
            models.UniqueConstraint(fields=("signup", "ticket"), name="one_request_per_ticket"),
            models.UniqueConstraint(fields=("signup", "code"), name="one_request_per_code"),
            models.UniqueConstraint(fields=("signup", "form_key"), name="one_request_per_form"),
            models.UniqueConstraint(
                fields=("source", "source_entry"), name="one_request_per_place"
            ),
            models.CheckConstraint(condition=Q(ticket__gte=1), name="tickets_count_from_one"),
            models.CheckConstraint(condition=Q(members__lte=2), name="a_request_is_of_two_at_most"),
            models.CheckConstraint(
                condition=Q(joined__isnull=True) | ~Q(joined=F("pk")),
                name="nobody_is_joined_to_themselves",
            ),
        )

    def __str__(self) -> str:
        return f"{self.signup}: {self.ticket}"


class SignUpPerson(models.Model):
    """A person of a request; ``folded`` finds the same name in other requests.

    Who comes from a source is entered as that ``player``, whatever names others have.
    ``erased_at``: the name was erased, and is erased again after a restore of an older backup.
    """

    request = models.ForeignKey(SignUpRequest, on_delete=models.PROTECT, related_name="people")
    seat = models.PositiveSmallIntegerField(_("seat"))
    name = models.CharField(_("name"), max_length=MAX_NAME_LENGTH)
    folded = models.CharField(max_length=4 * MAX_NAME_LENGTH, db_index=True, editable=False)
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="+", null=True, blank=True
    )
    erased_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("person of a request")
        verbose_name_plural = _("persons of requests")
        ordering = ("request_id", "seat")
        constraints = (
            models.UniqueConstraint(fields=("request", "seat"), name="one_person_per_seat"),
            models.CheckConstraint(condition=Q(seat__in=(1, 2)), name="a_request_has_two_seats"),
        )

    def __str__(self) -> str:
        return self.name


class SignUpNews(models.Model):
    """The address to which letters about a request go, until it is taken back or deleted.

    ``told`` is what the last letter said (`domain.signup.News`), None before the first. A letter is
    due at ``due_at``, where the facts differ from it; ``seen`` is the version of the tournament at
    which they were last compared. ``tries`` counts failed attempts. ``origin`` is the address of
    the service in the request, ``language`` that of the form.
    """

    request = models.OneToOneField(SignUpRequest, on_delete=models.CASCADE, related_name="news")
    email = models.EmailField()
    language = models.CharField(max_length=10, blank=True)
    origin = models.CharField(max_length=300)
    told = models.JSONField(null=True, blank=True)
    seen = models.CharField(max_length=20, blank=True)
    due_at = models.DateTimeField(null=True, blank=True, db_index=True)
    tries = models.PositiveSmallIntegerField(default=0)

    class Meta:
        verbose_name = _("news of a sign-up")
        verbose_name_plural = _("news of sign-ups")
        ordering = ("due_at", "pk")

    def __str__(self) -> str:
        return str(self.request)


class CashEntry(models.Model):
    """A line of a tournament's cash book, in cents; never changed, only reversed.

    What was taken is the sum of ``paid`` and ``refund``; ``waived`` lowers what is owed, ``prize``
    is money (or with 0 goods) handed out. A row that ``reverses`` another has its kind and the
    opposite amount; the service checks that under the tournament's lock. Only an erasure changes a
    row: it empties ``payee`` and ``note``. The payer is a request and never an entry, because
    entries are deleted and their numbers used again.
    """

    class Kind(models.TextChoices):
        """The purpose of the amount."""

        PAID = "paid", _("paid")
        REFUND = "refund", _("returned")
        WAIVED = "waived", _("waived")
        PRIZE = "prize", _("prize")

    tournament = models.ForeignKey(
        Tournament, on_delete=models.PROTECT, related_name="cash_entries"
    )
    request = models.ForeignKey(
        SignUpRequest,
        on_delete=models.PROTECT,
        related_name="cash_entries",
        null=True,
        blank=True,
    )
    prize = models.ForeignKey(
        PrizeLine, on_delete=models.PROTECT, related_name="cash_entries", null=True, blank=True
    )
    payee = models.CharField(_("to"), max_length=MAX_NAME_LENGTH, blank=True)
    kind = models.CharField(_("kind"), max_length=6, choices=Kind.choices)
    cents = models.IntegerField(_("amount in cents"))
    note = models.CharField(_("note"), max_length=MAX_LINE_LENGTH, blank=True)
    made_by = models.CharField(_("made by"), max_length=200)
    made_at = models.DateTimeField(default=timezone.now)
    reverses = models.OneToOneField(
        "self", on_delete=models.PROTECT, related_name="reversal", null=True, blank=True
    )

    class Meta:
        verbose_name = _("line of the cash book")
        verbose_name_plural = _("lines of the cash book")
        ordering = ("tournament_id", "pk")
        constraints = (
            models.CheckConstraint(
                condition=Q(reverses__isnull=False)
                | Q(kind__in=("paid", "waived"), cents__gt=0)
                | Q(kind="refund", cents__lt=0)
                | Q(kind="prize", cents__lte=0),
                name="cash_has_the_sign_of_its_kind",
            ),
        )

    def __str__(self) -> str:
        return f"{self.tournament}: {self.kind} {self.cents}"
