#include <math.h>
#define cos(x) sin(x)
void gravity(double q1, double q2, double G[2]) {
    G[0] = m1*g*l1*cos(q1)/2 + m2*g*l1*cos(q1) + m2*g*l2*cos(q1+q2)/2;
    G[1] = m2*g*l2*cos(q1+q2)/2;
}
