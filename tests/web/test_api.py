"""The JSON interface: its document is that of its routes, and a whole game can be played through it."""

import re

import msgspec
import pytest

from sarai.core.records import from_json
from sarai.web.api import answers
from sarai.web.api.openapi import OPERATIONS, document


def test_the_document_names_every_route_and_no_other(web):
    async def go(house):
        routes = {
            f"{method} {route.path}"
            for route in house.app.app.routes
            if route.path.startswith("/api/")
            for method in (route.methods or {"GET"}) - {"HEAD"}
        }
        document = (await house.visitor().get("/api/openapi.json")).json()
        told = {f"{method.upper()} {path}" for path, methods in document["paths"].items() for method in methods}
        assert told == routes == set(OPERATIONS)
        names = set(re.findall(r'"#/components/schemas/(\w+)"', str(document).replace("'", '"')))
        assert names <= set(document["components"]["schemas"])

    web(go)


def test_the_document_is_made_once_whatever_address_asks_for_it(monkeypatch):
    first = document("http://one.test")
    monkeypatch.setattr("msgspec.json.schema_components", None)  # it took most of the time
    assert document("http://two.test") == first | {"servers": [{"url": "http://two.test"}]}


FIELDS = {
    "Table": "id game players options public clock phase starting number seat host seats to_act moves view seen chat"
    " take_back clocks commitment secret result ending rematch dice access guests end_question",
    "Game": "id title players rules_version levels options ready prepared",
    "Option": "name default help choices numbers display",
    "Seat": "name bot lent resigned taken_back voided",
    "SeenEvent": "number key args",
    "ChatLine": "number guest seat name text lent",
    "TakeBack": "number seat asked answers",
    "Result": "scores ranks utilities reason",
    "Person": "name language",
    "Link": "token url",
    "PushKey": "key",
    "Subscription": "id",
    "Moves": "number moves",
    "MoveWords": "move words",
    "Number": "number",
    "Id": "id",
    "Refusal": "reason sentence number",
}


@pytest.mark.parametrize("name", FIELDS)
def test_answers_have_the_fields_that_programs_know_in_their_order(name):
    assert [field.name for field in msgspec.structs.fields(getattr(answers, name))] == FIELDS[name].split()


def test_the_schemas_of_the_document_are_made_from_the_types():
    schemas = document("http://house.test")["components"]["schemas"]
    for name, fields in FIELDS.items():
        assert list(schemas[name]["properties"]) == fields.split()
    assert schemas["Table"]["properties"]["phase"] == {"enum": ["gathering", "over", "playing"]}
    assert "number" not in schemas["Refusal"]["required"]


def test_a_whole_game_by_the_interface_and_its_record(web):
    async def go(house):
        ann, bo = await house.visitor().named("Ann"), await house.visitor().named("Bo")
        table = await house.playing(ann, bo, options={"rounds": 1})
        for _ in range(100):
            for visitor in (ann, bo):
                told = await visitor.sees(table)
                if told["moves"]:
                    listed = (await visitor.get(f"/api/tables/{table}/moves")).json()
                    assert [move["move"] for move in listed["moves"]] == told["moves"] and all(
                        move["words"] for move in listed["moves"]
                    )
                    await visitor.act(table, {"type": "Move", "move": told["moves"][0]}, number=told["number"])
            if told["phase"] == "over":
                break
        assert told["phase"] == "over" and told["result"] and len(told["secret"]) == 64
        record = (await house.visitor().get(f"/api/tables/{table}/record")).json()
        from_json(record).check()
        assert (await ann.act(table, {"type": "Rematch"})).status_code == 200
        again = (await bo.sees(table))["rematch"]
        assert (await bo.sees(again))["seats"][0]["name"] == "Ann"
        assert [found["id"] for found in (await bo.get("/api/me/tables")).json()] == [again, table]

    web(go)


def test_names_change_and_public_tables_are_listed(web):
    async def go(house):
        ann = await house.visitor().named("Ann")
        assert (await ann.post("/api/me", {"name": "Anna", "language": "el"})).json() == {
            "name": "Anna",
            "language": "el",
        }
        hidden = (await ann.post("/api/tables", {"game": "desert", "players": 2})).json()["id"]
        shown = (
            await ann.post("/api/tables", {"game": "desert", "players": 3, "public": True, "bots": ["novice"]})
        ).json()["id"]
        listed = (await house.visitor().get("/api/tables")).json()
        assert [table["id"] for table in listed] == [shown] and hidden != shown
        assert listed[0]["seats"][0]["name"] == "Anna"
        link = (await ann.post("/api/me/link", {})).json()
        phone = house.visitor()
        assert (await phone.post("/api/me/redeem", {"token": link["token"]})).json()["name"] == "Anna"
        assert link["url"].endswith(f"/come/{link['token']}")
        assert {game["id"] for game in (await ann.get("/api/games")).json()} >= {"desert", "anubixx"}

    web(go)
