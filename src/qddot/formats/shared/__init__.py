"""What several formats need: exact rotations of decimals, joints that are compound or follow others, the closing of
loops.
"""
