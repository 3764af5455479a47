"""From a rule to a verdict: compiled, proved on planted mistakes, run in a confined kernel, judged by us."""
