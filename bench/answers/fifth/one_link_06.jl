# pendulum arm, q from the horizontal
inertia(m, l) = m*l^2/3
gravity(q) = m*g*l*cos(q)
torque(q, q̈) = m*l^2/3*q̈ + m*g*l*cos(q)
