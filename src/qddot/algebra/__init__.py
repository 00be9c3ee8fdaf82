"""What a number may be, and straight-line code over numbers; nothing here knows a robot.

`freedoms`: positions and velocities of joints with several degrees of freedom; `checked_arrays`: arrays of numbers, or
of texts such as "30deg", that a user gives, and the errors for invalid ones.
"""
