#include <math.h>
void gravity(double q1, double q2, double *G) {
    G[0] = m1*g*l*cos(q1)/2 + m2*g*l*cos(q1) + m2*g*l*cos(q1+q2)/2;
    /* G[1] = m2*g*l*cos(q1+q2)/2 */
    G[1] = m2*g*l*cos(q1+q2);
}
