from __future__ import annotations

from functools import cache

import pytest
from hypothesis import settings

import qddot

settings.register_profile("qddot", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("qddot")

ZOO = qddot.zoo()


@cache
def robot(name: str) -> qddot.Robot:
    return qddot.load(name)


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that was compiled outside this run is used in it."""
    monkeypatch.setenv("QDDOT_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))


REAL = ("franka_panda", "ur5", "ur10", "kinova_6dof", "xarm7", "baxter")  # from their makers' files, in numbers
LINKS = [name for name in ZOO if robot(name).model.explicit is None and name not in REAL]


@pytest.fixture(params=LINKS)
def zoo_arm(request: pytest.FixtureRequest) -> qddot.Robot:
    """The arms of the literature that are links with inertias."""
    return robot(request.param)


@pytest.fixture(params=REAL)
def real_arm(request: pytest.FixtureRequest) -> qddot.Robot:
    return robot(request.param)
