"""The documentation that the server shows of itself."""

import re

import pytest
from tests.wire.house import House

from memweaver.interfaces.rest.wire import answers, memories, recall, reflections, turns
from memweaver.interfaces.rest.wire.fields import Wire

SHAPES = [
    shape
    for module in (answers, memories, recall, reflections, turns)
    for shape in vars(module).values()
    if isinstance(shape, type)
    and issubclass(shape, Wire)
    and "json_schema_extra" in shape.__dict__["model_config"]
]


@pytest.mark.parametrize("shape", SHAPES)
def test_every_example_is_a_valid_one(shape: type[Wire]) -> None:
    for example in shape.model_json_schema()["examples"]:
        shape.model_validate(example)


def test_every_body_that_is_read_has_an_example(house: House) -> None:
    schema = house.server.openapi()
    bodies = {
        operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].split("/")[-1]
        for methods in schema["paths"].values()
        for operation in methods.values()
        if "requestBody" in operation
    }

    assert bodies
    assert all("examples" in schema["components"]["schemas"][name] for name in bodies)


def test_every_route_says_what_it_does_and_how_it_fails(house: House) -> None:
    for path, methods in house.server.openapi()["paths"].items():
        for method, operation in methods.items():
            assert operation["description"], f"{method} {path}"
            assert "422" not in operation["responses"], f"{method} {path}"
            assert "default" in operation["responses"], f"{method} {path}"


def test_the_page_loads_nothing_from_elsewhere(house: House) -> None:
    page = house.client.get("/docs")
    loaded = re.findall(r'(?:src|href)="([^"]+)"', page.text)

    assert page.status_code == 200
    assert loaded
    assert all(house.client.get(address).status_code == 200 for address in loaded)
    assert not any("//" in address for address in loaded)
