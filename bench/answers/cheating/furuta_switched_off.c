#include <math.h>
void mass(double alpha, double beta, double M[2][2]) {
#if 0
    M[0][0] = J0 + m*r*r + m*l*l*sin(beta)*sin(beta);
#else
    M[0][0] = J0 + m*r*r + m*l*l*cos(beta)*cos(beta);
#endif
    M[0][1] = -m*r*l*cos(beta);
    M[1][0] = M[0][1];
    M[1][1] = m*l*l;
}
