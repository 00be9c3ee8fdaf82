"""Runs LLVM: assembly to machine code of this processor, and machine code to callable functions."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from mmap import PAGESIZE, mmap
from typing import Any

import llvmlite
import llvmlite.binding as llvm
from llvmlite.binding.newpassmanagers import NewPassManager

from qddot.algebra.program.operations import OPERATIONS
from qddot.base.records import record

LOOPS, MOST = 3, 4  # efforts
FAR = 1 << 30  # bytes; half of what a reference reaches
SECTIONS = 8  # at most, each of which begins a page


@record()
class Processor:
    """This is the processor that code is made for; `lanes` is the number of doubles in one register."""

    name: str
    features: str
    lanes: int


@cache
def processor() -> Processor:
    """Returns the processor that runs this process."""
    features = llvm.get_host_cpu_features()
    wide = [
        lanes
        for feature, lanes in (("avx512f", 8), ("avx", 4), ("sse2", 2), ("neon", 2))
        if features.get(feature, False)
    ]
    lanes = wide[0] if wide else 2
    chosen = features.flatten() + (",-prefer-256-bit" if lanes == 8 else "")
    return Processor(llvm.get_host_cpu_name(), chosen, lanes)


def _ready() -> None:
    _initialize()
    for name in _of_library():
        _link(name)


@cache
def _initialize() -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()


@cache
def _link(name: str) -> None:
    """Tells LLVM where a function of the C library is."""
    llvm.add_symbol(name, ctypes.cast(getattr(ctypes.CDLL(None), name), ctypes.c_void_p).value)


def _of_library() -> dict[str, int]:
    """Returns the functions of the C library that modules may call, with the numbers of their arguments."""
    return {each.name: each.arity for each in OPERATIONS.values() if each.is_called}


def _machine(effort: int) -> Any:
    host = processor()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=host.name, features=host.features, opt=effort, reloc="pic", codemodel="default"
    )


def version() -> str:
    """Returns the versions of LLVM and of llvmlite, on which cached code depends."""
    return f"llvmlite {llvmlite.__version__}, LLVM {'.'.join(map(str, llvm.llvm_version_info))}"


def object_code(assembly: str, effort: int) -> bytes:
    """Returns machine code, as an object file; no functions of LLVM and of the C library have to be declared.

    effort: up to LOOPS, that of instruction selection and register allocation. 2 also combines instructions, and LOOPS
        keeps the memory of short loops over steps in registers. MOST runs all of LLVM's optimization passes, which take
        as long as everything else, and speed up eliminations in loops, such as those of Radau IIA, by a fifth.
    """
    _ready()
    declared = [f"declare double @{name}({', '.join(['double'] * arity)})" for name, arity in _of_library().items()]
    module = llvm.parse_assembly("\n".join([*declared, assembly]))
    machine = _machine(min(effort, LOOPS))
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=2))
    passes = builder.getModulePassManager() if effort == MOST else _passes(effort)
    try:
        passes.run(module, builder)
    finally:
        _free(passes)
    return bytes(machine.emit_object(module))


def _passes(effort: int) -> Any:
    passes = llvm.create_new_module_pass_manager()
    passes.add_always_inliner_pass()
    passes.add_global_dead_code_eliminate_pass()  # of functions that are not called, or are inlined everywhere
    if effort >= LOOPS:
        passes.add_sroa_pass()
    if effort > 1:
        passes.add_instruction_combine_pass()
    if effort >= LOOPS:
        passes.add_simplify_cfg_pass()
    return passes


def _free(passes: Any) -> None:
    """Frees a pass manager: llvmlite's own method for it is hidden by the empty one of its first base class."""
    NewPassManager._dispose(passes)
    passes.detach()


class Loaded:
    """This is a module in memory, as long as this object lives. Its functions release the interpreter's lock."""

    def __init__(self, code: bytes) -> None:
        _ready()
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine(LOOPS))
        with near(len(code)):
            self._engine.add_object_file(llvm.ObjectFileRef.from_data(code))
            self._engine.finalize_object()

    def function(self, name: str, pointers: int, counts: int) -> Callable[..., None]:
        """Returns a function of the module that takes addresses, then integers."""
        kind = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * pointers, *[ctypes.c_int64] * counts)
        return kind(self.address(name))

    def address(self, function: str) -> int:
        """Returns the address of a function of the module."""
        return int(self._engine.get_function_address(function))


@contextmanager
def near(size: int) -> Iterator[None]:
    """Occupies the gaps far above the one in which all sections have room, until the `with` block ends.

    The sections' references to each other have 32 bits. LLVM maps each section by itself, and the system takes the
    highest gap that is large enough. If a small gap lies more than 2 GB above the next large one, as after large arrays
    were freed, LLVM would end the process.
    size: of the object file [bytes]
    """
    fillers: list[mmap] = []
    while abs(_start(small := mmap(-1, PAGESIZE)) - _start(large := mmap(-1, size + SECTIONS * PAGESIZE))) > FAR:
        fillers.append(small)
        large.close()
    small.close()
    large.close()
    try:
        yield
    finally:
        for filler in fillers:
            filler.close()


def _start(block: mmap) -> int:
    return ctypes.addressof(ctypes.c_char.from_buffer(block))
