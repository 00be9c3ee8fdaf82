"""Compilers of C and C++ for exported code."""

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


def compile_cpp(main: Path, source: Path, program: Path, *flags: str, compiler: str = "g++") -> Path:
    """Compiles a file of C++ and one of C with all warnings as errors, and returns their program."""
    compile_c(source, source.with_suffix(".o"), "-c")
    strict = ["-std=c++17", "-Wall", "-Wextra", "-pedantic", "-Wshadow", "-Wconversion", "-Werror"]
    command = [compiler, *strict, *flags, str(main), str(source.with_suffix(".o")), "-o", str(program), "-lm"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return program
