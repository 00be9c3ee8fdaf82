"""Packs Python modules for the page, compiled by the Python that runs there: without sources, docstrings and lines.

This runs in Pyodide. A zip's dates are those of 1980, so that the same sources give the same bytes.
"""

import marshal
import os
import re
import zipfile
from importlib.util import MAGIC_NUMBER
from types import CodeType

# tools, servers, other platforms and old encodings, which nothing in the page asks for
LIBRARY = "/library"  # in the memory of Pyodide
NOWHERE = 0x80 | 15 << 3  # the head of an entry of a line table: so many instructions, less one, have no place
NEEDLESS = re.compile(
    r"""(?x)
    (?:_pyrepl|concurrent/(?:futures/(?:process|thread|interpreter)|interpreters)|ctypes|curses|dbm|email/(?!__init__)|
    ensurepip|html/parser|http|idlelib|lib2to3|logging/(?:config|handlers)|multiprocessing|pydoc_data|sqlite3|string/templatelib|
    tkinter|turtledemo|unittest|urllib/(?:request|robotparser|error)|venv|wsgiref|xml/(?:dom|sax)|xmlrpc)(?:[/._]|$)
    | encodings/(?!__init__|aliases|ascii|cp437|latin_1|raw_unicode|unicode_escape|utf_8)
    | (?:_aix_support|_android_support|_apple_support|_ast_unparse|_ios_support|_osx_support|_pydatetime|_pyio|
    _strptime|_sysconfigdata_\w*|antigravity|argparse|bdb|cProfile|calendar|cmd|code|configparser|csv|doctest|filecmp|fileinput|
    ftplib|getopt|getpass|gettext|gzip|imaplib|ipaddress|mailbox|mimetypes|modulefinder|netrc|nntplib|optparse|pdb|pickletools|
    pkgutil|platform|plistlib|poplib|profile|pstats|pty|py_compile|pyclbr|pydoc|queue|rlcompleter|runpy|sched|shelve|
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


def pack(folder: str, out: str, needless: "re.Pattern[str] | None" = None) -> None:
    """Writes a zip of all files below a folder."""
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for place, folders, names in os.walk(folder):
            folders.sort()
            for name in sorted(names):
                path = os.path.join(place, name)
                within = os.path.relpath(path, folder)
                if "__pycache__" in within or (needless and needless.match(within)):
                    continue
                if name.endswith(".py"):
                    _add(packed, f"{within}c", compiled(path, within))
                else:
                    with open(path, "rb") as file:
                        _add(packed, within, file.read())


def _add(packed: zipfile.ZipFile, name: str, content: bytes) -> None:
    packed.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED, 9)


def library(archive: str, out: str) -> None:
    """Packs Python's own library anew, without what the page does not need."""
    with zipfile.ZipFile(archive) as given:
        given.extractall(LIBRARY)
    pack(LIBRARY, out, NEEDLESS)
