"""QR codes of addresses, for cameras: in a page, or as a picture of their own."""

from __future__ import annotations

import io
from functools import lru_cache

import segno
from markupsafe import Markup


def render_qr(text: str) -> Markup:
    """Render a text as a QR code in a page."""
    return Markup(segno.make(text, error="m").svg_inline(omitsize=True, lineclass="qr-line", svgclass=None, border=2))


@lru_cache(maxsize=256)
def qr_picture(text: str) -> bytes:
    """Return the QR code of a text as an SVG file."""
    file = io.BytesIO()
    segno.make(text, error="m").save(file, kind="svg", omitsize=True, xmldecl=False, border=2, dark="#111")
    return file.getvalue()
