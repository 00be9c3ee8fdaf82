#include <Eigen/Dense>
#include <cmath>

struct Params {
    double m1, m2, l1, l2, lc1, lc2, I1, I2, g;
};

Eigen::Matrix2d massMatrix(const Eigen::Vector2d& q, const Params& p) {
    const double c2 = std::cos(q(1));
    Eigen::Matrix2d M;
    M(0, 0) = p.m1 * p.lc1 * p.lc1 + p.I1 + p.I2
            + p.m2 * (p.l1 * p.l1 + p.lc2 * p.lc2 + 2.0 * p.l1 * p.lc2 * c2);
    M(0, 1) = p.I2 + p.m2 * (p.lc2 * p.lc2 + p.l1 * p.lc2 * c2);
    M(1, 0) = M(0, 1);
    M(1, 1) = p.I2 + p.m2 * p.lc2 * p.lc2;
    return M;
}

Eigen::Vector2d gravity(const Eigen::Vector2d& q, const Params& p) {
    Eigen::Vector2d G;
    G(1) = p.m2 * p.g * p.lc2 * std::cos(q(0) + q(1));
    G(0) = (p.m1 * p.lc1 + p.m2 * p.l1) * p.g * std::cos(q(0)) + G(1);
    return G;
}
