syms q1 q2 m1 m2 l1 l2 g real
c1 = cos(q1);  s1 = sin(q1);
c12 = cos(q1+q2);  s12 = sin(q1+q2);

pc1 = [l1/2*c1; 0; l1/2*s1];
pc2 = [l1*c1 + l2/2*c12; 0; l1*s1 + l2/2*s12];
ptool = [l1*c1 + l2*c12; 0; l1*s1 + l2*s12];

P = g*(m1*pc1(3) + m2*pc2(3));
G = jacobian(P, [q1 q2]).';
J = jacobian(ptool, [q1 q2]);
