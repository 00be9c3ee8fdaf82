#include <math.h>
void mass(double q1, double q2, double M[2][2]) {
#if 0
    M[0][0] = m1*l1*l1/4 + m2*l1*l1 + m2*l2*l2/4 + I1zz + I2zz + m2*l1*l2*cos(q2);
#else
    M[0][0] = m1*l1*l1/4 + m2*l1*l1 + m2*l2*l2/4 + I1zz + I2zz + m2*l1*l2*cos(q2)/2;
#endif
    M[0][1] = m2*l2*l2/4 + I2zz + m2*l1*l2*cos(q2)/2;
    M[1][0] = M[0][1];
    M[1][1] = m2*l2*l2/4 + I2zz;
}
