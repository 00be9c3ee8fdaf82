"""Documents of Word are read: paragraphs, tables and formulas, right ones accepted and wrong ones rejected."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from judged_texts import equations

from qddot.base.errors import FormatError
from qddot.teach.check.checking import check

NAMESPACES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    ' xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
)


def t(text: str) -> str:
    return f'<m:r><w:rPr><w:rFonts w:ascii="Cambria Math"/></w:rPr><m:t xml:space="preserve">{text}</m:t></m:r>'


def script(base: str, sub: str = "", sup: str = "") -> str:
    tag = "s" + "Sub" * bool(sub) + "Sup" * bool(sup)
    inside = f"<m:sub>{t(sub)}</m:sub>" * bool(sub) + f"<m:sup>{t(sup)}</m:sup>" * bool(sup)
    return f"<m:{tag}><m:e>{base if base.startswith('<') else t(base)}</m:e>{inside}</m:{tag}>"


def fraction(above: str, below: str) -> str:
    return f"<m:f><m:num>{t(above)}</m:num><m:den>{t(below)}</m:den></m:f>"


def rate(joint: str, dots: str = "\u0307", sup: str = "") -> str:
    accent = f'<m:acc><m:accPr><m:chr m:val="{dots}"/></m:accPr><m:e>{t("q")}</m:e></m:acc>'
    return script(accent, joint, sup)


def function(name: str, of: str) -> str:
    return f"<m:func><m:fName>{t(name)}</m:fName><m:e>{of}</m:e></m:func>"


def brackets(inside: str, signs: str = "") -> str:
    properties = f'<m:dPr><m:begChr m:val="{signs[0]}"/><m:endChr m:val="{signs[1]}"/></m:dPr>' if signs else ""
    return f"<m:d>{properties}<m:e>{inside}</m:e></m:d>"


def matrix(*rows: tuple[str, ...]) -> str:
    inside = "".join(f"<m:mr>{''.join(f'<m:e>{cell}</m:e>' for cell in row)}</m:mr>" for row in rows)
    return brackets(f"<m:m>{inside}</m:m>", "[]")


def display(*parts: str) -> str:
    return f"<w:p><m:oMathPara><m:oMath>{''.join(parts)}</m:oMath></m:oMathPara></w:p>"


def words(text: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph(*runs: str) -> str:
    return f"<w:p>{''.join(runs)}</w:p>"


def table(*rows: tuple[str, ...]) -> str:
    cells = ("".join(f"<w:tc>{paragraph(words(cell))}</w:tc>" for cell in row) for row in rows)
    return f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in cells)}</w:tbl>"


def saved(path: Path, *body: str, name: str = "word/document.xml") -> Path:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, f"<w:document {NAMESPACES}><w:body>{''.join(body)}</w:body></w:document>")
    path.write_bytes(data.getvalue())
    return path


ML = script("m", "2") + script("l", sup="2")
COSINE, SINE = (function(name, script("q", "2")) for name in ("cos", "sin"))
THIRD, HALF = fraction("1", "3"), fraction("1", "2")
M11 = brackets(THIRD + script("m", "1") + t("+") + fraction("4", "3") + script("m", "2")) + script("l", sup="2")
M12 = THIRD + ML + t("+") + HALF + ML + COSINE
G2 = HALF + script("m", "2") + t("gl") + function("cos", brackets(script("q", "1") + t("+") + script("q", "2")))
H1 = t("-") + ML + SINE + rate("1") + rate("2") + t("-") + HALF + ML + SINE + rate("2", sup="2")
NUMBERED = script("M", "22") + t("&amp;=") + THIRD + ML + t("#(1)")
LINES = f"<m:eqArr><m:e>{NUMBERED}</m:e><m:e>{script('G', '2')}{t('=')}{G2}</m:e></m:eqArr>"
LINEAR = t("h=[■(-m_2 l^2 sin⁡〖q_2〗 (q ̇_1 q ̇_2+1/2 q ̇_2^2)@1/2 m_2 l^2 sin⁡〖q_2〗 q ̇_1^2)]")
LOW, HIGH = (f'<w:vertAlign w:val="{name}script"/>' for name in ("sub", "super"))
IN_WORDS = (words("M"), words("22", LOW), words(" = m"), words("2", LOW), words(" l"), words("2", HIGH), words("/3"))
PLUS, MINUS = '<m:t xml:space="preserve">+</m:t>', '<m:t xml:space="preserve">-</m:t>'


@pytest.mark.parametrize(
    ("body", "change"),
    [
        (display(script("M", "12"), t("="), M12), (PLUS, MINUS)),
        (display(t("M="), matrix((M11 + t("+") + ML + COSINE, M12), (t("*"), THIRD + ML))), (PLUS, MINUS)),
        (display(script("h", "1"), t("="), H1), (">-<", ">+<")),
        (display(LINES), (">3<", ">2<")),
        (display(LINEAR), ("1/2", "3/2")),
        (table(("Entry", "Value"), ("M22", "m2*l^2/3"), ("G2", "m2*g*l*cos(q1+q2)/2")), ("+", "-")),
        (paragraph(words("So M22 = m2 l^2/3.")) + paragraph(words("M12 = m2", "<w:strike/>")), ("/3", "/2")),
        (paragraph(*IN_WORDS), ("/3", "/2")),
        (paragraph("<w:del>", words("M22 = m2"), "</w:del><w:ins>", words("M22 = m2 l^2/3"), "</w:ins>"), ("/3", "/2")),
    ],
)
def test_right_documents_are_accepted_and_wrong_ones_rejected(
    body: str, change: tuple[str, str], tmp_path: Path
) -> None:
    assert check(equations("two_link"), saved(tmp_path / "right.docx", body), None, {})
    wrong = check(equations("two_link"), saved(tmp_path / "wrong.docx", body.replace(*change, 1)), None, {})
    assert wrong.wrong


def test_documents_that_hide_their_formulas_are_refused_by_name(tmp_path: Path) -> None:
    locked = tmp_path / "locked.docx"
    locked.write_bytes(b"\xd0\xcf\x11\xe0" + "EncryptedPackage".encode("utf-16-le"))
    cases = (
        (locked, "an encrypted document"),
        (saved(tmp_path / "sheet.xlsx", name="xl/workbook.xml"), "an archive or an office document"),
        (saved(tmp_path / "type.docx", paragraph("<w:object/>"), words("M22 = 1")), "another program"),
        (saved(tmp_path / "large.docx", words("0" * 6_000_000)), "too large"),
        (saved(tmp_path / "deep.docx", "<w:p>" * 490 + "</w:p>" * 490), "too deep|empty"),
        (saved(tmp_path / "entity.docx", words("&lol;")), "XML|entity"),
    )
    for path, found in cases:
        with pytest.raises(FormatError, match=found):
            check(equations("two_link"), path, None, {})
