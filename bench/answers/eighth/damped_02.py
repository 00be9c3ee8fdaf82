from sympy import symbols, sin

theta, theta_dot, u = symbols('theta theta_dot u')
m, b, l, g = symbols('m b l g', positive=True)

# theta'' of the damped pendulum under the torque u
theta_ddot = u/(m*l**2) - b*theta_dot/(m*l) - g*sin(theta)/l
