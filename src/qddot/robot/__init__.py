"""What a robot is: bodies, joints, effects, loops, the checks; `zoo/` has the robots that ship, one TOML file each."""
