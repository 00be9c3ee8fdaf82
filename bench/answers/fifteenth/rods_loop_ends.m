% two rods of length l, mass matrix by Jacobians
syms q1 q2 m1 m2 l real
link(1).m = m1;  link(1).I = m1*l^2/3;
link(2).m = m2;  link(2).I = m2*l^2/3;
link(1).r = [l/2*cos(q1); l/2*sin(q1)];
link(2).r = [l*cos(q1) + l/2*cos(q1+q2); l*sin(q1) + l/2*sin(q1+q2)];
link(1).w = [1 0];
link(2).w = [1 1];
M = sym(zeros(2,2));
for k = 1:numel(link)
    J = jacobian(link(k).r, [q1 q2]);
    M = M + link(k).m*J.'*J + link(k).I*link(k).w.'*link(k).w;
end
M = simplify(expand(M));
M11 = M(1,1), M12 = M(1,2), M22 = M(2,2)
