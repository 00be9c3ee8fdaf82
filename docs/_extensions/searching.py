"""Makes Chinese findable: every two neighbouring characters of it are a word in the index of the search.

`_static/search.js` brings what else Sphinx's search lacks.
"""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx
from sphinx.search import languages
from sphinx.search.en import SearchEnglish

WORDS = re.compile(r"(?P<chinese>[一-鿿]+)|[^\W一-鿿]+")
SPLIT_QUERY = """
function splitQuery(query) {
  const words = query.match(/[一-鿿]+|(?:(?![一-鿿])[\\p{Letter}\\p{Number}_])+/gu) ?? [];
  return words.flatMap((word) => /[一-鿿]{2}/.test(word)
    ? Array.from({ length: word.length - 1 }, (_, k) => word.slice(k, k + 2))
    : [word]);
}
"""


class EnglishAndChinese(SearchEnglish):
    """This is the search in English, in which Chinese is read two characters at a time."""

    js_splitter_code = SPLIT_QUERY

    def split(self, input: str) -> list[str]:  # noqa: A002 - the name that Sphinx gives it
        """Returns the words of a text: those of English, and the pairs of characters of Chinese."""
        return [word for match in WORDS.finditer(input) for word in _words(match)]


def _words(match: re.Match[str]) -> list[str]:
    word, chinese = match[0], match["chinese"]
    return [word[k : k + 2] for k in range(len(word) - 1)] or [word] if chinese else [word]


def setup(app: Sphinx) -> dict[str, Any]:
    """Takes the place of the search in English."""
    languages["en"] = EnglishAndChinese
    app.add_js_file("search.js", loading_method="defer")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
