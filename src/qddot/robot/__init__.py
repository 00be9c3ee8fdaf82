"""What a robot is: bodies, joints, effects, loops, the checks; `joints/` has the kinds of joints, `shapes/` uniform
bodies, `kinds` with their limits, whose moments `integration` computes; `zoo/` has the robots that ship, one TOML file
each.
"""
