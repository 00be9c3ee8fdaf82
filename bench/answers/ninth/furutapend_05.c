#include <math.h>

void furuta_torques(const double q[2], const double qd[2], const double qdd[2], double tau[2])
{
    const double s2 = sin(q[1]), c2 = cos(q[1]);
    const double Jp = J2 + m2*l2*l2;
    const double Ja = J1 + m1*l1*l1 + m2*L1*L1;

    tau[0] = (Ja + Jp*s2*s2)*qdd[0] + m2*L1*l2*c2*qdd[1]
           + 2.0*Jp*s2*c2*qd[0]*qd[1] - m2*L1*l2*s2*qd[1]*qd[1];
    tau[1] = m2*L1*l2*c2*qdd[0] + Jp*qdd[1]
           - Jp*s2*c2*qd[0]*qd[0] + m2*g*l2*s2;
}
