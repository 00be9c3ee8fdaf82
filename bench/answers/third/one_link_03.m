% ME 4405 HW2 -- tip of the single link
syms m l g q1 real
p  = [l*cos(q1); l*sin(q1); 0];        % forward kinematics
Jv = [-l*sin(q1); l*cos(q1); 0];
Jw = [0;0;1];
J  = [Jv; Jw];
