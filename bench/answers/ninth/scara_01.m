% SCARA, quill down positive
p1 = I1 + I2 + I3 + m1*r1^2 + m2*(a1^2 + r2^2) + m3*(a1^2 + a2^2);
p2 = (m2*r2 + m3*a2)*a1;
p3 = I2 + I3 + m2*r2^2 + m3*a2^2;

M = [p1 + 2*p2*cos(q2), p3 + p2*cos(q2), 0;
     p3 + p2*cos(q2),   p3,              0;
     0,                 0,               m3];

h = [-p2*sin(q2)*dq2*(2*dq1 + dq2);
      p2*sin(q2)*dq1^2;
      0];

G = [0; 0; -m3*g];
