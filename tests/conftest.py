from __future__ import annotations

import gc
import os
import re
import signal
import subprocess
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
import tools
from hypothesis import settings
from shipped import LINKS, REAL, robot
from two_steps import LONG_CASES, THOROUGH

import qddot
from qddot.base.system import chinese_font
from qddot.papers.draw.lettering import FONTS

settings.register_profile("qddot", max_examples=50, deadline=None, derandomize=True, print_blob=True)
settings.register_profile("quick", settings.get_profile("qddot"), max_examples=20)  # of `make quick`
settings.load_profile("qddot")

TESTS = Path(__file__).parent
HERE = {name: os.environ.get(name) for name in ("PATH", "FONTCONFIG_FILE")}  # where the machine's tools are found
hidden: dict[str, str] = {}


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """A worker for each core, since each imports all tests; one more where tests wait for other programs."""
    return (os.cpu_count() or 1) + (config.option.markexpr == "thorough")


def pytest_configure(config: pytest.Config) -> None:
    """Makes what hides the machine's tools; its fonts are hidden here, since modules of tests load Matplotlib."""
    folder = tempfile.TemporaryDirectory()
    config.add_cleanup(folder.cleanup)
    for name in ("COLUMNS", "LINES"):  # readline, which pytest imports, sets them to 80 and 24
        os.environ.pop(name, None)
    hidden.update(tools.without_tools(os.environ, Path(folder.name)))
    tools.hide_fonts()
    set_mathematics_once()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # what a shell runs in the background ignores it


def set_mathematics_once() -> None:
    """Labels such as $q_1$ are set once for all pictures; Matplotlib remembers those of one picture."""
    from matplotlib.mathtext import MathTextParser

    kind_of_parser: Any = MathTextParser
    if not hasattr(kind_of_parser, "_parse_cached"):
        return  # another version of Matplotlib, which remembers in its own way
    plain = kind_of_parser._parse_cached.__wrapped__
    parsers = {"vector": MathTextParser("path"), "raster": MathTextParser("agg")}

    @lru_cache(10_000)
    def parsed(kind: str, *label: Any) -> Any:
        return plain(parsers[kind], *label)

    kind_of_parser._parse_cached = lambda self, *label: parsed(self._output_type, *label)


@pytest.hookimpl(tryfirst=True)
def pytest_collection() -> None:
    """Modules of tests find no tools while they are imported, so that they are imported as on a bare machine."""
    os.environ.update(hidden)  # no sooner, since workers start with this environment, and their HERE is read from it


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leaves out files all of whose tests the marks leave out, since a file takes a tenth of a second to import."""
    chosen = config.option.markexpr
    if chosen not in ("thorough", "not thorough") or not collection_path.name.startswith("test_"):
        return None
    whole = is_thorough(collection_path)
    if chosen == "not thorough":
        return whole or None
    marked = re.search(r"\buses\(|mark\.thorough|exported_code", collection_path.read_text(encoding="utf-8"))
    case = any(case.startswith(f"{collection_path.relative_to(TESTS).as_posix()}::") for case in LONG_CASES)
    return not (whole or marked or case) or None


def is_thorough(path: Path) -> bool:
    return path.relative_to(TESTS).as_posix().startswith(THOROUGH)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the tests of `make test-all`; files with slow tests come first, so that no worker ends with one alone."""
    for item in items:
        case = item.nodeid.removeprefix("tests/")
        is_long = {case, case.partition("[")[0]} & LONG_CASES
        if item.get_closest_marker("uses") or is_thorough(item.path) or is_long:
            item.add_marker("thorough")
    waiting, slow = ({item.path for item in items if item.get_closest_marker(name)} for name in ("uses", "slow"))
    items.sort(key=lambda item: (item.path not in waiting, item.path not in slow))


def pytest_collection_finish() -> None:
    """Modules and tests stay to the end, so that the collector of cycles need not walk them a thousand times."""
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)  # it took a twentieth of the time


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Lets a test find the tools that it says it uses, and no other test find any."""
    used = [name for mark in item.iter_markers("uses") for name in mark.args]
    for name, value in HERE.items():
        if not used or tools.WITHOUT in os.environ:
            os.environ[name] = hidden[name]
        elif value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
    tools.skip_without(used)


@pytest.fixture
def no_chinese_font(monkeypatch: pytest.MonkeyPatch) -> None:
    """The package with the font is not installed, either."""
    from matplotlib.font_manager import fontManager

    monkeypatch.setattr(chinese_font, "PACKAGE", "not_installed")
    monkeypatch.setattr(fontManager, "ttflist", [font for font in fontManager.ttflist if font.name not in FONTS])


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that was compiled outside this run is used in it."""
    monkeypatch.setenv("QDDOT_CACHE", str(tools.cache(tmp_path_factory)))


@pytest.fixture(params=LINKS)
def zoo_arm(request: pytest.FixtureRequest) -> qddot.Robot:
    """The arms of the literature that are links with inertias."""
    return robot(request.param)


@pytest.fixture(params=REAL)
def real_arm(request: pytest.FixtureRequest) -> qddot.Robot:
    return robot(request.param)


@pytest.fixture(scope="session")
def theory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the theory, which Coq proves once for all workers."""
    import fcntl

    folder = tools.cache(tmp_path_factory).with_name("coq")
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "theory" / "ClosedCorrectness.vo").exists():
            qddot.load_closed_chain("four_bar").certificate("coq").export(folder)
            subprocess.run(["make", "theory/ClosedCorrectness.vo"], cwd=folder, check=True, capture_output=True)
    return folder
