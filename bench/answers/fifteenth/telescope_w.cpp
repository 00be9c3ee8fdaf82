// telescope arm: q = (theta, r)
#include <array>
#include <cmath>

class Telescope {
public:
    double J, m, g = 9.81;

    std::array<std::array<double, 2>, 2> M(double theta, double r) const {
        return {{{J + m * r * r, 0.0}, {0.0, m}}};
    }
    std::array<double, 2> h(double r, double thetad, double rd) const {
        return {m * r * rd * thetad, -m * r * thetad * thetad};
    }
    std::array<double, 2> G(double theta, double r) const {
        return {m * g * r * std::cos(theta), m * g * std::sin(theta)};
    }
};
