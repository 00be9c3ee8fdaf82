"""Lists the commands of `qddot`; each is a module, which is loaded when its command runs."""

from __future__ import annotations

import argparse
from importlib import import_module
from types import ModuleType
from typing import NamedTuple

from qddot.apps.cli.output import DONE
from qddot.apps.cli.words import paragraph, sentence
from qddot.base.errors import ClosedChainError, QddotError
from qddot.base.words.message import Message, say

EXAMPLES = (  # command lines, each with the key of what it shows
    ("qddot list", "example-robots-closed-chains-that"),
    ("qddot show spatial_2r", "example-links-symbols-source"),
    ("qddot show puma560 -o puma.svg", "example-drawing-with-frames-joints"),
    ("qddot derive two_link", "example-m-h-g-text"),
    ("qddot derive two_link --lang zh", "example-in-chinese"),
    ("qddot derive puma560 --only M,G --format latex", "example-for-paper"),
    ("qddot derive my_arm.toml --route dh4x4", "example-by-uicker-s-4x4"),
    ("qddot derive elbow_3r --form textbook", "example-with-c23-lumped-constants"),
    ("qddot report spatial_2r --route com_jacobian -o derivation.html", "example-whole-derivation-document"),
    ("qddot exam two_link --seed 7 -o exam.pdf", "example-exam-with-solution-marks"),
    ("qddot prove puma560", "example-every-route-laws-mechanics"),
    ("qddot prove puma560 --to coq --folder proof", "example-files-with-which-coq"),
    ("qddot vectors ur5 solo12 --folder vectors", "example-values-30-proved-digits"),
    ("qddot base puma560", "example-which-inertias-matter-which"),
    ("qddot base four_bar", "example-same-where-loops-are"),
    ("qddot abbreviate puma560_akb --significance 0.01", "example-short-equations-each-with"),
    ("qddot bounds elbow_3r --region qd=2 --region qdd=5", "example-proven-bounds-m-g"),
    ("qddot bounds four_bar", "example-same-on-branch-closed"),
    (
        "qddot simulate spatial_2r --at 180deg,0,0.1,0.1 --duration 20 --step 0.01 --damping 1 --plot motion.png",
        "",
    ),
    ("qddot simulate two_link --at 1,0 --duration 5 --set m2=3 --movie swing.mp4 -o run.nc", ""),
    ("qddot linearize cart_pole --at 0,180deg --discrete 0.01", "example-linear-model-of-time-steps"),
    ("qddot sweep two_link plan.toml --store sweep.zarr", "example-many-runs-with-drawn"),
    ("qddot doctor my_arm.toml", "example-singular-mass-matrices-impossible"),
    ("qddot doctor . --format sarif", "example-every-robot-file-folder"),
    ("qddot diff puma560_akb my_puma.toml", "example-where-two-models-one"),
    ("qddot diff delta my_delta.toml", "example-closed-chains-too-what"),
    ("qddot diff ur5 --against pinocchio ur5.urdf", "example-compare-with-numbers-that"),
    ("qddot check two_link my_answer.tex --rename L=l", "example-own-derivation-against-exact"),
    ("qddot check two_link --template mine.tex", "example-file-be-filled-with"),
    ("qddot check two_link answers", "example-grade-folder-answers-one"),
    ("qddot closed five_bar --independent q1,q3", "example-linkage-with-loops-coordinates"),
    ("qddot show delta -o delta.svg", "example-closed-chain-simulate-doctor"),
    ('qddot lagrange --q theta --K "m*l**2*thetad**2/2" --P="-m*g*l*cos(theta)"', "example-system-that-no-robot"),
    ("qddot convert puma560 --to mdh -o puma_mdh.toml", "example-another-convention-same-motion"),
    ("qddot convert delta --to screws -o delta.toml", "example-same-loops-file-another"),
    ("qddot export spatial_2r --code c --functions inverse_dynamics,mass_matrix --folder build", ""),
    ("qddot export spatial_2r --code matlab", "example-zdot-f-t-z"),
    ("qddot page spatial_2r", "example-page-once-make-page"),
)
WITHIN = 48  # columns of an example before what it shows


class Command(NamedTuple):
    """A command has a name and a module with `options` and `run`; it may take an arm.

    chains: whether it takes closed chains, too; choosing: whether a chain's independent coordinates can be chosen
    file: the module's name, if it is not that of the command
    """

    name: str
    arm: bool = True
    chains: bool = False
    choosing: bool = True
    file: str = ""

    @property
    def module(self) -> str:
        """Returns the module's full name."""
        return f"qddot.apps.cli.{self.file or self.name}"

    @property
    def loaded(self) -> ModuleType:
        """Loads the module."""
        return import_module(self.module)

    def options(self, parser: argparse.ArgumentParser) -> None:
        """Adds the command's options to its parser."""
        self.loaded.options(parser)

    def run(self, chosen: argparse.Namespace) -> int:
        """Runs the command and returns its exit code. raises ClosedChainError: it takes no closed chain"""
        try:
            return self.loaded.run(chosen) or DONE
        except ClosedChainError as error:
            from qddot.robot.left_out import OPENS_LOOPS

            remedy = error.remedy.replace(str(OPENS_LOOPS), str(takes_chains()))
            raise error.to(ClosedChainError, remedy=remedy) from None
        except QddotError as error:
            from qddot.apps.cli.in_options import in_options

            raise in_options(error, chosen.parser) from error

    @property
    def text(self) -> str:
        """The line of help that says what the command does."""
        return sentence(f"command-{self.name}")

    @property
    def examples(self) -> str:
        """The examples are the lines of the whole help that show this command."""
        return _examples(f"qddot {self.name}")


def _examples(begin: str = "") -> str:
    """Returns the examples that begin with a command, each with what it shows, or, if it is long, above that."""
    shown = [(line, sentence(key) if key else "") for line, key in EXAMPLES if line.startswith(begin)]
    gaps = (f"\n{'':{WITHIN + 2}}" if len(line) > WITHIN and told else "" for line, told in shown)
    lines = (f"  {line:{WITHIN}}{gap}  {told}".rstrip() for (line, told), gap in zip(shown, gaps, strict=True))
    return "\n".join([sentence("command-examples"), *lines])


def epilog() -> str:
    """Returns the end of the whole help: the examples, what an arm may be, and the exit codes."""
    from qddot.formats.registry import FORMATS, TOML, others

    pages = ", ".join(dict.fromkeys(f"docs/reference/{form.page}" for form in FORMATS if form is not TOML))
    arm = paragraph("command-arms", page=TOML.page, others=others(), pages=pages)
    return "\n\n".join([_examples(), arm, paragraph("command-exit-codes")])


COMMANDS = (  # in the order of the help
    # a module `list` would hide the type in this package
    Command("list", arm=False, file="listing"),
    Command("show", chains=True),
    Command("derive", chains=True),
    Command("report", chains=True),
    Command("exam", chains=True),
    Command("prove", chains=True),
    Command("base", chains=True),
    Command("abbreviate", chains=True),
    Command("bounds", chains=True),
    Command("vectors", arm=False, chains=True),
    Command("simulate", chains=True),
    Command("linearize", chains=True),
    Command("sweep", chains=True),
    Command("doctor", arm=False, chains=True),
    Command("diff", arm=False, chains=True),
    Command("check", chains=True),
    Command("closed", arm=False),
    Command("lagrange", arm=False),
    Command("convert", chains=True, choosing=False),
    Command("export", chains=True),
    Command("page", arm=False),
)


def takes_chains() -> Message:
    """Returns the remedy where a command is given a closed chain that it does not take."""
    return say("takes-chains", names=", ".join(command.name for command in COMMANDS if command.chains))
