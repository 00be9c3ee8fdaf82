"""What a robot is: bodies, joints, effects, loops, the checks; `shapes/` has uniform bodies, `kinds` with their limits,
whose moments `integration` computes; `zoo/` has the robots that ship, one TOML file each.
"""
