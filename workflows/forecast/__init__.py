"""The cost of a study before it runs: jobs, flips, time, memory and disk; studies that cannot run are refused."""
