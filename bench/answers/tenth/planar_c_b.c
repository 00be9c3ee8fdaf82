#include <math.h>

/* inverse dynamics of the two-link arm, angles in rad */
void inverse_dynamics(const double q[2], const double qd[2], const double qdd[2], double tau[2])
{
    double c1 = cos(q[0]), c12 = cos(q[0] + q[1]);
    double c2 = cos(q[1]), s2 = sin(q[1]);
    double m12 = I2zz + m2*(l2*l2/4.0 + l1*l2*c2/2.0);
    double m22 = I2zz + m2*l2*l2/4.0;
    double m11 = I1zz + m1*l1*l1/4.0 + I2zz + m2*(l1*l1 + l2*l2/4.0 + l1*l2*c2);
    double k = m2*l1*l2*s2/2.0;

    tau[0] = m11*qdd[0] + m12*qdd[1] - k*(2.0*qd[0]*qd[1] + qd[1]*qd[1])
           + (m1/2.0 + m2)*g*l1*c1 + m2*g*l2*c12/2.0;
    tau[1] = m12*qdd[0] + m22*qdd[1] + k*qd[1]*qd[1] + m2*g*l2*c12/2.0;
}
