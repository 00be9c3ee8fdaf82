function tau = id_onelink(q, qd, qdd)
% inverse dynamics of the demo pendulum arm
% m = 1 kg, l = 1 m (defaults), g = 9.81
m = 1; l = 1; g = 9.81;
J = m*l^2;            % kg m^2
tau = m*l^2*qdd + m*g*l*cos(q);   % qd does not matter here
end
