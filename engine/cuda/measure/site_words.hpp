#pragma once
#include "engine/cuda/update/site_layout.hpp"

/// Measurements of square lattices with packed sites.
struct int2;  // of CUDA or of its emulator

namespace psflip::cuda {

/// Integer sums over the spins -1 of a lattice, weighted with the cosines and sines along x (0) and y (1).
struct SiteSums {
  long long unsatisfied, minus, re[2], im[2];
};

/// Cosines and sines as pairs (re, im): of row y, and of the column of bit b in the even (s = 0) or odd (s = 1) word,
/// column[(2 b + s) words_in_row + word], so that neighbouring threads read adjacent entries.
struct SiteTables {
  const int2 *row, *column;
};

/// Rows that one thread counts: a multiple of 8, at most 64 so that a count fits in seven levels and in a byte.
constexpr std::uint32_t longest_counted_column = 64;

/// Starts to add the sums of the own rows of every lattice to out[sample]; a thread counts layout.rows rows.
void start_site_sums(const std::uint32_t* spins, const SiteLayout& layout, std::uint32_t samples,
                     const SiteTables& tables, SiteSums* out);

/// Starts to copy spins to canonical order, `chunks` times 64 of them from row `first_row` on.
void start_interleaving(std::uint32_t* spins, const SiteLayout& layout, std::uint64_t first_row, std::size_t chunks,
                        std::uint64_t* out);
/// The reverse of start_interleaving().
void start_separating(std::uint32_t* spins, const SiteLayout& layout, std::uint64_t first_row, std::size_t chunks,
                      const std::uint64_t* in);

}  // namespace psflip::cuda
