"""What every study of exchange Monte Carlo shows of its runs, whatever the model: specific heat by two ways, relaxation, times of
samples."""
