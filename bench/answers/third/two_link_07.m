function N = nonlinear_terms(q, qd)
% m1 = m2 = 1 kg, l = 1 m, g = 9.81
N = zeros(2,1);
N(1) = -sin(q(2))*(qd(1)*qd(2) + 0.5*qd(2)^2) + 14.715*cos(q(1)) + 4.905*cos(q(1)+q(2));
N(2) = 0.5*sin(q(2))*qd(1)^2 + 4.905*cos(q(1)+q(2));
end
