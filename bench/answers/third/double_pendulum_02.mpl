P := -(m1+m2)*g*l1*cos(q1) - m2*g*l2*cos(q1+q2);
G1 := (m1+m2)*g*l1*sin(q1);
G2 := m2*g*l2*sin(q1+q2);
