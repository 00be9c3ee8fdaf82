"""Exporting is a part of robots and closed chains: it writes their functions as source code, and bounds its errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qddot.base.errors import FormatError, check_one_of, flag, is_one_of
from qddot.base.system import files
from qddot.base.system.parts import installed
from qddot.base.version import __version__
from qddot.base.words.message import Either, say
from qddot.machine.numeric.calls import named_as_written
from qddot.machine.numeric.numeric_system import NumericSystem
from qddot.robot.left_out import sentences
from qddot.robot.model import Model
from qddot.robot.symbol_values import symbols_of

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from qddot.proof.bounds.rounding import Rounding


@named_as_written
class Exporting(NumericSystem):
    """This is a system whose functions can be written as source code, with bounds of their rounding errors."""

    def export(
        self,
        target: str,
        functions: Sequence[str] | None = None,
        folder: str | Path = ".",
        name: str = "",
        real: str = "double",
        free: Sequence[str] = (),
        body: int | str | None = None,
        frame: str = "world",
        wrenches: bool = False,
        task: str | None = None,
        armature: bool = False,
        friction: bool = False,
        bounds: Mapping[str, Any] | None = None,
        overwrite: bool = False,
        readable: bool = False,
        bodies: Sequence[int | str] | int | str | None = None,
    ) -> list[Path]:
        """Writes functions as source code with a self-test, and returns the paths of the files.

        target: "c" (header and source, C99; each function for one state, and for a batch), "cpp" (the same, with a
        header of C++17, in which arrays have sizes, and joints names and limits), "matlab" (a package of functions for
        MATLAB and Octave, with a script that simulates by ode45 if state_derivative is among them), "python" (NumPy) or
        "js" (an ES module with its TypeScript types, which tests itself when it is loaded);
        functions: their names, by default inverse_dynamics, or in "matlab" the readable one
        readable: whether to write, in "python" or "matlab", one function for reading in place of these: ż = f(t, z),
        z = (q, q̇), with the symbols as parameters, M, B, C2, G and other torques by name in textbook form, and
        q̈ = M⁻¹ (τ − B [q̇_j q̇_k] − C2 [q̇_j²] − G − …); it has no self-test, and for closed chains there is none;
        real: "double", or "float" in C and C++; free: symbols that remain arguments, besides the time where energies
        depend on it, while all others become constants;
        body, frame: of kinematics, as in `jacobian`; bodies: of `contact_jacobian`; wrenches: whether the dynamics take
        external wrenches;
        task: rows of `operational_space`; armature, friction: whether `regressor` has their columns
        bounds: a region as in `rounding`, whose bounds are written into the head of the C code
        overwrite: whether files are replaced that are there already and not from an earlier export
        raises QddotError: an unknown target or function, symbols without a value, a folder that cannot be written, or a
        file that may not be replaced; nothing is written then
        """
        from qddot.machine.compilers import MATLAB, TARGETS
        from qddot.machine.numeric import source_code
        from qddot.machine.tracing.options import OPTIONS

        options: dict[str, Any] = {"body": body, "frame": frame, "wrenches": wrenches}
        options |= {"task": task, "armature": armature, "friction": friction}
        options["bodies"] = OPTIONS["bodies"].plain(bodies)
        check_one_of(target, TARGETS, "target", FormatError, expected=Either(TARGETS))
        if flag(readable, "readable") or (target == MATLAB and functions is None):
            others = {"functions": functions, "real": real, "bounds": bounds, **options}
            return self._export_readable(target, folder, name, free, overwrite, others)
        functions = ("inverse_dynamics",) if functions is None else functions
        notes: dict[str, str] = {}
        if bounds is not None:
            with installed():
                from qddot.proof.bounds.exported import comments
            notes = comments(self, target, functions, real, free, bounds, options)
        return source_code.write(self, target, functions, folder, name, real, free, options, notes, overwrite)

    def _export_readable(
        self,
        language: str,
        folder: str | Path,
        name: str,
        free: Sequence[str],
        overwrite: bool,
        others: Mapping[str, Any],
    ) -> list[Path]:
        """Writes the state derivative as a function for reading. others: options, which it does not have"""
        from qddot.exact.forms.textbook import state_function
        from qddot.machine.compilers.exported import Origin
        from qddot.machine.numeric import source_code

        model = self.system
        check_one_of(language, state_function.FUNCTIONS, say("readable-code-in"), FormatError)
        usual: dict[str, Any] = {"functions": None, "real": "double", "bounds": None, **source_code.USUAL}
        for option, value in others.items():
            if value is not usual[option] and not is_one_of(value, [usual[option]]):
                raise FormatError("readable-code-with-option", option=option)
        if not isinstance(model, Model):
            raise FormatError("readable-code-of-chain", name=model.name)
        origin = str(Origin(model.name, model.hash, __version__, left_out=tuple(sentences(model.left_out))))
        stem, arguments = source_code.stem_of(self, name), symbols_of(model, free)
        texts = state_function.files_of(model, language, stem, list(dict.fromkeys(arguments)), origin)
        return files.save_in(folder, texts, "export", overwrite, FormatError)

    def rounding(
        self,
        function: str,
        region: Mapping[str, Any] | None = None,
        dtype: DTypeLike = "float64",
        **options: Any,
    ) -> Rounding:
        """Returns proven bounds of |computed − exact| for a function over a region, for this machine's compiled code.

        `.bound` has the bound of each entry of the result, `.found` the largest errors that a search finds, `.ratio`
        bound / found, `.state` the worst state, `.assumes` what is taken for granted, and `.at(q, qd, qdd)` gives the
        bound at one state. The exact result is that of the program without rounding; its constants are the model's,
        already rounded to doubles. The bound holds with and without fused multiply-add, and includes the errors of the
        computed sines and cosines.
        function: a function such as "inverse_dynamics" that has one result and takes only q, qd, qdd and tau. If a
        divisor of the forward dynamics might be zero in the region, the region is divided into boxes, which takes some
        seconds.
        region: as in `bounds`; it has to limit the rates, accelerations and torques ("tau", "tau_q1") that the function
        takes
        dtype: "float64" or "float32"; options: of the function, such as body="tool"
        raises QddotError: another precision, an unknown function, an impossible region, or a divisor that may be zero
        in one of these boxes
        Source: Higham, *Accuracy and Stability of Numerical Algorithms*, 2002, §3.3.
        """
        with installed():
            from qddot.proof.bounds.rounding import rounding

        return rounding(self, function, region, dtype, **options)
