void invdyn(const double q[2], const double qd[2], const double qdd[2], double tau[2])
{
    const double c2 = cos(q[1]), s2 = sin(q[1]);
    const double M11 = I1 + I2 + m1*lc1*lc1 + m2*(l1*l1 + lc2*lc2 + 2.0*l1*lc2*c2);
    const double M12 = I2 + m2*(lc2*lc2 + l1*lc2*c2);
    const double M22 = I2 + m2*lc2*lc2;
    const double h   = m2*l1*lc2*s2;
    const double g2  = m2*lc2*g*cos(q[0] + q[1]);
    const double g1  = (m1*lc1 + m2*l1)*g*cos(q[0]) + g2;

    tau[0] = M11*qdd[0] + M12*qdd[1] - h*(2.0*qd[0]*qd[1] + qd[1]*qd[1]) + g1;
    tau[1] = M12*qdd[0] + M22*qdd[1] + h*qd[0]*qd[0] + g2;
}
