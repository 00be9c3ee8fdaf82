from __future__ import annotations

import pytest

import qddot


@pytest.fixture(scope="session")
def two_link() -> qddot.Robot:
    return qddot.load("two_link")
