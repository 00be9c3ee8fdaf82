% m = 1 kg, l = 50 cm, b = 0.1 N m s
tau1 = 1*50^2*thdd + 0.1*thd + 1*9.81*50*sin(th);   % N m
