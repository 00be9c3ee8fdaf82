% Exercise 3 - mass matrix of two equal-length uniform rods
clear; clc
syms q1 q2 m1 m2 l real
q = [q1; q2];

p.m = [m1 m2];
p.I = [m1*l^2/12, m2*l^2/12];     % about the centres

pc{1} = [l/2*cos(q1); l/2*sin(q1)];
pc{2} = [l*cos(q1) + l/2*cos(q1+q2); l*sin(q1) + l/2*sin(q1+q2)];
Jw{1} = [1 0];
Jw{2} = [1 1];

M = sym(zeros(2));
for i = 1:2
    Jv = jacobian(pc{i}, q);
    M = M + p.m(i)*(Jv.'*Jv) + p.I(i)*(Jw{i}.'*Jw{i});
end
M = simplify(M)
