"""What stands between a confined Jupyter kernel and Jupyter: every message is read, cleaned, made anew and signed.

`forwarding` owns the sockets of both sides; `envelopes` takes messages apart and signs them; `ledger` knows which
requests were sent, so that answers to others are not believed; `answers` says what an answer of each type may
hold, `bundles` and `markup` what may be shown. The process holds no code of the kernel, and ends with it.
"""
