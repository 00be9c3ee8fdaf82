/* acceleration of the block, F is the drive's force */
double xdd(double x, double xd, double F) { return (F - b*xd - k*x)/m; }
