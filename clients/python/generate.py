"""Writes src/construction_cost_catalog/generated/api.py from the OpenAPI document of the repository.

`python -m build` and `pip install` of a checkout run it; before `python -m pytest` run it by hand. It needs
datamodel-code-generator, in the version of pyproject.toml.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
DOCUMENT = HERE.parents[1] / "infra" / "judge" / "contract" / "openapi.baseline.json"
TYPES = HERE / "src" / "construction_cost_catalog" / "generated" / "api.py"
HEADER = '"""Made by generate.py from the OpenAPI document."""\n'
OPTIONS = [
    *("--input-file-type", "openapi", "--output-model-type", "typing.TypedDict", "--target-python-version", "3.11"),
    # Numbered names would move when another schema is added.
    *("--naming-strategy", "parent-prefixed", "--enum-field-as-literal", "all", "--formatters", "builtin"),
    *("--disable-timestamp", "--use-schema-description", "--use-field-description", "--use-double-quotes"),
    *("--reuse-model", "--collapse-reuse-models"),
]

Schema = dict[str, Any]


def query_schema(operation: dict[str, Any]) -> dict[str, Schema]:
    """The query parameters of an operation: `ListItemsQuery`. A client sends only what it knows, so `strict` is left out."""
    known = [each for each in operation.get("parameters", []) if each.get("in") == "query" and each["name"] != "strict"]
    if not known:
        return {}
    operation_id = operation["operationId"]
    properties = {
        each["name"]: each["schema"] | ({"description": each["description"]} if each.get("description") else {})
        for each in known
    }
    required = [each["name"] for each in known if each.get("required")]
    schema = {"type": "object", "description": operation["summary"], "properties": properties, "required": required}
    return {f"{operation_id[0].upper()}{operation_id[1:]}Query": schema}


def schemas(document: dict[str, Any]) -> dict[str, Any]:
    """The document's schemas, and the query parameters of its reads."""
    found: dict[str, Schema] = dict(document["components"]["schemas"])
    for path in document["paths"].values():
        if "get" in path:
            found |= query_schema(path["get"])
    return {"openapi": "3.1.0", "info": {"title": "types", "version": "1"}, "paths": {}, "components": {"schemas": found}}


def main() -> None:
    if not DOCUMENT.exists():
        # A source distribution brings the types along, and no document.
        return
    with tempfile.TemporaryDirectory() as folder:
        given, made = Path(folder, "schemas.json"), Path(folder, "api.py")
        given.write_text(json.dumps(schemas(json.loads(DOCUMENT.read_text(encoding="utf-8")))), encoding="utf-8")
        command = [sys.executable, "-m", "datamodel_code_generator", *OPTIONS]
        subprocess.run([*command, "--input", str(given), "--output", str(made)], check=True)
        TYPES.write_text(HEADER + re.sub(r"^(#.*\n)+", "", made.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
