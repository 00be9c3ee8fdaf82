"""A URDF file of an arm, and how tests read it."""

from __future__ import annotations

from qddot.formats import urdf
from qddot.robot.model import Model

ARM = """<?xml version="1.0"?>
<robot name="arm">
  <link name="world"/>
  <link name="upper">
    <inertial>
      <origin xyz="0 0 -0.2159" rpy="0 0 0"/>
      <mass value="17.4"/>
      <inertia ixx="0.13" ixy="0" ixz="0" iyy="0.524" iyz="0" izz="0.539"/>
    </inertial>
    <visual><geometry><mesh filename="package://nowhere/upper.stl"/></geometry></visual>
  </link>
  <link name="fore">
    <inertial>
      <origin xyz="0.1 0 0" rpy="0 1.5708 0"/>
      <mass value="4.8"/>
      <inertia ixx="1" ixy="0" ixz="0" iyy="2" iyz="0" izz="2.5"/>
    </inertial>
  </link>
  <link name="plate"><inertial><mass value="0.4318"/></inertial></link>
  <joint name="shoulder" type="revolute">
    <parent link="world"/>
    <child link="upper"/>
    <origin xyz="0 0 0.4318" rpy="1.57079632679 0 0"/>
    <axis xyz="0 0 2"/>
    <limit lower="-1.5" upper="2.25" effort="10" velocity="3"/>
    <dynamics damping="0.7" friction="0.25"/>
  </joint>
  <joint name="slide" type="prismatic">
    <parent link="upper"/>
    <child link="fore"/>
    <origin xyz="0 0 -0.4318" rpy="0 0 0.3"/>
    <axis xyz="1 1 0"/>
  </joint>
  <joint name="bolt" type="fixed"><parent link="fore"/><child link="plate"/><origin xyz="1e-2 0 0"/></joint>
  <transmission name="t"><joint name="shoulder"/></transmission>
</robot>
"""


def read(text: str) -> Model:
    return urdf.loads(text, "arm.urdf")


def changed(old: str, new: str) -> str:
    assert old in ARM
    return ARM.replace(old, new, 1)
