"""Robots as people describe them, read into a `Model` and written back.

One folder a format: `toml/` the robot file, `rows/` Denavit–Hartenberg and screws, `urdf/`, `sdf/`, `mjcf/`; `xml/`
reads elements with their lines and expands xacro, `shared/` has what several formats need: rotations, joints that are
compound or follow others, closing of loops. `registry` has a record of each format; `finding` reads a robot by its name
or path.
"""
