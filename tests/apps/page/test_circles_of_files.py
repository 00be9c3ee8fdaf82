"""The page's sources import each other in no circle."""

from __future__ import annotations

import graphlib
import os
import re
import shutil
from pathlib import Path

SOURCES = Path(__file__).parents[3] / "page" / "src"
IMPORTED = re.compile(r'\b(?:from|import)[\s(]*"(\.[^"]*\.ts)"')  # for its types alone, too


def imports(root: Path) -> dict[str, set[str]]:
    """For each file the others that it imports, by their paths in the folder."""
    files = {path.relative_to(root).as_posix(): path for path in root.rglob("*.ts")}
    return {
        name: {os.path.normpath(Path(name).parent / each) for each in IMPORTED.findall(path.read_text("utf-8"))}
        for name, path in files.items()
    }


def circle(root: Path) -> list[str]:
    """The files of a circle, or none."""
    try:
        graphlib.TopologicalSorter(imports(root)).prepare()
    except graphlib.CycleError as error:
        return list(error.args[1])
    return []


def test_no_files_of_the_page_import_each_other_in_a_circle() -> None:
    graph = imports(SOURCES)
    assert sum(map(len, graph.values())) > 200
    assert set().union(*graph.values()) <= {name for name in graph if not name.endswith(".d.ts")}
    assert circle(SOURCES) == []


def test_a_circle_by_a_type_alone_is_found(tmp_path: Path) -> None:
    copy = shutil.copytree(SOURCES, tmp_path / "src")
    with (copy / "motion" / "hand.ts").open("a", encoding="utf-8") as source:
        source.write('\nimport type { Start } from "./simulation.ts";\n')
    assert set(circle(copy)) == {"motion/hand.ts", "motion/simulation.ts"}
