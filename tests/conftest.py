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


@pytest.fixture(params=ZOO)
def zoo_arm(request: pytest.FixtureRequest) -> qddot.Robot:
    return robot(request.param)
