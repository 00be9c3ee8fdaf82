syms theta1 theta2 l1 l2 m1 m2 real
J1 = [-l1*sin(theta1), 0;
       l1*cos(theta1), 0];
J2 = [-l1*sin(theta1) - l2*sin(theta1+theta2), -l2*sin(theta1+theta2);
       l1*cos(theta1) + l2*cos(theta1+theta2),  l2*cos(theta1+theta2)];
M = m1*(J1.'*J1) + m2*(J2.'*J2);
