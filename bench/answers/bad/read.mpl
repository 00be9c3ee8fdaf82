read "/etc/passwd":
M22 := m2*l^2/3;
