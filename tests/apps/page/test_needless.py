"""What the page leaves out of Python's library and of ours is nothing that its answers import."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
LEFT_OUT = re.search(r"LEFT_OUT = /(.*)/;", (ROOT / "page/make/make.mjs").read_text(encoding="utf-8"))
assert LEFT_OUT
SCRIPT = f"""
import re, sys

sys.path.insert(0, {str(ROOT / "page" / "make")!r})
from pack import NEEDLESS

ours = re.compile({LEFT_OUT[1]!r})

class Without:
    def find_spec(self, name, path=None, target=None):
        place = name.replace(".", "/")
        if name.startswith("qddot.") and ours.search(place) and ours.search(place + ".py"):
            raise ModuleNotFoundError(name)
        if NEEDLESS.match(place + ".py") or NEEDLESS.match(place + "/__init__.py") or name == "numpy":
            raise ModuleNotFoundError(name)

for name in [*sys.modules]:
    if NEEDLESS.match(name.replace(".", "/") + ".py"):
        del sys.modules[name]
sys.meta_path.insert(0, Without())
import qddot, qddot.apps.page.answers, qddot.apps.page.documents, qddot.apps.page.judged, qddot.apps.page.warming
import qddot.apps.page.derivation_data
import qddot.teach.check.judging.judge, qddot.teach.check.reading.read_answer
from qddot.apps.page import copies
from qddot.base.system import unfinished

unfinished.BOOT = unfinished.Path("/nowhere")  # a browser has no kernel that tells its name
arm = qddot.load("two_link")
for language in copies.languages():
    assert copies.copied(arm, arm.equations(), "M", language)
assert qddot.apps.page.answers.diagnose(arm.model).summary == "two_link: no findings"
assert qddot.apps.page.answers.motion(arm.model, "computed", [])["accounts"]
assert not [name for name in sys.modules if name == "numpy" or name.startswith("qddot.motion.simulate.laws")]
"""


def test_what_answers_and_copies_import_is_in_the_page() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False, timeout=100)
    assert done.returncode == 0, done.stderr[-1000:]
