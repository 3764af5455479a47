"""Commands of the command line that are more than a call: their options, and what they do with them."""
