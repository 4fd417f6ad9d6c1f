#include "engine/bench/flip_model.hpp"

#include <algorithm>
#include <bit>

#include "engine/models/tables.hpp"
#include "engine/random/address.hpp"

// Counted from engine/core (update.hpp, philox.hpp), not from any kernel. Addresses, loads, loops and rare cases (the
// residual numbers of the independent mode, numbers below the second threshold at low temperatures) are left out: a
// kernel should avoid or hide them.
namespace psflip::bench {

namespace {

constexpr double lanes = 32;  // of a machine word of the GPU: samples, or sites of one lattice

// philox_rounds: two xor3 in each of ten rounds. Site, pack and key give both of the first round, and one of the
// second, once for all sweeps.
constexpr double operations_per_call = 2 * philox_round_count - 3;

/// Words of couplings and of spins of one site and 32 samples: a site stores its bonds to +x, +y, +z.
double coupling_words(const System& s) { return s.preset().has_random_bonds() ? s.dimension() : 0; }

/// Calls of Philox for the update of one word. Shared: a call has four numbers, one each for four replicas.
/// Independent: a call has four of the planes that every word draws.
double calls_per_word(const System& s) {
  constexpr int independent_calls = plane_count / 4;
  const int shared_calls = (s.replicas + 3) / 4;
  return s.random == Random::shared ? static_cast<double>(shared_calls) / s.replicas : independent_calls;
}

/// Most significant planes in which every threshold is zero: a lane that has a number set there is decided.
int leading_planes(const System& s) {
  const Thresholds t = make_thresholds(s.betas[0], s.dimension());
  const std::uint32_t largest = t.by_unsatisfied[s.dimension() - 1];
  return std::min(std::countl_zero(largest), plane_count);
}

/// Operations of the comparison, plane by plane: the leading planes are joined three words at a time, until the last
/// two go into `less` and into `equal`; every other plane takes a selection among the masks of the classes (one less
/// than these; GPU kernels compute a sum instead, in the units for multiplication), less_step and equal_step.
double operations_of_planes(const System& s) {
  const int leading = leading_planes(s);
  const int pairs = (leading - 1) / 2;
  const double joined = leading > 0 ? 2 + pairs : 0;
  return joined + (plane_count - leading) * (s.dimension() + 1);
}

/// Operations for the update of one word without Philox.
double decisions_per_word(const System& s) {
  const double bonds = 2 * s.dimension();  // spin ^ neighbour ^ coupling, each
  if (s.random == Random::shared) {
    if (s.preset().is_cubic_glass() && is_cold(make_thresholds(s.betas[0], s.dimension()))) {
      const double flip = 8;     // flip_shared_cold: 4 adders, 3 to compare with 3, 1 into the spin
      const double mask = 2;     // a comparison by a subtraction and its borrow
      const double is_rare = 1;  // of four numbers: three minima, and a comparison
      return bonds + flip + mask + is_rare;
    }
    const double flip = 9;           // flip_shared: 4 adders, 4 to compare with 3, 1 into the spin
    const double masks = 3 * 2 + 1;  // three comparisons, one xor3 to add them up
    return bonds + flip + masks;
  }
  const double count = 4 * (s.dimension() - 1);              // few_unsatisfied
  const double flip = 1;                                     // spin ^ (always | less)
  const double shift = s.packing == Packing::sites ? 1 : 0;  // the neighbour in the next word of the row
  return bonds + count + operations_of_planes(s) + flip + shift;
}

/// Sweeps that are made while a lattice is read and written once: two by temporal blocking
/// (engine/cuda/sweep/temporal).
int sweeps_per_pass(const System& s) { return s.random == Random::shared && s.preset().is_cubic_glass() ? 2 : 1; }

/// Bytes per word update. A lattice that fits in shared memory stays there, a job that fits in L2 stays there. All else
/// is read and written once in one or two sweeps, both parities in one pass; replicas share the couplings that are
/// read.
double bytes_per_word(const System& s, const OnChip& chip) {
  const double couplings = coupling_words(s) / s.replicas;
  const auto words = static_cast<double>(s.sites()) * s.replicas / (s.packing == Packing::sites ? lanes : 1);
  const double lattice = 4 * words * (1 + couplings);
  const std::uint64_t packs = (s.samples + 31) / 32;
  const auto lattices = static_cast<double>(s.packing == Packing::sites ? s.samples : packs);
  const bool resident = s.packing == Packing::samples && lattice <= static_cast<double>(chip.resident_bytes);
  if (resident || lattice * lattices <= static_cast<double>(chip.cache_bytes)) return 0;
  return 4 * (2 + couplings) / sweeps_per_pass(s);
}

}  // namespace

FlipModel flip_model(const System& system, const OnChip& chip) {
  const double calls = calls_per_word(system);
  return {bytes_per_word(system, chip) / lanes, (decisions_per_word(system) + operations_per_call * calls) / lanes,
          calls / lanes};
}

}  // namespace psflip::bench
