"""Writes the page's sentences in all languages, and the languages' names, where TypeScript takes them from.

python words.py FILE
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from qddot.base.words.language import documents, languages, manner


def main(file: Path) -> None:
    words = {lang: documents(lang, "page") for lang in languages()}
    names = {lang: manner(lang)["name"] for lang in languages()}
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({"words": words, "names": names}, ensure_ascii=False), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
