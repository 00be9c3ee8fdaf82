% x row of the tip's Jacobian
J11 = -a1*sin(q1) - a2*sin(q1+q2) - a3*sin(q1+q2+q3);
J12 = -a2*sin(q1+q2) - a3*sin(q1+q2+q3);
J13 = a3*sin(q1+q2+q3);
