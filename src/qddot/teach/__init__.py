"""Answers of students, judged, and exams; nothing below knows of them."""
