function tau = double_pendulum_id(q, dq, ddq, m1, m2, l1, l2, g)
% relative angles, q(1) measured from the downward vertical
w = dq(1) + dq(2);            % absolute rate of the second rod
a = ddq(1) + ddq(2);
tau2 = m2*l2*(l2*a + l1*cos(q(2))*ddq(1) + l1*sin(q(2))*dq(1)^2 + g*sin(q(1) + q(2)));
tau1 = tau2 + (m1 + m2)*l1*(l1*ddq(1) + g*sin(q(1))) + m2*l1*l2*(cos(q(2))*a - sin(q(2))*w^2);
tau = [tau1; tau2];
end
