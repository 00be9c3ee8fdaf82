#include <math.h>
void gravity(double q1, double q2, double *G) {
    G[0] = (m1*lc1 + m2*l1)*g*cos(q1) + m2*lc2*g*cos(q1+q2);
    G[1] = 0.0;
    return;
    G[1] = m2*lc2*g*cos(q1+q2);
}
