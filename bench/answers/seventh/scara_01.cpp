#include <Eigen/Dense>
#include <cmath>

// SCARA without wrist: q = (q1, q2, d3), d3 counts downward
struct ScaraParams { double m1, m2, m3, a1, a2, r1, r2, I1, I2, I3, g; };

Eigen::Matrix3d massMatrix(const Eigen::Vector3d& q, const ScaraParams& p)
{
    const double c2 = std::cos(q(1));
    const double k = p.m2 * p.r2 + p.m3 * p.a2;
    const double outer = p.I2 + p.I3 + p.m2 * p.r2 * p.r2 + p.m3 * p.a2 * p.a2;
    Eigen::Matrix3d M = Eigen::Matrix3d::Zero();
    M(0, 0) = p.I1 + p.m1 * p.r1 * p.r1 + (p.m2 + p.m3) * p.a1 * p.a1 + outer + 2.0 * p.a1 * k * c2;
    M(0, 1) = outer + p.a1 * k * c2;
    M(1, 0) = M(0, 1);
    M(1, 1) = outer;
    M(2, 2) = p.m3;
    return M;
}

Eigen::Vector3d coriolis(const Eigen::Vector3d& q, const Eigen::Vector3d& qd, const ScaraParams& p)
{
    const double b = p.a1 * (p.m2 * p.r2 + p.m3 * p.a2) * std::sin(q(1));
    return Eigen::Vector3d(-b * (2.0 * qd(0) * qd(1) + qd(1) * qd(1)), b * qd(0) * qd(0), 0.0);
}

Eigen::Vector3d gravity(const ScaraParams& p)
{
    return Eigen::Vector3d(0.0, 0.0, -p.m3 * p.g);
}
