#include <math.h>

/* position of the free end of the pendulum (rod of length 2*l2) */
void tip(double theta1, double theta2, double L1, double l2, double p[3])
{
    p[0] = L1*cos(theta1) - 2.0*l2*sin(theta1)*sin(theta2);
    p[1] = L1*sin(theta1) + 2.0*l2*cos(theta1)*cos(theta2);
    p[2] = -2.0*l2*cos(theta2);
}
