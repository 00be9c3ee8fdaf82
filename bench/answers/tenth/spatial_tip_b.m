syms q1 q2 L real
% position of the tip
p = [L*cos(q1)*(1 + cos(q2)); L*sin(q1)*(1 + cos(q2)); L*sin(q2)];
% J = jacobian(p, [q1 q2]) gives
J = [-L*sin(q1)*(1 + cos(q2)), -L*cos(q1)*sin(q2);
      L*cos(q1)*(1 + cos(q2)), L*sin(q1)*sin(q2);
      0, L*cos(q2)];
