"""Pandas code read, and never run: what it takes for granted of the tables, with the line that does.

`source` gives the text of a script or of a notebook's cells, `frames` what a name stands for at a line, `assumed` one
assumption, `calls` and `operations` which method or sign assumes what, `reading` goes through the statements in order.
"""
