"""How a text file is to be read: its encoding, how it is cut, how its numbers are written."""
