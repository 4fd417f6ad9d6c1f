"""Results that are exact for finite lattices, next to their values in temperature slots of exchange Monte Carlo."""
