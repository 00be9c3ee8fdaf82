"""The floors of the library, from which `python tests/rooms.py` writes the table of rooms in CONTRIBUTING.md."""

from __future__ import annotations

import ast
from pathlib import Path

REPOSITORY = Path(__file__).parent.parent
ROOT = REPOSITORY / "src" / "qddot"
# The groups from the top floor to the bottom, each with its rooms from top to bottom: whatever is on a floor imports
# from floors below it alone. A group's own files are above its rooms.
FLOORS = {
    "__main__": "",
    "apps": "cli, page",
    "qddot faces": "",
    "teach": "exam, check",
    "papers": "report, draw overview",
    "inspect": "against, comparison, doctor",
    "motion": "sweeps, simulate, enclosing",
    "proof": "certify, bounds",
    "exact": "forms, equations, printing",
    "machine": "numeric, tracing, compilers",
    "formats": "confusions conversions, mjcf sdf, urdf, toml, rows, shared, xml, registry",
    "physics": "",
    "robot": "",
    "algebra": "numbers, program, checked_arrays climbing freedoms, expressions, spatial",
    "base": "checked html system, errors nested_lists records version, words",
}
HEIGHT = {
    name: -k
    for k, names in enumerate(
        floor
        for groups, rooms in FLOORS.items()
        for floor in (groups.split(), *([f"{groups}.{room}" for room in on.split()] for on in rooms.split(", ") if on))
    )
    for name in names
}
BEGIN, END = "<!-- written by `python tests/rooms.py` -->\n", "<!-- the end of what it writes -->\n"


def room(module: str) -> str:
    """The room of a module: a folder or file in a group, or the group for its own files."""
    parts = module.split(".")[1:]
    inner = ".".join(parts[:2])
    return inner if inner in HEIGHT else parts[0] if parts else "qddot"


def told(name: str) -> str:
    """What a folder's file says of it, or the first paragraph of a file, on one line."""
    path = ROOT / name.replace(".", "/")
    source = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    text = ast.get_docstring(ast.parse(source.read_text(encoding="utf-8"))) or ""
    return " ".join((text if path.is_dir() else text.partition("\n\n")[0]).split())


def table() -> str:
    """The table of groups and rooms, each with the docstring of its file."""
    rows = ["", "| group, room | what is in it |", "|---|---|"]
    for name in HEIGHT:
        if name not in ("__main__", "qddot"):
            bold = "" if "." in name else "**"
            rows.append(f"| {bold}`{name.replace('.', '/')}`{bold} | {told(name)} |")
    return "\n".join([*rows, "", ""])


def with_table(text: str) -> str:
    """A text with the table between its marks."""
    before, _, rest = text.partition(BEGIN)
    return before + BEGIN + table() + END + rest.partition(END)[2]


if __name__ == "__main__":
    contributing = REPOSITORY / "CONTRIBUTING.md"
    contributing.write_text(with_table(contributing.read_text(encoding="utf-8")), encoding="utf-8")
