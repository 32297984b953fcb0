"""A person's data: given to them as a file, or erased when they confirm it by their name."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec
from starlette.responses import Response

from sarai.table.refusals import Refused

if TYPE_CHECKING:
    from sarai.table.person import Person
    from sarai.table.service.house import House


async def data_file(house: House, person: Person) -> Response:
    """Return all that is stored of a person, as a file."""
    data = await house.people.data_of(person)
    content = await asyncio.to_thread(lambda: msgspec.json.format(msgspec.json.encode(data)))
    headers = {"content-disposition": 'attachment; filename="sarai-data.json"'}
    return Response(content, media_type="application/json", headers=headers)


async def erase(house: House, person: Person, typed_name: str) -> None:
    """Erase a person who typed the own name; Refused otherwise."""
    if typed_name.strip() != person.name:
        raise Refused("erase_unsure")
    await house.erase(person)
