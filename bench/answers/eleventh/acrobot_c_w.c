void acrobot_terms(const double *q, const double *qd, double M[2][2], double h[2], double G[2])
{
    double a = I1 + m1*lc1*lc1 + m2*l1*l1;
    double b = I2 + m2*lc2*lc2;
    double k = m2*l1*lc2;

    M[0][0] = a + b + 2.0*k*cos(q[1]);
    M[0][1] = b + k*cos(q[1]);
    M[1][0] = M[0][1];
    M[1][1] = b;

    h[0] = -k*sin(q[1])*(2.0*qd[0]*qd[1] + qd[1]*qd[1]);
    h[1] =  k*sin(q[1])*qd[1]*qd[1];

    G[0] = g*(m1*lc1 + m2*l1)*sin(q[0]) + g*m2*lc2*sin(q[0] + q[1]);
    G[1] = g*m2*lc2*sin(q[0] + q[1]);
}
