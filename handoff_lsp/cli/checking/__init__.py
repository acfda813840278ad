"""Parts of ``check`` besides its output: selection, statistics, progress, fixing, the baseline, the cache."""
