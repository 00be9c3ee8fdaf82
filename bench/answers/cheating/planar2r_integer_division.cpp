#include <cmath>
#include <array>
std::array<double, 2> gravity(double q1, double q2, double m1, double m2, double l1, double l2, double g) {
    double G1 = 1/2*m1*g*l1*std::cos(q1) + m2*g*l1*std::cos(q1) + 1/2*m2*g*l2*std::cos(q1+q2);
    double G2 = 1/2*m2*g*l2*std::cos(q1+q2);
    return {G1, G2};
}
