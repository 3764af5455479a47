"""The meaning of rules in SQL: one SELECT for each, in what each engine spells differently."""
