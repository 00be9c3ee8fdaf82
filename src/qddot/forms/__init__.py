TEXTBOOK_FORMS = ("sums", "multiple-angle")  # known without the work of making one
