syms m1 m2 l g q1 q2 real
% heights of the centres of mass
h1 = l/2*sin(q1);
h2 = l*sin(q1) + l*sin(q1+q2);
P = m1*g*h1 + m2*g*h2;
G = [m1*g*l/2*cos(q1) + m2*g*l*cos(q1) + m2*g*l*cos(q1+q2);
     m2*g*l*cos(q1+q2)];
