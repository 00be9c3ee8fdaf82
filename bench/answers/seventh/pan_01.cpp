#include <cmath>

/// Pan-tilt head. psi: pan about the vertical, theta: tilt above the horizontal.
/// Ix, Iy, Iz: camera's principal inertias about its centre of mass, which is e in front of the axes.
class PanTilt {
public:
    double J1, m, e, Ix, Iy, Iz, g;

    double tau1(double theta, double psid, double thetad, double psidd) const
    {
        const double s = std::sin(theta), c = std::cos(theta);
        return (J1 + Ix*s*s + (Iz + m*e*e)*c*c)*psidd + 2.0*(Ix - Iz - m*e*e)*s*c*psid*thetad;
    }

    double tau2(double theta, double psid, double thetadd) const
    {
        const double s = std::sin(theta), c = std::cos(theta);
        return (Iy + m*e*e)*thetadd - (Ix - Iz - m*e*e)*s*c*psid*psid + m*g*e*c;
    }
};
