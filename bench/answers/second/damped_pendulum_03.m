% pendulum with damping and drive tau
m = 1; l = 0.5; b = 0.1; g = 9.81; tau = 0;
f = @(t, x) [x(2); -g/l*sin(x(1)) - b/(m*l^2)*x(2) + tau/(m*l^2)];
[t, x] = ode45(f, [0 10], [0.1; 0]);
