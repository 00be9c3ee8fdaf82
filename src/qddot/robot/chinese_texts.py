"""Tells in Chinese the titles and sources of robots and chains in the package, their symbols, and names of links."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.])")  # the number of a link or a joint, which is {} in the meanings
MERGED = ", as in the package example-robot-data; fixed links merged", "，取自软件包 example-robot-data；固定连杆已合并"


@cache
def _texts() -> Mapping[str, Mapping[str, str]]:
    import tomllib

    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def in_chinese(text: str) -> str:
    """Returns a title, a source, a meaning or a link's name in Chinese, or the text itself."""
    for kind in ("titles", "links", "sources"):
        if text in _texts()[kind]:
            return _texts()[kind][text]
    if text.endswith(MERGED[0]):
        return text.removesuffix(MERGED[0]) + MERGED[1]
    general = _texts()["meanings"].get(NUMBER.sub("{}", text))
    return text if general is None else general.format(*NUMBER.findall(text))
