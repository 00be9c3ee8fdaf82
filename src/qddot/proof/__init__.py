"""What is proved beyond the equations themselves: bounds over regions, files for other provers and libraries."""
