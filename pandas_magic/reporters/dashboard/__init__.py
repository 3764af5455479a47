"""What lives in a workspace's files, as a person looks over it: checks, runs, one check in depth, tables, models.

`board` gathers and filters, `pages` sets it as HTML, `trend` draws. Nothing here writes; the widgets are elsewhere.
"""
