"""What things cost, each beside a baseline from the same run: ratios travel between machines."""
