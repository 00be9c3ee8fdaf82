% data sheet: m2 = 3 kg, e = 350 mm, J = 0.12 kg m^2
M22 = 0.12 + 3*350^2          % kg m^2
G2  = 3*9.81*350*cos(phi)     % N m
