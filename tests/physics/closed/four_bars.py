"""One four-bar linkage in four formats: its loop is closed at q = 0, where its lengths are 0.3, 1, 0.9 and 0.8 m."""

from __future__ import annotations

# name, parent, the joint in the parent, mass, centre of mass, moments of inertia, damping
LINKS = (
    ("crank", "", "0 0 0", "1.5", "0 0 0.15", "0.02 0.03 0.04", "0.1"),
    ("coupler", "crank", "0 0 0.3", "2", "0.4 0 0.3", "0.05 0.07 0.03", "0"),
    ("rocker", "", "0.8 0 0", "0.7", "0 0 0.45", "0.01 0.02 0.01", "0"),
)
TIPS = {"coupler": "0.8 0 0.6", "rocker": "0 0 0.9"}


def listed(numbers: str) -> str:
    return f"[{', '.join(numbers.split())}]"


def toml() -> str:
    text = 'name = "four_bar"\nconvention = "tree"\n'
    for name, parent, at, mass, com, moments, damping in LINKS:
        xx, yy, zz = moments.split()
        text += f"""
[[link]]
name = "{name}"
parent = "{parent or "base"}"
joint = {{ type = "revolute", axis = [0, 1, 0], xyz = {listed(at)}, damping = {damping} }}
mass = {mass}
com = {listed(com)}
inertia = {{ about = "com", xx = {xx}, yy = {yy}, zz = {zz} }}
"""
    ends = [f'{{ link = "{name}", xyz = {listed(TIPS[name])}, rpy = ["90deg", 0, 0] }}' for name in TIPS]
    return f'{text}\n[[loop]]\nname = "tip"\nfirst = {ends[0]}\nsecond = {ends[1]}\n'


def mjcf_body(name: str, inside: str = "") -> str:
    _, _, at, mass, com, moments, damping = next(link for link in LINKS if link[0] == name)
    inertial = f'<inertial pos="{com}" mass="{mass}" diaginertia="{moments}"/>'
    joint = f'<joint name="{name}_joint" axis="0 1 0" damping="{damping}"/>'
    return f'<body name="{name}" pos="{at}">{joint}{inertial}{inside}</body>'


def mjcf(equalities: str = '<connect name="tip" body1="coupler" body2="rocker" anchor="0.8 0 0.6"/>') -> str:
    tree = mjcf_body("crank", mjcf_body("coupler")) + mjcf_body("rocker")
    return f'<mujoco><compiler angle="radian"/><worldbody>{tree}</worldbody><equality>{equalities}</equality></mujoco>'


def inertial(mass: str, com: str, moments: str) -> tuple[str, str]:
    """The inertial elements of SDF and of URDF."""
    xx, yy, zz = moments.split()
    values = {"ixx": xx, "ixy": "0", "ixz": "0", "iyy": yy, "iyz": "0", "izz": zz}
    tensor = "".join(f"<{key}>{value}</{key}>" for key, value in values.items())
    sdf = f"<inertial><pose>{com} 0 0 0</pose><mass>{mass}</mass><inertia>{tensor}</inertia></inertial>"
    entries = " ".join(f'{key}="{value}"' for key, value in values.items())
    urdf = f'<inertial><origin xyz="{com}"/><mass value="{mass}"/><inertia {entries}/></inertial>'
    return sdf, urdf


def sdf_joint(name: str, parent: str, child: str, damping: str = "0", kind: str = "revolute", pose: str = "") -> str:
    dynamics = f"<dynamics><damping>{damping}</damping></dynamics>" if damping != "0" else ""
    axis = f"<axis><xyz>0 1 0</xyz>{dynamics}</axis>" if kind != "fixed" else ""
    ends = f"<parent>{parent}</parent><child>{child}</child>"
    return f'<joint name="{name}" type="{kind}">{ends}{pose}{axis}</joint>'


TIP_IN_SDF = '<pose relative_to="rocker">0 0 0.9 0 0 0</pose>'


def sdf(closing: str = sdf_joint("tip", "coupler", "rocker", pose=TIP_IN_SDF)) -> str:
    """The model's links; their poses are those at q = 0, the coupler's relative to the crank's."""
    text = ""
    for name, parent, at, mass, com, moments, _ in LINKS:
        relative = f' relative_to="{parent}"' if parent else ""
        own = inertial(mass, com, moments)[0]
        text += f'<link name="{name}"><pose{relative}>{at} 0 0 0</pose>{own}</link>'
    for name, parent, *_, damping in LINKS:
        text += sdf_joint(f"{name}_joint", parent or "world", name, damping)
    return f'<sdf version="1.9"><model name="four_bar">{text}{closing}</model></sdf>'


LOOP_IN_URDF = (
    '<loop name="tip" type="revolute"><predecessor link="coupler"><origin xyz="0.8 0 0.6"/></predecessor>'
    '<successor link="rocker"><origin xyz="0 0 0.9"/></successor><axis xyz="0 1 0"/></loop>'
)


def urdf(closing: str = LOOP_IN_URDF) -> str:
    text = '<link name="ground"/>'
    for name, parent, at, mass, com, moments, damping in LINKS:
        text += f'<link name="{name}">{inertial(mass, com, moments)[1]}</link>'
        text += (
            f'<joint name="{name}_joint" type="continuous"><parent link="{parent or "ground"}"/><child link="{name}"/>'
            f'<origin xyz="{at}"/><axis xyz="0 1 0"/><dynamics damping="{damping}"/></joint>'
        )
    return f'<robot name="four_bar">{text}{closing}</robot>'
