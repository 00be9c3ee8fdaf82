// joint torque feed-forward, called every 1 ms
// q1_rad: joint angle from the encoder in rad, qdd: wanted acceleration in rad/s^2
double feedforward(double q1_rad, double qdd)
{
    const double c = std::cos(q1_rad * M_PI / 180.0);
    return m*l*l*qdd + m*g*l*c;
}
