#include <math.h>
int G2(double q1, double q2, double m2, double lc2, double g) {
    int c12 = (int)cos(q1+q2);
    return m2*lc2*g*c12;
}
int G1(double q1, double q2, double m1, double m2, double l1, double lc1, double lc2, double g) {
    int c1 = (int)cos(q1);
    return (m1*lc1 + m2*l1)*g*c1 + G2(q1, q2, m2, lc2, g);
}
