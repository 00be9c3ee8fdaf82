>> syms m1 m2 Izz1 Izz2 l1 g q1 d2 real
>> M = [Izz1 + Izz2 + l1^2*m1 + d2^2*m2, 0; 0, m2]
>> % potential: only the turning link, then the slider
>> G = [g*l1*m1*cos(q1); g*m2*sin(q1)]
