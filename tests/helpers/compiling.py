"""A C compiler for exported code."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path


def compile_c(source: Path, output: Path, *flags: str) -> None:
    compiler = [shutil.which("cc") or ""] if shutil.which("cc") else [sys.executable, "-m", "ziglang", "cc"]
    command = [
        *compiler,
        "-std=c99",
        "-Wall",
        "-Wextra",
        "-pedantic",
        "-Werror",
        *flags,
        str(source),
        "-o",
        str(output),
        "-lm",
    ]
    environment = {**os.environ, "ZIG_GLOBAL_CACHE_DIR": str(output.parent.parent / "zig")}
    subprocess.run(command, check=True, env=environment, capture_output=True)
