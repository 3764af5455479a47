"""Requests in words: tables are chosen, a plan is made, code is written and run confined, and the answer is checked.

`pipeline` goes through the stages; `selection` chooses tables, `execution` runs, `charts` draws, `numbers` holds the
answer's figures against the result, `sessions` remembers, `cells` is what is inserted into the notebook.
"""
