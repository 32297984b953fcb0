"""Errors of the arena and their English sentences."""

from sarai.core.errors import Error, register_reasons

register_reasons(
    {
        "bad_count": "The number of {what} cannot be ''{found}'': {allowed}.",
        "two_budgets": "A bot thinks for some seconds or for some simulations, not for both.",
        "bad_bot": "There is no bot at ''{bot}'': {why}.",
        "bot_failed": "In deal {deal} bot ''{bot}'' failed: {why}.",
        "journal_unreadable": "{path} is no journal of a match: line {line} cannot be read.",
        "journal_other_match": "{path} is the journal of another match, with {what} {found} instead of {wanted}.",
        "journal_in_use": "{path} is the journal of a match that is being played just now.",
        "worker_lost": "A process that played stopped by itself (exit code {code}); "
        "the same command goes on where this one stopped.",
        "no_ray": "A cluster needs Ray; pip install 'sarai[cluster]' brings it.",
        "cluster_unreachable": "There is no Ray cluster at {address}: {why}.",
        "cluster_failed": "The cluster failed: {why}.",
        "other_code": "A process that plays has other code than this one: "
        "Sarai was changed meanwhile, or the cluster has another version of it.",
    },
    on_pages=False,
)


class ArenaError(Error):
    """A match cannot be played, or failed."""
