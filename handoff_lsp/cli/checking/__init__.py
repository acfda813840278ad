"""The parts of ``check``, one module each."""
