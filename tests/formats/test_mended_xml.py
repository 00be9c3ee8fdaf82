"""Files that strict readers refuse: -- in comments, prefixes that nothing declares, limits that are none."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refusal

import qddot
from qddot.apps.page import described
from qddot.base.errors import FormatError, QddotError
from qddot.formats.xml import elements as xml

INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
URDF = f"""<?xml version="1.0"?>
<robot name="r">{{}}
  <link name="a"/><link name="b">{INERTIAL}</link>
  <joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>
</robot>"""
SDF = """<?xml version="1.0"?>
<sdf version="1.6"><model name="r">{}
  <link name="b"><inertial><mass>1</mass></inertial></link>
  <joint name="j" type="revolute"><parent>world</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>
</model></sdf>"""
MJCF = """<mujoco model="r"><worldbody><body><joint axis="0 1 0"/><geom size=".1" pos="0 0 .5"/></body></worldbody>{}
</mujoco>"""
KINDS = {"arm.urdf": (URDF, 2), "arm.sdf": (SDF, 2), "arm.xml": (MJCF, 1)}
PLUGINS = {
    "arm.urdf": '<gazebo><plugin name="p"><ns:a>1</ns:a><b drake:c="1"/></plugin></gazebo>',
    "arm.sdf": '<plugin name="p" filename="f"><ns:a>1</ns:a><b drake:c="1"/></plugin>',
}
COMMENTS = [
    "<!-- a -- b -->",
    "<!--- a --->",
    "<!------ a ------>",
    "<!-- <joint name='k'> -- </joint> <!-- again -->",
    "<!---->",
    "<!--\n\t---- a ----\n-->",
]


def loaded(folder: Path, name: str, text: str) -> qddot.Robot:
    (folder / name).write_text(text)
    return qddot.load(folder / name)


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("comment", COMMENTS)
def test_hyphens_in_a_row_in_comments_are_passed_over_with_a_note(name: str, comment: str, tmp_path: Path) -> None:
    text, line = KINDS[name]
    plain, mended = (loaded(tmp_path, name, text.format(inside)).model for inside in ("", comment))
    said = [f"{tmp_path / name}:{line}: invalid XML, corrected: -- in a comment: line {line}"]
    assert (mended.bodies, list(mended.notes)) == (plain.bodies, (comment != "<!---->") * said + list(plain.notes))


@pytest.mark.parametrize("name", PLUGINS)
def test_prefixes_that_nothing_declares_are_passed_over_with_a_note(name: str, tmp_path: Path) -> None:
    text, line = KINDS[name]
    plain, mended = (loaded(tmp_path, name, text.format(inside)).model for inside in ("", PLUGINS[name]))
    places = f"'ns' in line {line}, 'drake' in line {line}"
    said = f"{tmp_path / name}:{line}: invalid XML, corrected: undeclared prefix: {places}"
    assert (mended.bodies, mended.notes) == (plain.bodies, (said, *plain.notes))


def test_files_that_are_included_are_mended_too(tmp_path: Path) -> None:
    hand = '<sdf version="1.6"><model name="hand">\n<!-- -- --><link name="b"><x:y/></link></model></sdf>'
    (tmp_path / "hand.sdf").write_text(hand.replace("<x:y/>", '<sensor name="s" type="t"><x:y/></sensor>'))
    bolt = '<joint name="k" type="fixed"><parent>b</parent><child>hand::b</child></joint>'
    notes = loaded(tmp_path, "arm.sdf", SDF.format(f"<include><uri>hand.sdf</uri></include>{bolt}")).model.notes
    assert [note.split(": invalid XML, corrected: ") for note in notes[:2]] == [
        [f"{tmp_path / 'hand.sdf'}:2", "-- in a comment: line 2"],
        [f"{tmp_path / 'hand.sdf'}:2", "undeclared prefix: 'x' in line 2"],
    ]
    (tmp_path / "options.xml").write_text('<mujoco>\n\n<!-- -- --><option gravity="0 0 -1"/></mujoco>')
    arm = loaded(tmp_path, "arm.xml", MJCF.format('<include file="options.xml"/>'))
    assert arm.model.defaults() == {"g": 1.0}
    assert f"{tmp_path / 'options.xml'}:3: invalid XML, corrected: -- in a comment: line 3" in arm.model.notes


def test_the_doctor_and_the_page_say_what_was_mended(tmp_path: Path) -> None:
    text = URDF.format("<!-- -- -->")
    path = tmp_path / "arm.urdf"
    findings = [each for each in loaded(tmp_path, "arm.urdf", text).doctor() if each.check == "mended_xml"]
    assert [(each.severity, each.place, each.found) for each in findings] == [
        ("warning", f"{path}:2", "-- in a comment: line 2")
    ]
    assert described.read(text, "arm.urdf") == described.read(URDF.format(""), "arm.urdf")


def test_many_mistakes_are_one_note(tmp_path: Path) -> None:
    (note,) = loaded(tmp_path, "arm.urdf", URDF.format("<!-- -- -->\n" * 9)).model.notes
    places = "line 2, line 3, line 4, line 5 and 5 more"
    assert note == f"{tmp_path / 'arm.urdf'}:2: invalid XML, corrected: -- in a comment: {places}"


@pytest.mark.parametrize("version", ["1.6", "1.9"])
@pytest.mark.parametrize("bound", ["1.79769e+308", "1.7976931348623157e+308", "1e999", "1e16"])
def test_limits_beyond_1e16_are_none(bound: str, version: str, tmp_path: Path) -> None:
    limit = f"<limit><lower>-{bound}</lower><upper>{bound}</upper></limit>"
    text = SDF.format("").replace("</axis>", f"{limit}</axis>").replace('"1.6"', f'"{version}"')
    assert loaded(tmp_path, "arm.sdf", text).model.bodies[0].joint.limits is None
    text = URDF.format("").replace("continuous", "revolute")
    both, one = (text.replace("</joint>", f'<limit lower="-{low}" upper="{bound}"/></joint>') for low in (bound, "1"))
    assert loaded(tmp_path, "arm.urdf", both).model.bodies[0].joint.limits is None
    arm = loaded(tmp_path, "arm.urdf", one).model
    assert (arm.bodies[0].joint.limits, arm.notes) == (None, ("joint 'j': a limit on only one side is not read",))


def test_what_is_no_limit_may_still_not_be_that_large(tmp_path: Path) -> None:
    with refusal(QddotError, "decimal-too-large"):
        loaded(tmp_path, "arm.sdf", SDF.format("").replace("<mass>1<", "<mass>1e308<"))


@pytest.mark.parametrize(
    ("inside", "says"),
    [
        ("<!-- -- -->\n<a>", ("invalid-xml", "arm.urdf:6", "mismatched tag")),
        ("<!-- -- -->\n<x:a b='1' b='2'/>", ("invalid-xml", "arm.urdf:3", "duplicate attribute")),
        ("<!-- -- ", ("invalid-xml", "arm.urdf:2")),
        ("<!-- -- --><x:y z='<'/>", ("invalid-xml", "arm.urdf:2")),
        ("<!-- -- -->&a;", ("invalid-xml", "arm.urdf:2", "undefined entity")),
        ("<!-- -- -->\n<axis xyz='1'/>\0", ("invalid-xml",)),
    ],
)
def test_other_mistakes_in_xml_are_still_errors_at_their_line(
    inside: str, says: tuple[str, ...], tmp_path: Path
) -> None:
    with refusal(QddotError, *says):
        loaded(tmp_path, "arm.urdf", URDF.format(inside))


@pytest.mark.parametrize(
    "kind",
    [
        '<!DOCTYPE r [<!ENTITY a "b">]>',
        '<!DOCTYPE r SYSTEM "http://127.0.0.1/a.dtd">',
        '<!DOCTYPE r [<!-- -- --><!ENTITY a SYSTEM "file:///etc/passwd">]>',
        '<!-- -- --><!DOCTYPE r [<!ENTITY a "<!--">]>',
        "<!DOCTYPE r [<!ENTITY a '-->'> <!-- -- --> ]>",
    ],
)
@pytest.mark.parametrize("inside", ["", "<!-- -- -->", "<x:y>&a;</x:y>"])
def test_mending_lets_no_document_type_in(kind: str, inside: str) -> None:
    with refusal(FormatError, "document-type-or-entity"):
        xml.parse(f"{kind}<robot>{inside}</robot>", "arm.urdf")


PIECES = [
    "<a>", "</a>", "<a b='>'/>", "<a b=\"'<!--\"/>", "<![CDATA[<!-- -- --> <c:d>]]>", "<?e <f:g> -- ?>", "<!-- h -->",
    "<!-- i -- j -->", "<k:l m:n='o:p=\"q\"'/>", "text", "\n", "<r xmlns:k='s'><k:l/></r>", "-->", "&lt;", "--",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=12))
def test_mending_changes_nothing_but_the_two_mistakes(pieces: list[str]) -> None:
    """The same document without these mistakes, or written so that they are none, has the same elements and texts."""
    text = "".join(pieces)
    mended = f"<top>{text}</top>"
    right = f'<top xmlns:k="1" xmlns:m="2">{text.replace(" i -- j ", " i    j ")}</top>'
    trees = [tree(each) for each in (mended, right)]
    assert trees[0] == trees[1]


def tree(text: str) -> object:
    try:
        root = xml.parse(text, "arm.urdf")
    except FormatError as error:
        return str(error)
    return [
        (each.tag, {key.rpartition("}")[2]: value for key, value in each.attributes.items()}, each.line, each.words)
        for each in root.descendants()
    ]
