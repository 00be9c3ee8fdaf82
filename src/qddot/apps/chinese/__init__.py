"""What the library says of robots and their findings in English, and its `judgements` of answers, with their Chinese;
`translating` finds the sentence that a text is, for the page and the command line, which adds tables of its own.
"""
