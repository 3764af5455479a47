"""The nodes of typed rules: what each is called, how a rule is walked over, and its canonical words."""
