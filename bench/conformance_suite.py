"""Writes the conformance vectors of sixty robots: those that ship, and forty public URDF files with their licences.

python bench/conformance_suite.py dist/vectors      vectors.json, its schema and reader, and dist/vectors.zip with all

It takes about 20 s. Robots that have no vectors, since symbols lack values or links lack inertias, are left out.
Vectors of files with content that is not modelled name it; such files are counted.
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from certify import FILES, PUBLIC
from read_files import Reading

from qddot.base.errors import EvaluationError, ModelError
from qddot.formats.finding import zoo
from qddot.proof.certify.vectors.licences import licence
from qddot.proof.certify.vectors.suite import Vectors, vectors

STATES = 3
ROBOTS = [*zoo(), *FILES]


def suite(names: Iterable[str], states: int = STATES) -> Vectors:
    """Returns the vectors of robots that ship, and of public files, which are named by package and file."""
    robots, reading = [], Reading()
    for name in names:
        shipped = name in zoo()
        place = name if shipped else str(PUBLIC / name)
        model = reading.robot(place).model
        own = model if shipped else replace(model, name=f"{Path(name).parts[0]}/{Path(name).stem}")
        try:
            robots.append(vectors(own, states, licence(place)))
        except (EvaluationError, ModelError) as error:
            print(f"left out: {error}")
    print(reading)
    return Vectors(robots)


def write(folder: Path, names: Iterable[str], states: int = STATES) -> list[Path]:
    """Writes the suite into a folder, and beside it as one archive; returns the paths."""
    paths = suite(names, states).export(folder)
    return [*paths, Path(shutil.make_archive(str(folder), "zip", folder))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    for path in write(parser.parse_args().folder, ROBOTS):
        print(f"{path}: {path.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
