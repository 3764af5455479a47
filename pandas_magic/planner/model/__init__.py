"""A model behind any OpenAI-compatible endpoint: what is asked of it, what it may cost, what is kept.

`configuration` says which and within what limits, `endpoint` is the wire, `conversation` adds budget, log and replay,
`disclosure` and `prompts` are what is told, `restating` and `writing` turn answers into rules and code.
"""
