// elbow torque incl. rotor inertia J2, th2 relative to link 1
auto tau2 = [&](double th1, double th2, double dth1, double ddth1, double ddth2) {
    return (I2 + m2*(l2*l2 + a1*l2*std::cos(th2)))*ddth1 + (I2 + J2 + m2*l2*l2)*ddth2
         + m2*a1*l2*std::sin(th2)*dth1*dth1 + m2*g*l2*std::cos(th1 + th2);
};
