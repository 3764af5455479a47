"""Rules as readable pandas code."""
