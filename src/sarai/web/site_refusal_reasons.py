"""What the pages and the JSON interface refuse on their own, before a table is asked."""

from sarai.core.errors import register_reasons
from sarai.table.refusals import STATUS as TABLE_STATUS

SENTENCES: dict[int, dict[str, str]] = {
    401: {
        "no_identity": "Nobody knows you here yet: give a name first.",
        "bad_identity": "This browser's mark is not one that this house gave. "
        "It has been taken off; give your name again.",
    },
    403: {"bad_origin": "This came from another site's page."},
    404: {
        "no_such_page": "There is no such page.",
        "no_rules_text": "The rules of {title} have not been written down yet.",
        "no_lesson": "There is no lesson of {title} yet.",
        "no_such_session": "There is no such session of yours.",
        "no_push": "This house cannot send messages to devices on which it is not open.",
    },
    405: {"wrong_method": "This cannot be done here in that way."},
    413: {"too_large": "{most, plural, one {That is more than # byte.} other {That is more than # bytes.}}"},
    415: {"wrong_type": "This is not of the type {wanted}."},
    422: {
        "bad_json": "This is not the JSON that is expected here: {why}.",
        "bad_form": "The form was not filled in as expected: {why}.",
        "erase_unsure": "Nothing was erased: type your name exactly as it is.",
        "name_markup": "A name has no angle brackets.",
        "push_endpoint": "This is not the address of a push service that this house can reach.",
        "push_keys": "These are not the keys of a push subscription.",
    },
    500: {
        "house_mistake": "The house made a mistake; nothing was changed.",
        "port_taken": "Another program uses port {port} of {host}; choose another with --port.",
        "cannot_listen": "This machine does not let us listen at {host}, port {port}: {why}.",
        "bad_proxy": "A proxy is named by its address or network, such as 127.0.0.1 or 10.0.0.0/8, not ''{proxy}''.",
        "workers_need_postgresql": "Several processes, or none for bots, need a PostgreSQL (--db postgresql://…): "
        "a SQLite file has one server.",
        "workers_unsupported": "On this system one process serves; leave --workers away.",
        "bad_push_contact": "Push services want a mailto: or https: address to write to, not ''{contact}''.",
    },
}

# The HTTP status of every refusal, of tables and of the site.
STATUS = TABLE_STATUS | {key: status for status, sentences in SENTENCES.items() for key in sentences}

for sentences in SENTENCES.values():
    register_reasons(sentences)
