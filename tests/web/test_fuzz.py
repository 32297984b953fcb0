"""The JSON interface under random requests: it answers as its document says, and never with a mistake of its own."""

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.specs.openapi import checks

from sarai.web.api.openapi import OPERATIONS
from served_house import ServedHouse

PROMISES = [checks.status_code_conformance, checks.content_type_conformance, checks.response_schema_conformance]


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with ServedHouse(tmp_path_factory.mktemp("served")) as thread:
        yield thread


@pytest.mark.parametrize("route", [route for route in OPERATIONS if "numbers" not in route])
def test_random_requests_are_answered_as_the_document_says(served, route):
    method, path = route.split(" ")
    schema = schemathesis.openapi.from_url(f"{served.address}/api/openapi.json")
    with httpx.Client(base_url=served.address) as ann:
        ann.post("/api/me", json={"name": "Ann"})
        table = ann.post("/api/tables", json={"game": "sixnimmt", "players": 2}).json()["id"]
        cookies = dict(ann.cookies)

    def check(case, cookies):
        answer = case.call(cookies=cookies)
        assert answer.status_code < 500 or answer.status_code == 503, answer.content
        case.validate_response(answer, checks=PROMISES)

    operation, quietly = (
        schema[path][method],
        settings(
            max_examples=12,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
            database=None,
            derandomize=True,
        ),
    )
    quietly(given(case=operation.as_strategy())(lambda case: check(case, None)))()
    if "{id}" in path:
        known = operation.as_strategy(path_parameters={"id": table})
        quietly(given(case=known)(lambda case: check(case, cookies)))()
