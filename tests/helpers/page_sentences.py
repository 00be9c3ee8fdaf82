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
    environment = {**os.environ, "PYTHONPATH": str(library)} if library else None
    subprocess.run([sys.executable, str(SOURCE / "make" / "words.py"), str(file)], check=True, env=environment)
