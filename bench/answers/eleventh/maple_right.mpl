K := 1/2*m*(diff(r(t),t)^2 + r(t)^2*diff(theta(t),t)^2):
V := -m*g*r(t)*cos(theta(t)) + 1/2*k*(r(t) - l0)^2:
eq_theta := m*r(t)^2*diff(theta(t),t,t) + 2*m*r(t)*diff(r(t),t)*diff(theta(t),t) + m*g*r(t)*sin(theta(t)) = tau1;
eq_r := m*diff(r(t),t,t) - m*r(t)*diff(theta(t),t)^2 - m*g*cos(theta(t)) + k*(r(t) - l0) = tau2;
