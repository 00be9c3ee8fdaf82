"""Writes programs as functions of MATLAB and Octave, in a package: +NAME/FUNCTION.m is called as NAME.FUNCTION.

Beside the functions, the package has `self_test`, and `joints` with names, units and limits. Where the state derivative
is exported, a script simulates the system by ode45 and plots the motion.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from qddot.algebra.expressions.identifiers import MATLAB_READS, MATLAB_WORDS, in_matlab
from qddot.algebra.program.operations import OPERATIONS, Operation
from qddot.algebra.program.program import Port, Program
from qddot.base.errors import FormatError
from qddot.machine.compilers.exported import SIMULATED, TOLERANCE, Origin, TrialState, interface, numbers, places
from qddot.machine.compilers.joint_table import Position, Velocity
from qddot.machine.compilers.printer import Printer, Tests

REALS = ("double",)
LONGEST = 110  # letters of a line with an array
SCRIPT = "simulate_"  # before the name of the script
SELF_TEST = f"""
function wrong = count(results, right)
%COUNT how many numbers are wrong
wrong = 0;
for k = 1:numel(right)
    difference = abs(results{{k}} - right{{k}});
    wrong = wrong + nnz(~(difference <= {TOLERANCE["double"]!r}*(1 + abs(right{{k}}))));
end
end
""".strip("\n")
SIMULATION = """
f = @(t, z) {name}.state_derivative({call});
[times, states] = ode45(f, times, [q0; qd0], odeset('RelTol', 1e-8, 'AbsTol', 1e-10));

if exist('OCTAVE_VERSION', 'builtin') && isempty(available_graphics_toolkits())
    disp('times and states have the motion; Octave plots it where gnuplot or Qt is installed');
else
    joints = {name}.joints();
    figure;
    subplot(2, 1, 1);
    plot(times, states(:, 1:{positions}));
    ylabel({q_label});
    legend({{joints.positions.name}}, 'Interpreter', 'none', 'Location', 'eastoutside');
    title('{name}', 'Interpreter', 'none');
    grid on;
    subplot(2, 1, 2);
    plot(times, states(:, {first}:{last}));
    xlabel('t [s]');
    ylabel({qd_label});
    legend({{joints.velocities.name}}, 'Interpreter', 'none', 'Location', 'eastoutside');
    grid on;
end
""".strip("\n")


def files(programs: Sequence[Program], origin: Origin, name: str, tests: Tests, real: str = "double") -> dict[str, str]:
    """Returns the functions, their self-test, the joints and a script that simulates, by file name.

    raises FormatError: MATLAB cannot have a package of this name
    """
    if not name[0].isalpha() or name in MATLAB_WORDS or len(SCRIPT + name) > MATLAB_READS:
        raise FormatError("stem-no-matlab-name", stem=repr(name), most=MATLAB_READS - len(SCRIPT))
    matlab = _Matlab(programs, origin, name, tests, real)
    texts = {program.name: _function(matlab, program) for program in programs} | {"self_test": _self_test(matlab)}
    if origin.joints.positions:
        texts["joints"] = _joints(matlab)
    package = {f"+{name}/{function}.m": _text(lines) for function, lines in texts.items()}
    simulated = next((program for program in programs if program.name == SIMULATED), None)
    return package | ({f"{SCRIPT}{name}.m": _text(_script(matlab, simulated))} if simulated and origin.start else {})


class _Matlab(Printer):
    def reserved_names(self, program: Program) -> Collection[str]:
        return MATLAB_WORDS | _functions() | {port.name for port in program.outputs}

    def spelled(self, name: str) -> str:
        return in_matlab(name)

    def constant(self, value: float) -> str:
        return repr(value)

    def element(self, argument: str, port: Port, place: int) -> str:
        return _entry(argument, *places(port.shape, place)) if port.shape else argument

    def call(self, function: Operation, values: Sequence[str]) -> str:
        return (function.matlab or f"{function.name}({', '.join(values)})").format(*values)

    def assignment(self, variable: str, expression: str) -> str:
        return f"{variable} = {expression};"

    def described(self, program: Program) -> Iterator[str]:
        """Yields the lines on the ports, the origin and the joints, for the help of a function."""
        yield from (*self.interface(program), "", str(self.origin))
        if self.origin.joints.positions:
            yield from ("", *self.origin.joints.lines(_entry))

    def interface(self, program: Program) -> list[str]:
        return interface(program, self.names(program), self.origin, _sized, "")

    def trial(self, program: Program, states: Sequence[TrialState]) -> Iterator[str]:
        results = [f"results{{{k}}}" for k in range(1, len(program.outputs) + 1)]
        for state in states:
            inputs, right = (
                [_array(port, [repr(float(x)) for x in values]) for values, port in zip(rows, ports, strict=True)]
                for rows, ports in ((state.inputs, program.inputs), (state.outputs, program.outputs))
            )
            yield "results = {};"
            yield f"[{', '.join(results)}] = {self.name}.{program.name}({', '.join(inputs)});"
            yield f"wrong = wrong + count(results, {{{', '.join(right)}}});"


def _function(matlab: _Matlab, program: Program) -> Iterator[str]:
    outputs = [port.name for port in program.outputs]
    results = outputs[0] if len(outputs) == 1 else f"[{', '.join(outputs)}]"
    call = f"{program.name}({', '.join(matlab.names(program))})"
    yield f"function {results} = {call}"
    yield f"%{program.name.upper()} {results} = {matlab.name}.{call} in one state"
    yield from _comments(matlab.described(program))
    yield from matlab.operations(program)
    for port, values in matlab.results(program):
        line = f"{port.name} = {_array(port, values)};"
        yield line if len(line) <= LONGEST else line.replace("; ", ";\n    ")
    yield "end"


def _self_test(matlab: _Matlab) -> Iterator[str]:
    yield "function self_test()"
    yield f"%SELF_TEST {matlab.name}.self_test() calls all functions in some states and compares with right values"
    command = f'octave --eval "{matlab.name}.self_test()"'
    yield from _comments([f"In the folder of +{matlab.name}: {command}", str(matlab.origin)])
    yield "wrong = 0;"
    yield from matlab.trials()
    yield "if wrong > 0"
    yield f"    error('{matlab.name}: %d values are wrong: these files are damaged; export them again', wrong);"
    yield from ("end", f"fprintf('{matlab.name}: all values are right\\n');", "end", "", SELF_TEST)


def _joints(matlab: _Matlab) -> Iterator[str]:
    joints = matlab.origin.joints
    yield "function list = joints()"
    yield f"%JOINTS {matlab.name}.joints() has the names, units and limits of the joints, in the order of all arrays"
    yield from _comments(
        [
            "positions(k): of q(k), with the name of its joint, and limits, infinite where none are known",
            "velocities(k): of qd(k), and of qdd(k) and tau(k): effort is the largest torque or force of its motor",
            *(["independent: the places in qd of the rates of the equations"] if joints.independent else []),
            "",
            str(matlab.origin),
        ]
    )
    yield from _structs("positions", [_of_position(each) for each in joints.positions])
    yield from _structs("velocities", [_of_velocity(each) for each in joints.velocities])
    if joints.independent:
        yield f"list.independent = [{', '.join(str(k + 1) for k in joints.independent)}];"
    yield "end"


def _of_position(each: Position) -> dict[str, str]:
    texts = {"name": each.name, "unit": each.unit, "joint": each.joint}
    return {key: _quoted(text) for key, text in texts.items()} | {
        "lower": _number(each.lower),
        "upper": _number(each.upper),
    }


def _of_velocity(each: Velocity) -> dict[str, str]:
    texts = {"name": each.name, "unit": each.unit, "joint": each.joint, "torque_unit": each.torque_unit}
    return {key: _quoted(text) for key, text in texts.items()} | {
        "effort": _number(each.effort),
        "driven": str(each.driven).lower(),
    }


def _structs(name: str, rows: Sequence[dict[str, str]]) -> Iterator[str]:
    """Yields the statements that make an array of structs."""
    for k, row in enumerate(rows, 1):
        fields = ", ".join(f"'{key}', {value}" for key, value in row.items())
        yield f"list.{name}({k}) = struct({fields});"


def _script(matlab: _Matlab, program: Program) -> Iterator[str]:
    """Yields a script that integrates z' = (q', q'') by ode45, and plots q and q' over time."""
    joints = matlab.origin.joints
    p, n = len(joints.positions), len(joints.velocities)
    yield f"%{SCRIPT.upper()}{matlab.name.upper()} Motion of {matlab.name} by ode45, with plots of q and qd"
    yield from _comments(
        [
            "Change the start, the torques and the times below, then run it. Limits of joints stop nothing.",
            f"In Octave: octave --persist {SCRIPT}{matlab.name}.m",
            "Octave without a display: print('motion.png') after it writes the figure.",
            "",
            str(matlab.origin),
            "",
            *joints.lines(_entry),
        ]
    )
    yield f"q0 = [{'; '.join(numbers([x]) for x in matlab.origin.start)}];"
    yield f"qd0 = zeros({n}, 1);"
    yield "times = [0 5];                     % s"
    yield f"tau = @(t, q, qd) zeros({n}, 1);    % the torques of the motors"
    call = [f"z(1:{p})", f"z({p + 1}:{p + n})", f"tau(t, z(1:{p}), z({p + 1}:{p + n}))"]
    for name, port in list(zip(matlab.names(program), program.inputs, strict=True))[len(call) :]:
        if port.name == matlab.origin.time:
            call.append("t")
        else:
            call.append(f"value_of.{name}")
            yield f"value_of.{name} = {numbers([matlab.origin.values.get(port.name, 1.0)])};"
    yield ""
    labels = {"q_label": _label("q", joints.positions), "qd_label": _label("qd", joints.velocities)}
    yield SIMULATION.format(name=matlab.name, call=", ".join(call), positions=p, first=p + 1, last=p + n, **labels)


def _label(array: str, rows: Sequence[Position | Velocity]) -> str:
    units = " or ".join(dict.fromkeys(each.unit for each in rows if each.unit))
    return _quoted(f"{array} [{units}]")


def _array(port: Port, values: Sequence[str]) -> str:
    """Returns a number, a column, a matrix, or an array of more axes."""
    if not port.shape:
        return values[0]
    if len(port.shape) > 2:
        sizes, axes = list(port.shape[::-1]), list(range(len(port.shape), 0, -1))
        return f"permute(reshape([{', '.join(values)}], {sizes}), {axes})"
    columns = port.shape[1] if len(port.shape) == 2 else 1
    rows = [", ".join(values[k : k + columns]) for k in range(0, len(values), columns)]
    return f"[{'; '.join(rows)}]"


def _sized(port: Port) -> str:
    return (
        f"{port.name} ({'x'.join(map(str, (*port.shape, 1)[: max(2, len(port.shape))]))})" if port.shape else port.name
    )


def _entry(array: str, *indices: int) -> str:
    return f"{array}({', '.join(str(k + 1) for k in indices)})"


def _comments(lines: Iterable[str]) -> Iterator[str]:
    yield from (f"%   {line}".rstrip() for line in lines)
    yield ""


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _number(value: float) -> str:
    return repr(value).replace("inf", "Inf")


def _functions() -> set[str]:
    """Returns the names of the functions that programs call."""
    own = {word for each in OPERATIONS.values() for word in re.findall(r"[a-z]\w*", each.matlab)}
    return own | {each.name for each in OPERATIONS.values()} | {"reshape", "permute"}


def _text(lines: Iterator[str]) -> str:
    return "\n".join(lines) + "\n"
