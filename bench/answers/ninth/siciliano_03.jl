function inverse_dynamics(q, qd, qdd)
    c2, s2 = cos(q[2]), sin(q[2])
    h = m2*a1*l2*s2
    b11 = I1 + m1*l1^2 + J1 + I2 + m2*(a1^2 + l2^2 + 2a1*l2*c2)
    b12 = I2 + m2*(l2^2 + a1*l2*c2)
    b22 = I2 + m2*l2^2 + J2
    tau1 = b11*qdd[1] + b12*qdd[2] - h*(2qd[1]*qd[2] + qd[2]^2) + (m1*l1 + m2*a1)*g*cos(q[1]) + m2*l2*g*cos(q[1] + q[2])
    tau2 = b12*qdd[1] + b22*qdd[2] + h*qd[1]^2 + m2*l2*g*cos(q[1] + q[2])
    return [tau1, tau2]
end
