M22 = factorial(factorial(99));
