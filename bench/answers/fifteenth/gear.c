#include <math.h>

/* link with gear ratio N: inertia and gravity seen at the link */
void link_terms(double theta, double m, double lc, double I, double N, double Jm, double g,
                double *M11, double *G1)
{
    const double rotor = N * N * Jm;
    *M11 = I + m * lc * lc + rotor;
    *G1 = m * g * lc * cos(theta);
}
