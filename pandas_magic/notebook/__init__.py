"""The side that people touch in a notebook: magics, saved cells, and where they are put."""
