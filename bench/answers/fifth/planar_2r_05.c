/* Torques of the 2R arm in the vertical plane. A: shoulder inertia with the elbow's mass,
 * Bc: forearm about the elbow, D: coupling. */
void arm_torque(const double q[2], const double qd[2], const double qdd[2], double tau[2])
{
    const double A  = I1zz + m1*l1*l1/4 + m2*l1*l1;
    const double Bc = I2zz + m2*l2*l2/4;
    const double D  = m2*l1*l2/2;

    tau[0] = (A + Bc + 2*D*cos(q[1]))*qdd[0] + (Bc + D*cos(q[1]))*qdd[1]
           - D*sin(q[1])*(2*qd[0] + qd[1])*qd[1]
           + g*(m1*l1/2 + m2*l1)*cos(q[0]) + g*m2*l2/2*cos(q[0] + q[1]);
    tau[1] = (Bc + D*cos(q[1]))*qdd[0] + Bc*qdd[1]
           + D*sin(q[1])*qd[0]*qd[0]
           + g*m2*l2/2*cos(q[0] + q[1]);
}
