"""What happened: every run in an append-only log, every failing row in a file, and what both say about a check."""
