"""What people see: one card per check, in HTML, Markdown, text and JSON; tables of checks and tables; JUnit.

`card` decides what is shown; `html`, `markdown` and `plain` only set it. So no form can say less than another.
"""
