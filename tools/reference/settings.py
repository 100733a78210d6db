"""The page of every setting, from the model that reads them."""

from collections.abc import Iterator
from types import UnionType
from typing import Annotated, Literal, Union, get_args, get_origin

from pydantic import BaseModel, SecretStr
from pydantic.fields import FieldInfo
from tools.reference.markdown import code, table

from memweaver.app.sections import PREFIX
from memweaver.app.settings import Settings

INTRODUCTION = f"""\
# Settings

Every setting is an environment variable, or a line of a file `.env` in the working folder.
None is needed: the defaults make a memory on SQLite in the folder `memweaver-data`.
A name that begins with `{PREFIX}` and is not on this page refuses to start.
So does a value that cannot work.
"""


def page() -> str:
    lines = [INTRODUCTION, "## Whole", ""]
    plain = {name: field for name, field in Settings.model_fields.items() if not sections(field)}
    lines += table(HEAD, (row(name, field) for name, field in plain.items()))
    for name, field in Settings.model_fields.items():
        if kinds := sections(field):
            lines += section(name, field, kinds)
    return "\n".join(lines)


HEAD = ("variable", "value", "default", "meaning")


def section(name: str, field: FieldInfo, kinds: list[type[BaseModel]]) -> Iterator[str]:
    yield from [f"## {name.capitalize()}", "", field.description or "", ""]
    if len(kinds) > 1:
        choice = f"{PREFIX}{name.upper()}__KIND"
        yield from [f"`{choice}` chooses one of these; the first is the default.", ""]
    for kind in kinds:
        fields = dict(kind.model_fields)
        if own := fields.pop("kind", None):
            yield from [f"### `{own.default}`", "", kind.__doc__ or "", ""]
        if fields:
            yield from table(HEAD, (row(f"{name}__{sub}", one) for sub, one in fields.items()))


def row(name: str, field: FieldInfo) -> tuple[str, str, str, str]:
    variable = code(PREFIX + name.upper())
    return variable, shown_type(field.annotation), shown_default(field), field.description or ""


def sections(field: FieldInfo) -> list[type[BaseModel]]:
    """The models a field may hold; empty for a plain value."""
    return [
        kind
        for kind in alternatives(field.annotation)
        if isinstance(kind, type) and issubclass(kind, BaseModel)
    ]


def alternatives(annotation: object) -> Iterator[object]:
    if get_origin(annotation) is Annotated:
        yield from alternatives(get_args(annotation)[0])
    elif get_origin(annotation) in (Union, UnionType):
        for one in get_args(annotation):
            yield from alternatives(one)
    else:
        yield annotation


def shown_type(annotation: object) -> str:
    if get_origin(annotation) is Literal:
        return ", ".join(code(value) for value in get_args(annotation))
    if get_origin(annotation) is tuple:
        return "names, separated by commas"
    names = {"Path": "path", "str": "text", "int": "number", "float": "number", "bool": "yes or no"}
    kinds = [one for one in alternatives(annotation) if one is not type(None)]
    first = kinds[0]
    if first is SecretStr:
        return "secret"
    return names[getattr(first, "__name__", str(first))]


def shown_default(field: FieldInfo) -> str:
    if field.is_required():
        return "must be given"
    default = field.get_default(call_default_factory=True, validated_data={})
    if default is None or default in ("", ()) or isinstance(default, SecretStr):
        return ""
    return code(str(default).lower() if isinstance(default, bool) else default)
