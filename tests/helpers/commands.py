"""Runs a command as a user types it."""

from __future__ import annotations

import pytest

from qddot.apps.cli import main


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Returns the exit code, and what stands on standard output and on standard error."""
    code = main(arguments)
    out, err = capsys.readouterr()
    return code, out, err
