function M = mass(q, m1, m2, l1, l2)
x = q(1);
M = [(m1 + m2)*l1^2 + m2*l2^2 + 2*m2*l1*l2*cos(x), m2*l2^2 + m2*l1*l2*cos(x);
     m2*l2^2 + m2*l1*l2*cos(x), m2*l2^2];
end
