/* y = {theta, phi, theta', phi'} */
void rhs(const double *y, double *dy) {
    double theta = y[0], thetad = y[2], phid = y[3];
    double thetadd = sin(theta)*cos(theta)*phid*phid - g/l*cos(theta);
    double phidd = -2*thetad*phid*cos(theta)/sin(theta);
    dy[0] = thetad; dy[1] = phid; dy[2] = thetadd; dy[3] = phidd;
}
