"""Hooks of agents: what they hand over, what they are answered, and what is remembered between two calls.

A further agent is one small module with an ``AGENT``, and its name in ``agents.py``.
"""
