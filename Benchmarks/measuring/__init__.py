"""The parts of bench.py, one subject a file."""
