#include <math.h>
void mass(double q2, double m1, double m2, double l, double M[2][2]) {
    M[0][0] = 1/3*m1*l*l + 4/3*m2*l*l + m2*l*l*cos(q2);
    M[0][1] = 1/3*m2*l*l + 1/2*m2*l*l*cos(q2);
    M[1][0] = M[0][1];
    M[1][1] = 1/3*m2*l*l;
}
