inverse_dynamics(q1, qd1, qdd1; m, l, g) = m*l^2*qdd1 + m*g*cos(q1)
tau1 = inverse_dynamics(q1, qd1, qdd1; m, l, g)
