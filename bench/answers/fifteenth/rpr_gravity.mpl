restart;
P := m2*g*q2*sin(q1) + m3*g*(q2*sin(q1) + b*sin(q1 + q3));
G1 := diff(P, q1);
G2 := diff(P, q2);
G3 := diff(P, q3);
