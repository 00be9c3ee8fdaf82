#include <math.h>

/* gravity torques of the three joint elbow arm, joints 2 and 3 turn downward for positive angles */
void gravity(const double q[3], const struct params *p, double G[3])
{
    const double c2  = cos(q[1]);
    const double c23 = cos(q[1] + q[2]);

    G[0] = 0.0;
    G[2] = -p->m3 * p->g * p->r2 * c23;
    G[1] = -(p->m2 * p->r1 + p->m3 * p->l1) * p->g * c2 - p->m3 * p->g * p->r2 * c23;
}
