#include <math.h>

typedef struct { double mc, mp, l, g; } cartpole_t;

/* theta = 0: pole hangs down; F: force on the cart [N] */
void cartpole_acc(const cartpole_t *p, double theta, double thetad, double F, double *xdd, double *thetadd)
{
    double s = sin(theta), c = cos(theta);
    double den = p->mc + p->mp * s * s;
    *xdd = (F + p->mp * s * (p->l * thetad * thetad + p->g * c)) / den;
    *thetadd = (-F * c - p->mp * p->l * thetad * thetad * c * s + (p->mc + p->mp) * p->g * s) / (p->l * den);
}
