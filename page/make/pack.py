"""Packs Python modules for the page, compiled by the Python that runs there: without sources, docstrings and lines.

This runs in Pyodide. An archive has no dates, or those of 1980, so that the same sources give the same bytes.
"""

import json
import marshal
import os
import re
import zipfile
from collections.abc import Container, Iterator
from importlib.util import MAGIC_NUMBER
from types import CodeType

# tools, servers, other platforms and old encodings, which nothing in the page asks for
SENTENCES = re.compile(r"qddot/base/words/\w+/\w+\.toml")  # of errors, which may come before all else is there
LIBRARY = "/library"  # in the memory of Pyodide
NOWHERE = 0x80 | 15 << 3  # the head of an entry of a line table: so many instructions, less one, have no place
NEEDLESS = re.compile(
    r"""(?x)
    (?:_pyrepl|concurrent/(?:futures/(?:process|thread|interpreter)|interpreters)|ctypes|curses|dbm|email|
    ensurepip|http|idlelib|lib2to3|logging/(?:config|handlers)|multiprocessing|pydoc_data|sqlite3|string/templatelib|
    tkinter|turtledemo|unittest|urllib/(?:request|robotparser|error)|venv|wsgiref|xml/(?:dom|sax)|xmlrpc)(?:[/._]|$)
    | encodings/(?!__init__|aliases|ascii|cp437|latin_1|raw_unicode|unicode_escape|utf_8)
    | (?:_aix_support|_android_support|_apple_support|_ast_unparse|_ios_support|_osx_support|_pydatetime|_pyio|
    _strptime|_sysconfigdata_[\w-]*|antigravity|argparse|bdb|cProfile|calendar|cmd|code|configparser|csv|doctest|filecmp|fileinput|
    ftplib|getopt|gettext|gzip|imaplib|ipaddress|mailbox|mimetypes|modulefinder|netrc|nntplib|optparse|pdb|pickletools|
    platform|plistlib|poplib|profile|pstats|pty|py_compile|pyclbr|pydoc|queue|rlcompleter|runpy|sched|shelve|
    smtplib|socketserver|statistics|symtable|tabnanny|this|timeit|trace|tracemalloc|tty|turtle|uuid|webbrowser|
    xdrlib|zipapp)\.py"""
)


def without_lines(code: CodeType) -> CodeType:
    """Returns the code without the places of its instructions in the source, which is not there either."""
    inner = tuple(without_lines(each) if isinstance(each, CodeType) else each for each in code.co_consts)
    eights, rest = divmod(len(code.co_code) // 2, 8)
    nowhere = bytes([NOWHERE | 7]) * eights + (bytes([NOWHERE | rest - 1]) if rest else b"")
    return code.replace(co_linetable=nowhere, co_consts=inner)


def compiled(path: str, name: str) -> bytes:
    """Returns a module's code as the bytes of a .pyc file; asserts and docstrings are left out."""
    with open(path, "rb") as file:
        code = compile(file.read(), name, "exec", dont_inherit=True, optimize=2)
    never_checked = (1).to_bytes(4, "little") + bytes(8)
    return MAGIC_NUMBER + never_checked + marshal.dumps(without_lines(code))


def contents(folder: str, needless: "re.Pattern[str] | None" = None) -> Iterator[tuple[str, bytes]]:
    """Yields the path and the content of each file below a folder; modules are compiled."""
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(place, name)
            within = os.path.relpath(path, folder)
            if "__pycache__" in within or (needless and needless.match(within)):
                continue
            if name.endswith(".py"):
                yield f"{within}c", compiled(path, within)
            elif not name.endswith((".pyi", "py.typed")):
                with open(path, "rb") as file:
                    yield within, file.read()


def module_of(path: str) -> str:
    """Returns the name of the module in a file."""
    return path.removesuffix(".pyc").removesuffix("/__init__").replace("/", ".")


def pack(folder: str, first: Container[str], out_first: str, out_later: str) -> None:
    """Writes the two archives that page/src/python/archive.ts reads: what Python begins with, and the rest.

    first: the modules that it begins with; libraries and sentences go with them
    """
    begins: dict[bool, list[tuple[str, bytes]]] = {True: [], False: []}
    for path, content in contents(folder):
        is_needed = path.endswith(".so") or SENTENCES.fullmatch(path)
        begins[bool(is_needed) or module_of(path) in first].append((path, content))
    _write(begins[True], out_first)
    _write(begins[False], out_later)


def _write(files: list[tuple[str, bytes]], out: str) -> None:
    listed = json.dumps([[path, len(content)] for path, content in files], separators=(",", ":")).encode()
    whole = b"".join([len(listed).to_bytes(4), listed, *(content for _, content in files)])
    with open(out, "wb") as file:
        file.write(compressed(whole))


def compressed(content: bytes) -> bytes:
    """Returns what page/src/python/unpacking.ts unpacks, which moves a whole window, of 2 MB, for each piece."""
    from compression import zstd  # Python 3.14 has it

    given = zstd.CompressionParameter
    packed: bytes = zstd.compress(content, options={given.compression_level: 22, given.window_log: 21})
    return packed


def packed(path: str) -> None:
    """Replaces a file by its compressed content under its name and .bin."""
    with open(path, "rb") as file, open(f"{path}.bin", "wb") as out:
        out.write(compressed(file.read()))
    os.remove(path)


def library(archive: str, first: Container[str], out: str, later: str) -> None:
    """Packs Python's own library anew, without what the page does not need; the archive is compressed as a whole.

    first: the modules that Python begins with. What is of no package with one of them is written to the folder later.
    """
    with zipfile.ZipFile(archive) as given:
        given.extractall(LIBRARY)
    files = list(contents(LIBRARY, NEEDLESS))
    begins = {path.split("/")[0] for path, _ in files if module_of(path) in first}
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as packed:
        for path, content in files:
            if path.split("/")[0] in begins:
                packed.writestr(zipfile.ZipInfo(path), content)
            else:
                place = os.path.join(later, path)
                os.makedirs(os.path.dirname(place), exist_ok=True)
                with open(place, "wb") as file:
                    file.write(content)
