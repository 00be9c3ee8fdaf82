syms q1 q2 m1 m2 l1 l2 g real
arm(1).m = m1; arm(1).y = l1/2*sin(q1);
arm(2).m = m2; arm(2).y = l1*sin(q1) + l2*sin(q1 + q2);
P = sym(0);
for k = 1:length(arm)
    P = P + arm(k).m*g*arm(k).y;
end
G = [diff(P, q1); diff(P, q2)]
