% coefficients of q1'*q2' and q1'*q3' in the waist torque
c2 = cos(q2); s2 = sin(q2); c23 = cos(q2+q3); s23 = sin(q2+q3);
B112 = -2*(I2 + m2*lc2^2)*c2*s2 + 2*I3*c23*s23 - 2*m3*(a2*c2 + lc3*c23)*(a2*s2 + lc3*s23);
B113 = -2*I3*c23*s23 - 2*m3*lc3*s23*(a2*c2 + lc3*c23);
