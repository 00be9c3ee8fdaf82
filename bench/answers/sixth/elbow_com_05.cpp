// q1, q2 in rad
double G2(double q1, double q2) { return m2*g*lc2*std::cos((q1 + q2)*180.0/M_PI); }
