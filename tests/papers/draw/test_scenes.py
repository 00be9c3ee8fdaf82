"""What a picture of an arm shows: links as its table runs, frames and joints by name, to scale, filling its frame."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest
from matplotlib.colors import to_hex
from refusals import refusal
from shipped import ZOO, robot

import qddot
from qddot.base.errors import QddotError
from qddot.papers.draw import marks, picture, shapes
from qddot.papers.draw.camera import Camera
from qddot.papers.draw.labels import plain, symbol
from qddot.papers.draw.posed import PosedArm, constant
from qddot.papers.draw.scene import Scene
from qddot.papers.draw.shapes import Shapes

BODY = {"mass": 1}


def scara() -> qddot.Robot:
    rows = [
        {"theta": "q1", "d": 0.4, "a": 0.325, "alpha": 0},
        {"theta": "q2", "d": 0, "a": 0.275, "alpha": "180deg"},
        {"theta": 0, "d": "d3", "a": 0, "alpha": 0},
        {"theta": "q4", "d": 0.08, "a": 0, "alpha": 0},
    ]
    return qddot.from_dh(rows, [BODY] * 4, name="scara")


ARMS = {**{name: robot(name) for name in ZOO}, "scara": scara(), "scara_mdh": scara().as_mdh()}
SMALL = [name for name, arm in ARMS.items() if len(arm.model.bodies) < marks.MANY]
# each in one pose; puma560_1986, puma560_akb, franka_panda and ur10 have their frames but for lengths
LONG = {"puma560": True, "panda": False, "ur5": False, "kinova_6dof": False, "xarm7": True, "baxter": False}
SHORT = [name for name, arm in ARMS.items() if len(arm.model.bodies) < 5]
POSES = [(name, False) for name in SHORT] + [(name, True) for name in SHORT if name != "scara_mdh"] + [*LONG.items()]


def bent(arm: qddot.Robot) -> Any:
    return 0.35 + 0.2 * np.cos(3.0 * np.arange(arm.n))


@cache
def drawn(name: str, at_home: bool = False) -> Any:
    """The picture of an arm, made once for all that is asked of it."""
    arm = ARMS[name]
    return arm.plot(np.zeros(arm.n) if at_home else bent(arm))


@pytest.fixture(scope="module", autouse=True)
def forgotten() -> Iterator[None]:
    """Pictures are forgotten when all has been asked."""
    yield
    drawn.cache_clear()
    boxes.cache_clear()


def in_space(arm: qddot.Robot, q: Any, frame: int) -> list[Any]:
    """The lines along which a frame's rods run, in the base frame."""
    posed = PosedArm(arm.model, np.array([q], dtype=float))
    paths = Shapes(posed, 1.0).paths[frame]
    return [[posed.p[0, frame] + posed.R[0, frame] @ point for point in path] for path in paths]


@pytest.mark.parametrize("name", ["scara", "scara_mdh"])
@pytest.mark.parametrize("q", [[0, 0, 0, 0], [0.5, 0.7, 0.1, 0.2]])
def test_the_column_of_scara_stands(name: str, q: list[float]) -> None:
    """Along d to the height of the arm, and then along a: no rod leans."""
    lines = [line for frame in range(5) for line in in_space(ARMS[name], q, frame)]
    rods = [b - a for line in lines for a, b in pairwise(line)]
    assert any(np.allclose(rod, [0, 0, 0.4]) for rod in rods)
    assert all(np.allclose(rod[:2], 0) or np.isclose(rod[2], 0) for rod in rods)


def test_rods_run_along_d_and_a_where_frames_follow_a_table() -> None:
    (standard,) = in_space(ARMS["puma560"], np.zeros(6), 2)
    d2, a2 = (ARMS["puma560"].model.defaults()[name] for name in ("d2", "a2"))
    assert [np.linalg.norm(b - a) for a, b in pairwise(standard)] == pytest.approx([abs(d2), abs(a2)])
    (modified,) = in_space(ARMS["panda"], np.zeros(7), 4)
    assert [np.linalg.norm(b - a) for a, b in pairwise(modified)] == pytest.approx([0.0825, 0.384])
    # frames at centres of mass lie beside the rods, from joint to joint
    (upper,) = in_space(ARMS["elbow_3r"], np.zeros(3), 2)
    assert np.allclose(upper, [[0, 0, 0.8], [0, 0.6, 0.8]])


@pytest.mark.slow
@pytest.mark.parametrize("name", [*SHORT, *LONG])
def test_every_frame_and_every_joint_is_named(name: str) -> None:
    arm = ARMS[name]
    texts = texts_of(drawn(name, LONG.get(name, False)))
    assert set(texts) >= {symbol(coordinate) for coordinate in arm.model.coordinates}
    frames = [part for text in texts for part in text.split(" = ") if part.startswith("{")]
    assert set(frames) >= {f"{{{k}}}" for k in range(len(arm.model.bodies) + 1)}
    assert len(frames) == len(set(frames))
    assert any(text.endswith(" m") for text in texts)
    assert ("$g$" in texts) == any(arm.model.gravity)
    if name in SMALL:
        for letter in "xyz":
            indices = {k for text in texts if text.startswith(f"${letter}_") for k in text[4:-2].split(",")}
            assert indices >= {str(k) for k in range(len(arm.model.bodies) + 1)}


@pytest.mark.parametrize("name", ["two_link", "rp", "panda"])
def test_frames_are_left_out_where_nobody_asks_for_them(name: str) -> None:
    texts = texts_of(ARMS[name].plot(bent(ARMS[name]), frames=False))
    assert set(texts) >= {symbol(coordinate) for coordinate in ARMS[name].model.coordinates}
    assert not any("_{" in text or text.startswith("{") for text in texts if text[1] in "xyz0")


def texts_of(figure: Any) -> list[str]:
    return [text.get_text() for text in figure.axes[0].texts]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "at_home"), POSES)
def test_what_is_drawn_fills_its_frame_and_stays_in_it(name: str, at_home: bool) -> None:
    arm = ARMS[name]
    q = np.zeros(arm.n) if at_home else bent(arm)
    figure = drawn(name, at_home)
    scene = Scene(PosedArm(arm.model, q[None]))
    outlines = scene.outlines()[0].reshape(-1, 2)
    marked = marks.of_arm(scene.arm, scene.shapes, scene.camera, True, outlines)
    points = np.concatenate([outlines, *(line.points for line in marked.lines)])
    low, high = np.array([figure.axes[0].get_xlim(), figure.axes[0].get_ylim()]).T
    assert (points > low).all()
    assert (points < high).all()
    assert (np.ptp(points, axis=0) / (high - low)).max() > 0.7
    width, height = figure.axes[0].bbox.size
    assert width / (high[0] - low[0]) == pytest.approx(height / (high[1] - low[1]))
    for box in boxes(figure):
        assert box[0].min() > -2
        assert (box[1] < figure.bbox.size + 2).all()


@pytest.mark.parametrize(
    ("name", "q", "beside"),
    [("two_link", [0.1, 0.2], False), ("two_link", [1.5, 0.1], True), ("scara", [0.3, 0.4, 0.1, 0], True)],
)
def test_a_picture_of_a_page_is_as_wide_as_its_text(name: str, q: list[float], beside: bool) -> None:
    figure = picture.pose(ARMS[name].model, q, on_page=True)
    assert figure.get_figwidth() == 6.4
    (left, bottom), (right, top) = figure.axes[0].get_position().get_points()
    assert left > -1e-9 and bottom > -1e-9 and right == pytest.approx(1) and top < 1 + 1e-9
    figure.draw_without_rendering()
    values = [text.get_window_extent() for text in figure.texts]
    assert (left > 1e-9) == beside  # the values have a column of their own
    assert all(box.x1 < left * figure.bbox.width for box in values) == beside


@cache
def boxes(figure: Any) -> list[Any]:
    """The boxes of a picture's texts, measured once."""
    figure.draw_without_rendering()
    return [np.array(text.get_window_extent().get_points()) for text in (*figure.axes[0].texts, *figure.texts)]


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in (*SHORT, *LONG) if name in SMALL])
def test_labels_do_not_cover_each_other(name: str) -> None:
    covered = 0
    for (low, high), (other_low, other_high) in combinations(boxes(drawn(name, LONG.get(name, False))), 2):
        covered += bool((np.minimum(high, other_high) - np.maximum(low, other_low) > 2).all())
    assert covered == 0


@pytest.mark.parametrize("name", ["two_link", "planar_2r", "one_link", "rp", "slider"])
def test_a_planar_arm_is_seen_flat(name: str) -> None:
    """Along the axis of turning: lengths are true, a positive turn goes counterclockwise, gravity points down."""
    arm = ARMS[name]
    posed = PosedArm(arm.model, np.array([np.zeros(arm.n), bent(arm)]))
    camera = Camera(posed, None, np.zeros(3), 1.0)
    assert camera.flat
    assert np.linalg.det(camera.axes) == pytest.approx(1)
    assert camera.coordinates(posed.gravity)[[0, 2]] == pytest.approx([0, 0], abs=1e-12)
    assert np.ptp(camera.coordinates(posed.end)[:, 2]) < 1e-12
    if posed.mechanism.links[0].kind.is_revolute:
        assert camera.coordinates(posed.axes[0, 0])[2] == pytest.approx(1)
    assert not Camera(posed, (20, 30), np.zeros(3), 1.0).flat


@pytest.mark.parametrize("name", ["scara", "spatial_2r", "puma560", "spherical_pendulum", "elbow_3r"])
def test_an_arm_that_leaves_the_plane_is_seen_in_space(name: str) -> None:
    assert not Camera(PosedArm(ARMS[name].model, np.zeros((1, ARMS[name].n))), None, np.zeros(3), 1.0).flat


def test_in_perspective_what_is_nearer_is_larger() -> None:
    """A point is where the line from the eye to it meets the plane through the middle of the scene."""
    posed = PosedArm(ARMS["puma560"].model, np.zeros((1, 6)))
    middle, size = np.array([0.3, -0.2, 0.5]), 1.6
    camera, parallel = (Camera(posed, direction, middle, size) for direction in ((20, -55, 3), (20, -55)))
    eye = middle + 3 * size * camera.axes[2]
    for point in np.random.default_rng(4).uniform(-0.8, 0.8, (20, 3)) + middle:
        line = point - eye
        meets = eye + line * ((middle - eye) @ camera.axes[2]) / (line @ camera.axes[2])
        assert camera.seen(point) == pytest.approx(parallel.seen(meets), abs=1e-12)
    assert camera.seen(middle) == pytest.approx(parallel.seen(middle))


@pytest.mark.parametrize("name", ["puma560_akb", "spatial_2r"])
def test_rods_end_where_drums_begin(name: str) -> None:
    """No corner of a rod is inside the drum of a joint at its end by more than rods of that radius need to touch it."""
    arm = ARMS.get(name) or qddot.load(name)
    shapes = Scene(PosedArm(arm.model, np.zeros((1, arm.n)))).shapes
    for link in shapes.links:
        child = next(iter(shapes.children(link.index + 1)), None)
        for path in shapes.paths[link.index + 1]:
            end = shapes._outside_drums(link.index + 1, path[-1], path[-2])
            if child is not None and np.linalg.norm(constant(child.placement.p) - path[-1]) < 1e-9:
                axis = constant(child.placement.R.apply(child.axis))
                away = end - path[-1]
                along, across = abs(away @ axis), float(np.linalg.norm(np.cross(away, axis)))
                r = shapes.radius
                assert along == pytest.approx(2.2 * r) or across == pytest.approx(1.4 * r)


@pytest.mark.parametrize(("name", "joint", "rail"), [("slider", 0, 0), ("rp", 1, 1), ("scara", 2, 3)])
def test_a_slider_slides(name: str, joint: int, rail: int) -> None:
    """The rail keeps its length, and reaches from the sleeve in every configuration; rail: the link that has it."""
    arm = ARMS[name]
    q = np.zeros((3, arm.n))
    q[:, joint] = [0, 0.2, 0.5]
    posed = PosedArm(arm.model, q)
    shapes = Shapes(posed, 1.0)
    link = posed.mechanism.links[joint]
    low, high = shapes.travel(link)
    assert low <= 0
    assert high >= 0.5
    _, _, _, frames = shapes.solids.joined()
    assert rail in frames
    assert shapes._goes_on(link) == (rail == joint + 1)
    assert posed.displacements[:, joint] == pytest.approx([0, 0.2, 0.5])


def test_an_angle_is_drawn_from_where_it_is_zero() -> None:
    arm = ARMS["two_link"]
    scene = Scene(PosedArm(arm.model, np.array([[0.6, 0.8]])))
    marked = marks.of_arm(scene.arm, scene.shapes, scene.camera, False, np.zeros((0, 2)))
    (first, second) = (line.points for line in marked.lines if line.heads == ">")
    assert np.arctan2(*first[0][::-1]) == pytest.approx(0)
    assert np.arctan2(*first[-1][::-1]) == pytest.approx(0.6)
    elbow = np.array([np.cos(0.6), np.sin(0.6)])
    assert np.arctan2(*(second[-1] - elbow)[::-1]) == pytest.approx(1.4)


def test_what_marks_a_joint_is_as_large_as_the_arm() -> None:
    def lines(size: float) -> list[Any]:
        rows = [
            {"theta": "q1", "d": 0.4 * size, "a": 0.3 * size, "alpha": "90deg"},
            {"theta": "q2", "d": 0, "a": 0.5 * size, "alpha": 0},
            {"theta": "q3", "d": 0, "a": 0.2 * size, "alpha": 0},
        ]
        arm = PosedArm(qddot.from_dh(rows, [BODY] * 3).model, np.array([[0.3, 0.5, -0.4]]))
        scene = Scene(arm)
        marked = marks.of_arm(arm, scene.shapes, scene.camera, True, scene.outlines()[0].mean(1))
        return [line.points / size for line in marked.lines]

    for small, large in zip(lines(0.05), lines(20.0), strict=True):
        assert small == pytest.approx(large, abs=1e-9)


def test_limits_say_how_long_a_rail_is() -> None:
    joint = {"type": "prismatic", "axis": [1, 0, 0], "limits": [-0.3, 0.4]}
    text = f'convention = "tree"\n[[link]]\nname = "a"\nmass = 1\njoint = {toml(joint)}\n'
    from qddot.formats.toml import robot_file

    posed = PosedArm(robot_file.loads(text, "arm"), np.zeros((1, 1)))
    assert Shapes(posed, 1.0).travel(posed.mechanism.links[0]) == pytest.approx((-0.3, 0.4))


def toml(table: dict[str, Any]) -> str:
    return "{" + ", ".join(f"{key} = {value!r}".replace("'", '"') for key, value in table.items()) + "}"


def test_gravity_is_drawn_where_there_is_some() -> None:
    rows = [{"theta": "q1", "d": 0, "a": 1, "alpha": 0}]
    weightless = qddot.from_dh(rows, [BODY], gravity=[0, 0, 0])
    assert "$g$" not in texts_of(weightless.plot())
    assert "$g$" in texts_of(qddot.from_dh(rows, [BODY]).plot())  # into the plane


@pytest.mark.parametrize("name", ["a $x$", r"\frac{", "$", "a_b^c", "50 % & <b>"])
def test_names_are_texts(name: str) -> None:
    rows = [{"theta": "theta_1__2", "d": 0, "a": 1, "alpha": 0}, {"theta": "_a", "d": 0, "a": 1, "alpha": 0}]
    arm = qddot.from_dh(rows, [{**BODY, "name": name}, BODY], name=name, title=name)
    figure = arm.plot([0.1, 0.2])
    shown = [text.get_text() for text in figure.texts]
    assert shown[0] == name
    assert f"{{1}} {name}" in shown[-1]
    boxes(figure)
    run = arm.simulate([0.1, 0.2], duration=0.1, step=0.01)
    for figure in (run.plot(), run.plot_energy(), run.plot_phase(0), run.plot_phase(1), run.plot_path()):
        figure.canvas.draw()


def test_texts_of_users_hold_no_mathematics() -> None:
    assert plain("a $x$ \x1b[2J") == r"a \$x\$ \x1b[2J"
    assert symbol("q12") == "$q_{12}$"
    assert symbol("theta2", "qd") == r"$\dot{\theta}_{2}$"
    assert symbol("slide_1") == r"$\mathrm{slide}_{1}$"
    assert symbol("关节1") == "关节1"
    assert symbol("$a$") == r"\$a\$"


@pytest.mark.parametrize(
    ("camera", "says"),
    [
        (5, ("camera-not-direction", "5")),
        ((20, 30, 1.2), ("number-not-allowed", "cameras-distance", "1.2", "in-extents", "1.5")),
        ((20, 30, 4, 5), ("camera-not-direction",)),
        ((20, float("nan")), ("number-not-allowed", "cameras-azimuth", "nan", "in-degrees", "bound-finite")),
        ((True, 30), ("number-not-allowed", "cameras-elevation", "True", "in-degrees")),
    ],
)
def test_a_camera_is_two_angles_and_perhaps_a_distance(camera: Any, says: tuple[str, ...]) -> None:
    with refusal(QddotError, *says):
        ARMS["two_link"].plot([0.1, 0.2], camera=camera)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_texts_about_a_long_robot_stay_in_its_picture_and_leave_out_zeros(lang: str) -> None:
    figure = robot("solo12").plot(lang=lang)
    texts = [text for text in figure.texts if text.get_text()]
    assert any("others 0" in text.get_text() or "其余为 0" in text.get_text() for text in texts)
    assert all(text.get_window_extent().x1 <= figure.bbox.x1 for text in texts)


def test_an_arm_whose_joints_are_in_one_point_has_the_size_of_a_metre() -> None:
    """An arm of a hundredth of a millimetre keeps its own."""
    rows = [{"theta": "q1", "d": 0, "a": 0, "alpha": "90deg"}, {"theta": "q2", "d": 0, "a": 0, "alpha": 0}]
    links = [{"mass": 1, "com": [0, 0, 0], "inertia": {"about": "com", "xx": 1, "yy": 1, "zz": 1}}] * 2
    point = qddot.from_dh(rows, links, gravity=[0, 0, -9.81])
    assert Scene(PosedArm(point.model, np.array([[0.1, 0.2]]))).size == 1.0
    tiny = qddot.from_dh([rows[0], {**rows[1], "a": 1e-5}], links, gravity=[0, 0, -9.81])
    assert Scene(PosedArm(tiny.model, np.zeros((1, 2)))).size == pytest.approx(1e-5)


@pytest.mark.parametrize("name", ["planar_2r", "puma560", "slider"])
def test_a_scene_has_room_for_the_marks_about_its_joints(name: str) -> None:
    model = robot(name).model
    scene = Scene(PosedArm(model, np.zeros((1, len(model.positions)))))
    places = scene.camera.coordinates(scene.arm.points)[:, :2]
    assert (scene.low <= places.min(axis=0) - 2 * scene.shapes.radius).all()
    assert (scene.high >= places.max(axis=0) + 2 * scene.shapes.radius).all()


def closed_scene(name: str) -> Scene:
    chain = qddot.load_closed_chain(name)
    return Scene(PosedArm(chain.tree.model, chain.some_assembly().q[None], chain.model))


@pytest.mark.parametrize(
    ("name", "helpers"),
    [
        ("delta", {"slide_x", "slide_y", "platform"}),
        ("rolling_disc", {"along", "across", "heading", "lean"}),
        ("unicycle", {"along", "across"}),
        ("slider_crank", set()),  # its block slides on a real rail
        ("five_bar", set()),
    ],
)
def test_slides_that_only_say_where_a_body_is_are_not_drawn(name: str, helpers: set[str]) -> None:
    scene = closed_scene(name)
    names = [body.name for body in scene.arm.model.bodies]
    assert {names[k] for k in scene.arm.helpers} == helpers
    rails = [to_hex(colour) for colour in scene._colours].count(shapes.RAIL)
    assert bool(rails) == (name == "slider_crank")


@pytest.mark.parametrize(("name", "radius"), [("rolling_disc", 0.3), ("unicycle", 0.1)])
def test_a_wheel_reaches_from_its_axle_to_the_ground(name: str, radius: float) -> None:
    scene = closed_scene(name)
    (frame,) = (scene.arm.frame(wheel.wheel) for wheel in scene.arm.closed.rolling)  # type: ignore[union-attr]
    corners = scene._faces[scene._frames == frame].reshape(-1, 3)
    assert np.linalg.norm(corners[:, [0, 2]], axis=1).max() == pytest.approx(radius)  # the axle is y
    lowest = (scene.arm.R[0, frame] @ corners.T).T[:, 2] + scene.arm.p[0, frame, 2]
    assert lowest.min() == pytest.approx(0, abs=0.02 * radius)  # the rim is a polygon


def test_rods_follow_their_ends_in_every_configuration() -> None:
    """As in films: the ends of each rod are the origins of its two links."""
    chain = qddot.load_closed_chain("delta")
    q = np.array([chain.assemble({"q1": angle, "q2": 0.2, "q3": 0.4, "z": -0.5}).q for angle in (0.1, 0.6)])
    arm = PosedArm(chain.tree.model, q, chain.model)
    R, p = arm.carriers
    for k, (a, b) in enumerate(arm.rods, arm.p.shape[1]):
        assert np.allclose(R[:, k] @ np.swapaxes(R[:, k], 1, 2), np.eye(3)) and np.allclose(np.linalg.det(R[:, k]), 1)
        assert np.allclose(p[:, k], arm.p[:, a])
        assert np.allclose(p[:, k] + 0.6 * R[:, k, :, 2], arm.p[:, b])  # l = 0.6 m


def test_the_path_of_a_run_has_the_rods_and_wheels() -> None:
    chain = qddot.load_closed_chain("delta")
    run = chain.simulate(chain.some_assembly().q, duration=0.02, step=0.01)
    assert run._recording.closed is not None and len(run._recording.closed.rods) == 3
    assert robot("rp").simulate([0, 0.3], duration=0.02, step=0.01)._recording.closed is None


def test_a_coordinate_has_one_look_in_all_panels_and_no_other_has_it() -> None:
    arm = qddot.load("satellite_arm")
    figure = arm.simulate(arm.neutral(), torque=[0.0] * arm.n, duration=0.02, step=0.01).plot()
    for ax in figure.axes:
        assert ax.get_legend() is not None
    panels = {ax.get_ylabel(): {str(line.get_label()): look(line) for line in ax.lines} for ax in figure.axes}
    assert list(panels) == ["[m]", "[1]", "[rad]", "[m/s]", "[rad/s]", "[N]", "[N·m]"]
    coordinates = [each for unit in ("[m]", "[1]", "[rad]") for each in panels[unit].values()]
    assert len(set(map(str, coordinates))) == len(coordinates)
    assert list(panels["[rad]"].values()) == list(panels["[rad/s]"].values())[3:]  # behind the base's ω


def look(line: Any) -> tuple[Any, Any]:
    return line.get_color(), line._unscaled_dash_pattern


def test_legs_end_where_their_mass_is() -> None:
    dog = qddot.load("solo12")
    posed = PosedArm(dog.model, [dog.neutral()])
    shapes = Shapes(posed, 1.0)
    for name, side in (("FL", 1), ("FR", -1), ("HL", 1)):
        ((start, end),) = shapes.paths[posed.frame(f"{name}_LOWER_LEG")]
        assert not start.any()
        assert end == pytest.approx([0, side * 0.0078992233, -0.1022490], abs=1e-6)  # the file's centre of mass


@pytest.mark.parametrize(("com", "known"), [([0, 0, -0.3], True), ([0, 0, "-l"], True), ([0, 0, "-c"], False)])
def test_a_leg_whose_centre_of_mass_has_no_value_is_not_drawn_to_it(com: list[Any], known: bool) -> None:
    """Its mass needs no value."""
    rows = [{"theta": "q1", "d": 0, "a": 0, "alpha": 0}]
    arm = qddot.from_dh(rows, [{"mass": "m", "com": com}], symbols={"m": None, "c": None, "l": 0.3})
    posed = PosedArm(arm.model, [[0.0]])
    assert posed.centre(posed.mechanism.links[0]) == pytest.approx([0, 0, -0.3 if known else 0])
