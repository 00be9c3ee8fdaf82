% furuta, u = motor torque at the arm, no torque at the pendulum
A = J1 + m1*l1^2 + m2*L1^2;  B = J2 + m2*l2^2;  D = m2*L1*l2;
s = sin(theta2); c = cos(theta2);
n1 = 2*B*s*c*theta1d*theta2d - D*s*theta2d^2;
n2 = -B*s*c*theta1d^2 + m2*g*l2*s;
det = (A + B*s^2)*B - D^2*c^2;
theta1dd = (B*(u - n1) + D*c*n2)/det;
theta2dd = (-(A + B*s^2)*n2 - D*c*(u - n1))/det;
