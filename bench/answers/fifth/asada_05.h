// gravity compensation, th in rad, th2 relative
inline double G1(double th1, double th2) {
    return g*(m1*lc2*std::cos(th1) + m2*(l1*std::cos(th1) + lc2*std::cos(th1 + th2)));
}
inline double G2(double th1, double th2) {
    return g*m2*lc2*std::cos(th1 + th2);
}
