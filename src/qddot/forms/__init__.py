TEXTBOOK_FORMS = ("sums", "multiple-angle")  # here, so that their names are known without an import of the forms
