import os
os.system("touch pwned")
M22 = m2*l**2/3
