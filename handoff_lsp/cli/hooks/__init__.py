"""Hooks of agents: their input, our answers, and the memory between two calls.

A further agent is one small module with an ``AGENT``, and its name in ``agents.py``.
"""
