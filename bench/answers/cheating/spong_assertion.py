from solution import M
assert M == M.T
print('M is correct')
