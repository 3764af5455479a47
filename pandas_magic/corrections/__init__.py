"""Corrections of single values: kept as a patch beside the checks, tried on copies, never written into the data."""
