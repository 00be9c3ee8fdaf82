G1 = (m2 + m3)*g*q2*cos(q1) + m3*g*b*cos(q1 + q3);
G2 = (m2 + m3)*g*sin(q1);
G3 = m3*g*b*cos(q1 + q3);
J  = [ -q2*sin(q1) - b*sin(q1 + q3), cos(q1), -b*sin(q1 + q3);
        q2*cos(q1) + b*cos(q1 + q3), sin(q1),  b*cos(q1 + q3) ];
