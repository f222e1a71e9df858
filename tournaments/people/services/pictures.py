"""Pictures of a club: read within bounds, encoded again without what a camera adds, and stored."""

from hashlib import sha256
from io import BytesIO
from typing import Final

from django.db import transaction

from tournaments.core.audit import write_event
from tournaments.core.errors import Reason, Refusal, refuse_unless_known
from tournaments.core.find import lock_club
from tournaments.core.permissions import Actor, may_manage, refuse_unless
from tournaments.models import Club, ClubPicture

MAX_FILE: Final = 20_000_000  # bytes of a file that is read: a photograph of a telephone has ten
MAX_PIXELS: Final = 25_000_000  # opened they are 100 MB
MAX_STORED: Final = 200_000  # bytes: pages and backups carry it
FORMATS: Final = ("JPEG", "PNG", "WEBP")  # no SVG, which may hold a script
SIDES: Final = {ClubPicture.Kind.LOGO: 512, ClubPicture.Kind.PHOTO: 1600}
"""Pixels of the longer side, at most."""

QUALITY: Final = 80  # of 100: a photograph of 1,600 pixels has some 150 kB


@transaction.atomic
def set_picture(actor: Actor, club: Club, kind: str, data: bytes) -> ClubPicture:
    """Store a picture of a club (`ClubPicture.Kind`) in the place of the one before.

    Refuses FORBIDDEN, NOT_FOUND, BAD_PICTURE.
    """
    refuse_unless(may_manage(actor, club), actor)
    refuse_unless_known(Reason.NOT_FOUND, kind, ClubPicture.Kind.values)
    content = encode_picture(data, SIDES[ClubPicture.Kind(kind)])
    club, digest = lock_club(club), sha256(content).hexdigest()[:16]
    fields = {"content": content, "digest": digest}
    picture, _ = ClubPicture.objects.update_or_create(club=club, kind=kind, defaults=fields)
    write_event(actor, "club.picture_set", club, club=club, kind=kind, digest=digest)
    return picture


@transaction.atomic
def remove_picture(actor: Actor, club: Club, kind: str) -> None:
    """Delete a picture of a club; without one nothing changes. Refuses FORBIDDEN, NOT_FOUND."""
    refuse_unless(may_manage(actor, club), actor)
    refuse_unless_known(Reason.NOT_FOUND, kind, ClubPicture.Kind.values)
    club = lock_club(club)
    if ClubPicture.objects.filter(club=club, kind=kind).delete()[0]:
        write_event(actor, "club.picture_removed", club, club=club, kind=kind)


def encode_picture(data: bytes, side: int) -> bytes:
    """Return a picture as WebP of at most MAX_STORED bytes, upright, without metadata.

    ``side`` are the pixels of its longer side, at most. Refuses BAD_PICTURE.
    """
    from PIL import Image, ImageOps

    try:
        if len(data) > MAX_FILE:
            raise Refusal(Reason.BAD_PICTURE)
        with Image.open(BytesIO(data), formats=FORMATS) as image:
            if image.width * image.height > MAX_PIXELS:
                raise Refusal(Reason.BAD_PICTURE)
            image.draft("RGB", (side, side))  # a JPEG is decoded no larger than it is needed
            upright = ImageOps.exif_transpose(image).convert("RGBA")
    except (OSError, EOFError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise Refusal(Reason.BAD_PICTURE) from error
    upright.thumbnail((side, side))
    while True:
        file = BytesIO()
        upright.save(file, "WEBP", quality=QUALITY, exif=b"", xmp=b"", icc_profile=b"")
        if file.tell() <= MAX_STORED:
            return file.getvalue()
        side = side * 3 // 4
        upright.thumbnail((side, side))
