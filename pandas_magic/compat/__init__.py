"""The source systems' shapes: what their integrators call and read."""
