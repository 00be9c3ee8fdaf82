p = struct('m1', sym('m1'), 'm2', sym('m2'), 'l1', sym('l1'), 'lc1', sym('lc1'), ...
           'I1', sym('I1'), 'I2', sym('I2'), 'g', sym('g'));
syms q1 q2 real
out.M = [p.m1*p.lc1^2 + p.m2*p.l1^2 + p.I1 + p.I2, p.I2;
         p.I2, p.I2];
out.G = [(p.m1*p.lc1 + p.m2*p.l1)*p.g*sin(q1); 0];
M = out.M; G = out.G;
