"""Lists the commands of `qddot`; each is a module, which is loaded when its command runs."""

from __future__ import annotations

import argparse
from importlib import import_module
from typing import NamedTuple

from qddot.apps.cli.output import DONE
from qddot.base.errors import ClosedChainError

EXAMPLES = """examples:
  qddot list                                       the robots and closed chains that ship
  qddot show spatial_2r                            its links, symbols and source
  qddot show puma560 --picture puma.svg            a drawing with its frames, joints, gravity and scale
  qddot derive two_link                            M, h and G as text
  qddot derive two_link --lang zh                  in Chinese, as show, prove, check, doctor and simulate print it, too
  qddot derive puma560 --only M,G --format latex   for a paper
  qddot derive my_arm.toml --route dh4x4           by Uicker's 4x4 matrices
  qddot derive elbow_3r --form textbook            with c23, lumped constants and their definitions
  qddot report spatial_2r --route com_jacobian -o derivation.html    the whole derivation as a document
  qddot exam two_link --seed 7 -o exam.pdf         an exam with its solution and marks
  qddot prove puma560                              every route, and the laws of mechanics
  qddot prove puma560 --to coq --folder proof      files with which Coq proves the equations from the description
  qddot vectors ur5 solo12 --folder vectors        values to 30 proved digits, to test a library of dynamics
  qddot base puma560                               which inertias matter, and in which combinations
  qddot base four_bar                              the same where loops are closed; check and vectors take chains, too
  qddot abbreviate puma560_akb --significance 0.01    short equations, each with a bound of its error
  qddot bounds elbow_3r --region qd=2 --region qdd=5    proven bounds of λ(M), |G|, C and the torques
  qddot bounds four_bar                            the same on the branch of a closed chain
  qddot simulate spatial_2r --q0 180deg,0 --qd0 0.1,0.1 --duration 20 --step 0.01 --damping 1 --plot motion.png
  qddot simulate two_link --q0 1,0 --duration 5 --set m2=3 --movie swing.mp4 -o run.nc
  qddot sweep two_link plan.toml --store sweep.zarr    many runs with drawn values
  qddot doctor my_arm.toml                         singular mass matrices, impossible inertias, odd units …
  qddot doctor . --format sarif                    every robot file of a folder, for code scanning
  qddot diff puma560_akb my_puma.toml              where two models of one arm differ, and which confusion explains it
  qddot diff delta my_delta.toml                   closed chains, too: what their loops hold, and the links
  qddot diff ur5 --against pinocchio ur5.urdf      compare with the numbers that Pinocchio or MuJoCo computes
  qddot check two_link my_answer.tex --rename L=l  your own derivation against the exact one, term by term
  qddot check two_link --template mine.tex         a file to be filled in, with a slot for each entry
  qddot check two_link answers                     grade a folder of answers, one row each
  qddot closed five_bar --independent q1,q3        a linkage with loops, in the coordinates of its motors
  qddot show delta --picture delta.svg             a closed chain; simulate and doctor take it, too
  qddot lagrange --q theta --K "m*l**2*thetad**2/2" --P=-m*g*l*cos(theta)    a system that is no robot
  qddot convert puma560 --to mdh -o puma_mdh.toml  another convention, the same motion and torques
  qddot convert delta --to screws -o delta.toml    the same loops in a file of another convention
  qddot export spatial_2r --code c --functions inverse_dynamics,mass_matrix --folder build
  qddot export spatial_2r --code matlab            zDot = f(t, z) for ode45, with M, B, C2 and G by name
  qddot page spatial_2r                            the page, once `make page` has built it"""
EXIT_CODES = """
exit codes: 0 done, 1 an identity does not hold, or a motion's energy, 2 invalid input, 130 interrupted, 141 the output
was closed early;
doctor, diff and check: see their --help"""
WIDTH = 115  # of the sentences about an arm


class Command(NamedTuple):
    """A command has a name, a line of help and a module with `options` and `run`; it may take an arm.

    chains: whether it takes closed chains, too
    file: the module's name, if it is not that of the command
    """

    name: str
    text: str
    arm: bool = True
    chains: bool = False
    file: str = ""

    @property
    def module(self) -> str:
        """Returns the module's full name."""
        return f"qddot.apps.cli.{self.file or self.name}"

    def options(self, parser: argparse.ArgumentParser) -> None:
        """Adds the command's options to its parser."""
        import_module(self.module).options(parser)

    def run(self, chosen: argparse.Namespace) -> int:
        """Runs the command and returns its exit code. raises ClosedChainError: it takes no closed chain"""
        try:
            return import_module(self.module).run(chosen) or DONE
        except ClosedChainError as error:
            from qddot.robot.left_out import OPENS_LOOPS

            remedy = error.remedy.replace(OPENS_LOOPS, takes_chains())
            raise ClosedChainError(error.found, where=error.where, expected=error.expected, remedy=remedy) from None

    @property
    def examples(self) -> str:
        """The examples are the lines of the whole help that show this command."""
        return "\n".join(
            ["examples:", *(line for line in EXAMPLES.splitlines() if line.startswith(f"  qddot {self.name}"))]
        )


def epilog() -> str:
    """Returns the end of the whole help: the examples, what an arm may be, and the exit codes."""
    from textwrap import fill

    from qddot.formats.registry import FORMATS, TOML, others

    pages = ", ".join(dict.fromkeys(f"docs/reference/{form.page}" for form in FORMATS if form is not TOML))
    arm = (
        f"ARM is a robot that `qddot list` names, or the path of a robot file (docs/reference/{TOML.page}), "
        f"{others('or')} ({pages}). name:=value after it sets an argument of a xacro file."
    )
    return f"{EXAMPLES}\n\n{fill(arm, WIDTH, break_on_hyphens=False)}{EXIT_CODES}"


COMMANDS = (  # in the order of the help
    # a module `list` would hide the type in this package
    Command("list", "List the robots and the closed chains that ship.", arm=False, file="listing"),
    Command("show", "Show a robot's links, joints, symbols, source and notes, or draw it.", chains=True),
    Command("derive", "Derive the exact equations of motion and print them.", chains=True),
    Command(
        "report",
        "Write the derivation of the equations as a document.",
        chains=True,
    ),
    Command("exam", "Write an exam with its solution and marks, a variant for each seed."),
    Command(
        "prove",
        "Derive by every route, prove them equal, and prove the laws of mechanics.",
        chains=True,
    ),
    Command("base", "Find the base parameters: which inertias matter, and in which combinations.", chains=True),
    Command("abbreviate", "Drop the small terms of the equations, with proven bounds.", chains=True),
    Command(
        "bounds",
        "Prove bounds over a region: of the eigenvalues of M, |G|, the size of C, and each torque.",
        chains=True,
    ),
    Command("vectors", "Write values to 30 proved digits, to test a library of dynamics.", arm=False, chains=True),
    Command("simulate", "Simulate an arm, with a balance of its energy.", chains=True),
    Command("sweep", "Simulate an arm many times with drawn values, and store the results.", chains=True),
    Command("doctor", "Examine robots for mistakes: inertias, units, gravity, armature.", arm=False, chains=True),
    Command(
        "diff",
        "Compare two models of one arm or chain (descriptions, M, C and G), and say what explains a difference.",
        arm=False,
        chains=True,
    ),
    Command("check", "Judge your own derivation: which entries are right, and which mistake is likely.", chains=True),
    Command("closed", "Derive and prove the equations of a closed chain, such as a four-bar linkage.", arm=False),
    Command("lagrange", "Derive and prove Lagrange's equations of energies, with constraints or without.", arm=False),
    Command("convert", "Write an arm or a closed chain in another convention, with its inertias.", chains=True),
    Command("export", "Write functions of an arm or a closed chain as source code with a self-test.", chains=True),
    Command("page", "Serve qddot's page for the browser on this machine.", arm=False),
)


def takes_chains() -> str:
    """Returns the remedy where a command is given a closed chain that it does not take."""
    names = ", ".join(command.name for command in COMMANDS if command.chains)
    return f"`qddot closed`, {names} take it; chain.tree in Python has the links alone"
