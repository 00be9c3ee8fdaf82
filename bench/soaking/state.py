"""What has been run and found, in JSON lines, so that a piece goes on where the last one ended."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import platformdirs

from soaking.trial import Outcome

SOURCE = Path(__file__).parents[2] / "src" / "qddot"


def default_folder() -> Path:
    return Path(platformdirs.user_cache_dir("qddot-soak"))


def tree_hash() -> str:
    """Of the source that is soaked: a change of it begins the count anew."""
    digest = hashlib.sha256()
    for path in sorted(SOURCE.rglob("*")):
        if path.suffix in (".py", ".toml"):
            digest.update(str(path.relative_to(SOURCE)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:12]


class State:
    """The files of one state folder, which one soak at a time may hold."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.progress, self.findings = folder / "progress.jsonl", folder / "findings.jsonl"
        self.tree = tree_hash()
        self._lock = folder / "lock"

    def hold(self) -> bool:
        """Whether no other soak holds the folder."""
        try:
            # held until the process ends
            fcntl.flock(os.open(self._lock, os.O_RDWR | os.O_CREAT), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def next_seed(self, kind: str) -> int:
        """The first that no piece has finished, on any source: a new source gets new robots."""
        return max((line["next"] for line in _lines(self.progress) if line["kind"] == kind), default=0)

    def record(self, kind: str, following: int, outcomes: list[Outcome]) -> None:
        """Append what a kind has done since it was last recorded."""
        wall, cpu = (round(sum(getattr(each, name) for each in outcomes), 3) for name in ("wall", "cpu"))
        line = {"tree": self.tree, "kind": kind, "next": following, "trials": len(outcomes), "wall": wall, "cpu": cpu}
        _append(self.progress, [line])
        found = [
            {"tree": self.tree, "kind": kind, "seed": each.seed, **vars(finding)}
            for each in outcomes
            for finding in each.findings
        ]
        _append(self.findings, found)

    def found(self) -> list[dict[str, Any]]:
        return list(_lines(self.findings))

    def report(self) -> str:
        """Time and trials on the current source, and its findings, each with its first seed."""
        totals: dict[str, Counter[str]] = {}
        for line in _lines(self.progress):
            if line["tree"] == self.tree:
                totals.setdefault(line["kind"], Counter()).update({k: line[k] for k in ("trials", "wall", "cpu")})
        text = [f"source {self.tree}"]
        for kind, total in sorted(totals.items()):
            text.append(f"  {kind}: {total['trials']} trials, {total['wall']:.0f} s, {total['cpu']:.0f} s of CPU")
        wall, cpu = (sum(total[name] for total in totals.values()) for name in ("wall", "cpu"))
        text.append(f"  in all {wall / 3600:.2f} h, {cpu / 3600:.2f} h of CPU, in the trials of all jobs")
        groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
        for line in self.found():
            if line["tree"] == self.tree:
                groups.setdefault((line["kind"], line["key"]), []).append(line)
        text.append(f"{len(groups)} findings")
        for (kind, key), lines in sorted(groups.items()):
            seeds = sorted({line["seed"] for line in lines})
            text.append(f"\n{kind}: {key}: {len(seeds)} trials, --only {kind}:{seeds[0]}")
            text.append(f"  {lines[0]['message']}")
            text += [f"    {line}" for line in lines[0]["tail"].splitlines()]
        return "\n".join(text)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            yield json.loads(line)


def _append(path: Path, lines: list[dict[str, Any]]) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
