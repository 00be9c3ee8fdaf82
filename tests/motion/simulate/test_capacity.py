"""What does not fit into memory is told in numbers that differ."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest

import qddot
from qddot.base.errors import SimulationError
from qddot.motion.simulate.runs import capacity


@pytest.mark.parametrize(
    ("size", "there", "says"),
    [
        (2**20 + 1, 2**20 - 1, ("1.048577 MB", "1.048575 MB")),
        (58 * 10**12, 50 * 10**6, ("58 TB", "50 MB")),
        (10**9, 10**9 - 1, ("1 GB", "999.999999 MB")),
        (1_500_000_001, 1_500_000_000, ("1.500000001 GB", "1.5 GB")),
        (7, 6, ("7 B", "6 B")),
        (10**30 + 1, 1, ("1e+12 EB", "1 B")),
    ],
)
def test_two_sizes_never_read_alike(size: int, there: int, says: tuple[str, str]) -> None:
    assert capacity.apart(size, there) == says


def test_the_error_of_a_run_says_two_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(capacity.psutil, "virtual_memory", lambda: SimpleNamespace(available=1_500_000))
    arm = qddot.load("two_link").with_values(m1=1.0, m2=1.0, l=1.0)
    with pytest.raises(SimulationError) as raised:
        arm.simulate([1, 0], duration=10, step=0.0005)
    needed, free = re.findall(r"[\d.]+ MB", str(raised.value))
    assert float(needed.split()[0]) > float(free.split()[0]) == 1.5
