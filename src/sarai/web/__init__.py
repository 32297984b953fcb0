"""The site: pages, the stream, the JSON interface. It decides nothing about a game; tables do."""

from sarai.web import (
    site_refusal_reasons,  # with its reasons, so that whatever a module of this package raises can be said
)

__all__ = ["site_refusal_reasons"]
