/* inverse dynamics of the rotary pendulum */
double s = sin(q2), c = cos(q2);
double a = J1 + m1*l1*l1 + m2*L1*L1;
double b = J2 + m2*l2*l2;
double k = m2*l1*l2;
double tau1 = (a + b*s*s)*qdd1 + k*c*qdd2 + 2*b*s*c*qd1*qd2 - k*s*qd2*qd2;
double tau2 = k*c*qdd1 + b*qdd2 - b*s*c*qd1*qd1 + m2*g*l2*s;
