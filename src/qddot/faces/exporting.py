"""Exporting is a part of robots and closed chains: it writes their functions as source code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from qddot.base.system.parts import installed
from qddot.machine.numeric.calls import named_as_written
from qddot.machine.numeric.numeric_system import NumericSystem


@named_as_written
class Exporting(NumericSystem):
    """This is a system whose functions can be written as source code."""

    def export(
        self,
        target: str,
        functions: Sequence[str] = ("inverse_dynamics",),
        folder: str | Path = ".",
        name: str = "",
        real: str = "double",
        free: Sequence[str] = (),
        body: int | str | None = None,
        frame: str = "world",
        wrenches: bool = False,
        bounds: Mapping[str, Any] | None = None,
        overwrite: bool = False,
    ) -> list[Path]:
        """Writes functions as source code with a self-test, and returns the paths of the files.

        target: "c" (header and source, C99; each function for one state, and for a batch), "python" (NumPy) or "js" (an
        ES module with its TypeScript types, which tests itself when it is loaded);
        real: "double", or "float" in C; free: symbols that remain arguments, while all others become constants;
        body, frame: of kinematics, as in `jacobian`; wrenches: whether the dynamics take external wrenches;
        bounds: a region as in `rounding`, whose bounds are written into the head of the C code
        overwrite: whether files are replaced that are there already and not from an earlier export
        raises QddotError: an unknown target or function, symbols without a value, a folder that cannot be written, or a
        file that may not be replaced; nothing is written then
        """
        from qddot.machine.numeric import source_code

        options = {"body": body, "frame": frame, "wrenches": wrenches}
        notes: dict[str, str] = {}
        if bounds is not None:
            with installed():
                from qddot.proof.bounds.exported import comments
            notes = comments(self, target, functions, real, free, bounds, options)
        return source_code.write(self, target, functions, folder, name, real, free, options, notes, overwrite)
