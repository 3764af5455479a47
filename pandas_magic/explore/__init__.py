"""EDA: facts about a table, found in the sandbox; then probes, pictures, a summary, and checks made of what was found.

`confined` runs in the sandbox, `delivery` takes it there, `orchestrator` decides what runs next and repairs, `report`
is the strict JSON, `page` and `panel` are what people see.
"""
