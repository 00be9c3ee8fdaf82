"""The page's sentences, where its TypeScript takes them from."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).parents[2] / "page"


def write_sentences() -> None:
    """Writes those of all languages, as a build does before all else."""
    command = [sys.executable, str(PAGE / "make" / "words.py"), str(PAGE / "interim" / "languages.json")]
    subprocess.run(command, check=True)
