"""What stands between a confined process and Jupyter: requests go down, and every answer is read, cleaned, made anew.

`jupyter` has all sides of one kernel; `conduct` hands one request after the other (`turns`) to the process; `answers`
and `answer_fields` say what may come back, `bundles` what may be shown. The process holds no code of the kernel.
"""
