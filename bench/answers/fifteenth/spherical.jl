using Symbolics
@variables theta phi thetad phid m l g

M = [m*l^2 0; 0 m*l^2*sin(theta)^2]
h = [-m*l^2*sin(theta)*cos(theta)*phid^2,
     2*m*l^2*sin(theta)*cos(theta)*thetad*phid]
G = [m*g*l*sin(theta), 0]
