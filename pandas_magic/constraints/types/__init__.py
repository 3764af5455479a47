"""What fits what: the types of values, formats, misfits, and rules that contradict themselves."""
