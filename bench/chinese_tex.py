"""Compiles reports in Chinese with xelatex and ctex, and says which lines are too wide and which letters are missing.

`python bench/chinese_tex.py` takes three reports, `python bench/chinese_tex.py rp:energy:full` another. It needs
xelatex, ctex and their fonts (Debian: texlive-xetex, texlive-lang-chinese and texlive-fonts-recommended).
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import qddot

REPORTS = ("spatial_2r:com_jacobian:lecture", "ur5:newton_euler:lecture", "puma560:com_jacobian:lecture")
FAULT = re.compile(r"^(?:Overfull|!|Missing character)[^\n]*", re.MULTILINE)


def faults(report: str, folder: Path) -> tuple[str, list[str]]:
    """Returns how many pages a report has, and what its log complains of."""
    name, route, level = report.split(":")
    qddot.load(name).report(folder / "report.tex", route, "zh", level=level)
    for _ in range(2):  # the second time with the numbers of the first
        command = ["xelatex", "-interaction=nonstopmode", "report.tex"]
        subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, check=False)
    log = (folder / "report.log").read_text(encoding="utf-8", errors="replace")
    pages = re.search(r"\((\d+) pages?", log)
    return pages[1] if pages else "no", FAULT.findall(log)


def main() -> None:
    count = 0
    for report in sys.argv[1:] or REPORTS:
        with TemporaryDirectory() as folder:
            pages, found = faults(report, Path(folder))
        count += len(found) + (pages == "no")
        print(f"{report}: {pages} pages, {len(found)} faults", *found[:9], sep="\n  ", flush=True)
    sys.exit(count > 0)


if __name__ == "__main__":
    main()
