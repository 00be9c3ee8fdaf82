/* gravity comp + inertia feedforward, 1 dof */
#include <math.h>
static const double m = 1.0, l = 1.0, g = 9.81;

double ff_torque(double q1, double qd1, double qdd1)
{
    double M11 = m * l * l;
    double G1  = m * g * l * cos(q1);
    (void)qd1;               /* no velocity terms for one joint */
    double tau1 = M11 * qdd1 + G1;
    return tau1;
}
