M22 = eval(open("/etc/passwd").read())
