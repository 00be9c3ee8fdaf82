"""The page's sentences, where its TypeScript takes them from."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "page"
SENTENCES = SOURCE / "interim" / "languages.json"


def write_sentences(file: Path = SENTENCES, library: Path | None = None) -> None:
    """Writes those of all languages of the library, or of a copy of it, as a build does before all else."""
    _made("words.py", file, library=library)


def write_zoo(site: Path, library: Path) -> None:
    """Writes what a built page shows of the robots that ship, in all languages of a copy of the library."""
    _made("zoo.py", site / "zoo", site / "math.woff", library=library)


def _made(script: str, *paths: Path, library: Path | None) -> None:
    environment = {**os.environ, "PYTHONPATH": str(library)} if library else None
    subprocess.run([sys.executable, str(SOURCE / "make" / script), *map(str, paths)], check=True, env=environment)
