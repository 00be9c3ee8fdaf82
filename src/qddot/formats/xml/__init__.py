"""XML elements with their lines, read without entities and other files; xacro; notes of what a format does not know."""
