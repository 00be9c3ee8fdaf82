// Mass matrix of the damped double pendulum, th2 relative to the upper body
Eigen::Matrix2d massMatrix(double th2)
{
    Eigen::Matrix2d M;
    M(0,0) = J1 + m1*a1*a1 + J2 + m2*(L1*L1 + a2*a2 + 2.0*L1*a2*cos(th2));
    M(0,1) = J2 + m2*(a2*a2 + L1*a2*cos(th2));
    M(1,0) = M(0,1);
    M(1,1) = J1 + m2*a2*a2;
    return M;
}
