M22 = m2*l^2/3
h2 = 0.5*m2*l^2*sin(q2)*dq1^2
G2 = m2*g*l/3*cos(q1 + q2)
