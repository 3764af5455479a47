"""EDA: facts about a table, found in the sandbox; then probes, pictures, a summary, and checks made of what was found.

`confined` runs in the sandbox, `delivery` takes it there, `exploration` decides what runs next and repairs, `profiling`
begins every exploration, `report` is what comes of it: `report_document` the strict JSON, `page` what people see.
"""
