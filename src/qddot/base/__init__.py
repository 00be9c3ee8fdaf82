"""What every room may use: errors, records, checks of single numbers, files and stores, progress.

`errors`: one family of exceptions; `records`: frozen data classes that load fast; `nested_lists`: arrays as lists in
lists; `checked`: single numbers that a user gives, and the errors for invalid ones; `html`: tables and lines as
notebooks show them, every letter escaped.
"""
