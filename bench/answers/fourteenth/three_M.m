% three point masses, relative angles q1 q2 q3
c2 = cos(q2); c3 = cos(q3); c23 = cos(q2 + q3);
M33 = m3*l3^2;
M23 = M33 + m3*l2*l3*c3;
M13 = M23 + m3*l1*l3*c23;
M22 = (m2 + m3)*l2^2 + m3*l3^2 + 2*m3*l2*l3*c3;
M12 = M22 + (m2 + m3)*l1*l2*c2 + m3*l1*l3*c23;
M11 = (m1 + m2 + m3)*l1^2 + (m2 + m3)*l2^2 + m3*l3^2 + 2*(m2 + m3)*l1*l2*c2 ...
      + 2*m3*l2*l3*c3 + 2*m3*l1*l3*c23;
M = [M11 M12 M13; M12 M22 M23; M13 M23 M33];
