#!/usr/bin/env python3
"""Validates JSON against the schemas in Packaging/schemas, with Debian's python3-jsonschema.

    validate.py --serve     answers requests: one JSON object per line on standard input, one answer per line
    validate.py --check     checks the schemas themselves, and the examples in them

A request is {"schema": NAME, "texts": [TEXT, ...]}; the answer is a list with a message for each text that is not valid.
With the name "any", the members of each object decide which line of output it must be.

The published schemas permit members that they do not describe, because a later version may add some. Here they are
closed: an object may only have members that the schema describes, so a member cannot be added without describing it.
"""

import json
import sys
from pathlib import Path

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from jsonschema.validators import extend

try:
    from referencing import Registry, Resource
except ImportError:
    Registry = None  # python3-jsonschema before 4.18, as in Debian 12
    from jsonschema import RefResolver

FOLDER = Path(__file__).resolve().parents[2] / "Packaging" / "schemas"
SUFFIX = ".schema.json"
# Keywords whose schemas apply to another value than the one around them.
INNER = {"items", "additionalProperties", "contains"}
INNER_MAPS = {"properties", "patternProperties"}
IN_PLACE = {"if", "then", "else", "not"}
IN_PLACE_LISTS = {"allOf", "anyOf", "oneOf"}
IN_PLACE_MAPS = {"$defs", "dependentSchemas"}
# What closes a value.
CLOSING = {"unevaluatedProperties", "additionalProperties"}
COMPOSING = IN_PLACE | IN_PLACE_LISTS | {"$ref", "$dynamicRef", "dependentSchemas"}


def closed(schema, is_boundary):
    """The schema with unevaluatedProperties: false at the start of each description of a value."""
    if not isinstance(schema, dict):
        return schema
    result = {}
    for key, value in schema.items():
        if key in INNER:
            value = closed(value, True)
        elif key in INNER_MAPS:
            value = {name: closed(each, True) for name, each in value.items()}
        elif key in IN_PLACE:
            # The members that a condition names are described elsewhere.
            value = closed(value, False) if key != "if" else value
        elif key in IN_PLACE_LISTS:
            value = [closed(each, False) for each in value]
        elif key in IN_PLACE_MAPS:
            value = {name: closed(each, False) for name, each in value.items()}
        result[key] = value
    if is_boundary and "unevaluatedProperties" not in result and "additionalProperties" not in result:
        # The same where no other schema describes members of the value, and much faster.
        result["unevaluatedProperties" if result.keys() & COMPOSING else "additionalProperties"] = False
    return result


class ValidParts:
    """The elements and members that were valid: a board contains those of the board before it, except for a few.

    Whether a part is valid depends only on the part and its schema, and no schema uses $dynamicRef.
    """

    MAXIMUM = 200_000

    def __init__(self):
        self.texts = set()

    def problems(self, validator, value, schema, **path):
        """The problems of a part; none if the same part was valid before."""
        if not isinstance(value, (dict, list)):
            yield from validator.descend(value, schema, **path)
            return
        key = (id(schema), json.dumps(value))
        if key in self.texts:
            return
        is_valid = True
        for error in validator.descend(value, schema, **path):
            is_valid = False
            yield error
        if is_valid and len(self.texts) < self.MAXIMUM:
            self.texts.add(key)

    def items(self, validator, schema, instance, whole):
        """The keyword "items"."""
        if validator.is_type(instance, "array"):
            for index in range(len(whole.get("prefixItems", [])), len(instance)):
                yield from self.problems(validator, instance[index], schema, path=index)

    def properties(self, validator, schemas, instance, whole):
        """The keyword "properties"."""
        if validator.is_type(instance, "object"):
            for name, schema in schemas.items():
                if name in instance:
                    yield from self.problems(validator, instance[name], schema, path=name, schema_path=name)


VALID_PARTS = ValidParts()
Validator = extend(
    Draft202012Validator, {"items": VALID_PARTS.items, "properties": VALID_PARTS.properties})


def validator(whole, parts):
    """A validator of a schema whose references are resolved among the given schemas, and never on the network."""
    if Registry:
        registry = Registry().with_resources((each["$id"], Resource.from_contents(each)) for each in parts)
        return Validator(whole, registry=registry)
    store = {each["$id"]: each for each in [*parts, whole]}
    resolver = RefResolver(whole["$id"], whole, store=store, handlers={"https": unknown_schema, "http": unknown_schema})
    return Validator(whole, resolver=resolver)


def unknown_schema(address):
    raise LookupError(f"unknown schema {address}")


class Schemas:
    """All schemas of the project, closed."""

    def __init__(self):
        self.published = {
            path.name.removesuffix(SUFFIX): json.loads(path.read_text(encoding="utf-8"))
            for path in sorted(FOLDER.glob("*" + SUFFIX))
        }
        parts = [closed(schema, False) for schema in self.published.values()]
        self.validators = {
            name: validator(closed(schema, True), parts) for name, schema in self.published.items()
        }

    def problem(self, name, text):
        """Why the text is not valid JSON of a schema; None if it is."""
        try:
            value = json.loads(text, object_pairs_hook=unique, parse_constant=reject)
        except ValueError as error:
            return f"not JSON: {error}"
        return self.value_problem(kind(value) if name == "any" else name, value)

    def value_problem(self, name, value):
        error = best_match(self.validators[name].iter_errors(value), key=depth)
        if error is None:
            return None
        place = "".join(f"[{each}]" if isinstance(each, int) else f".{each}" for each in error.absolute_path)
        message = error.message if len(error.message) <= 300 else error.message[:300] + " …"
        return f"{place or 'the object'}: {message}"


def kind(value):
    """The name of the schema of a line of output whose command is not known."""
    names = set(value)
    if "variant" in names:
        return "board-row"
    if "outcome" in names:
        return {"met": "board-wait", "timeout": "board-wait", "repaired": "board-repair"}.get(
            value["outcome"], "board-answer")
    if "video" in names:
        return "board-video"
    if "address" in names:
        return "board-server"
    if "board" in names and "picture" not in names and "fresh" not in names:
        return "board-check" if "problems" in names else "board-new"
    if "answer" in names:
        return "board-next"
    if "fresh" in names or {"key", "revision"} <= names:
        return "board-change"
    if "changes" in names:
        return "board-transaction"
    if "canvases" in names:
        return "board-picture" if "picture" in names else "board-state" if "focus" in names else "board"
    if "event" in names:
        return "board-event"
    if "failure" in names:
        return "failure-marker"
    if "similarity" in names:
        return "similar"
    if "clips" in names and "container" in names:
        return "remux"
    return "probe" if value.get("status") == "facts" else "batch"


def depth(error):
    """Problems inside an object explain more than that a member of it is not valid or not described."""
    return (error.validator not in CLOSING, len(error.absolute_path))


def unique(pairs):
    names = [name for name, _ in pairs]
    if len(set(names)) < len(names):
        raise ValueError("a member occurs twice")
    return dict(pairs)


def reject(constant):
    raise ValueError(f"{constant} is not JSON")


def serve(schemas):
    valid = set()  # boards are printed again and again
    for line in sys.stdin:
        request = json.loads(line)
        name, problems = request["schema"], []
        for text in request["texts"]:
            if (name, text) in valid:
                continue
            is_known = name == "any" or name in schemas.validators
            problem = schemas.problem(name, text) if is_known else f"unknown schema '{name}'"
            if problem is None:
                if len(valid) < 10_000:
                    valid.add((name, text))
            else:
                problems.append(f"{problem}\n{text}")
        print(json.dumps(problems), flush=True)


def check(schemas):
    problems = []
    for name, schema in schemas.published.items():
        Draft202012Validator.check_schema(schema)
        if schema["$id"] != f"https://clipcanvas.invalid/schemas/{name}{SUFFIX}":
            problems.append(f"{name}: its $id is {schema['$id']}")
        for number, example in enumerate(schema.get("examples", [])):
            if problem := schemas.value_problem(name, example):
                problems.append(f"{name}: example {number}: {problem}")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--serve"]:
        serve(Schemas())
    elif sys.argv[1:] == ["--check"]:
        sys.exit(check(Schemas()))
    else:
        sys.exit(__doc__)
