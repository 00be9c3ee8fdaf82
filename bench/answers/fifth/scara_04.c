/* SCARA, horizontal joints: no gravity */
static double A, B, D;

void scara_init(void)
{
    A = I1 + m1*r1*r1 + (m2 + m3)*a1*a1;
    B = I2 + I3 + m2*r2*r2 + m3*a2*a2;
    D = a1*m2*r2;
}

void scara_torque(double q2, double dq1, double dq2, double ddq1, double ddq2, double *tau1, double *tau2)
{
    double c2 = cos(q2), s2 = sin(q2);
    *tau1 = (A + B + 2*D*c2)*ddq1 + (B + D*c2)*ddq2 - D*s2*(2*dq1*dq2 + dq2*dq2);
    *tau2 = (B + D*c2)*ddq1 + B*ddq2 + D*s2*dq1*dq1;
}
