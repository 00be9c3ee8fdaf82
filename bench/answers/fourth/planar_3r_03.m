% 3R planar, tip position & 3x3 task Jacobian (x, y, angle)
s1 = sin(q1); s12 = sin(q1+q2); s123 = sin(q1+q2+q3);
c1 = cos(q1); c12 = cos(q1+q2); c123 = cos(q1+q2+q3);
p = [a1*c1 + a2*c12 + a3*c123; a1*s1 + a2*s12 + a3*s123; 0];
Jv = [-a1*s1-a2*s12-a3*s123, -a2*s12-a3*s123, -a3*s123;
       a1*c1+a2*c12+a3*c123,  a2*c12+a3*c123,  a3*c123;
       0, 0, 0];
Jw = [0 0 0; 0 0 0; 1 1 1];
