#pragma once
#include "engine/core/domain.hpp"
#include "engine/cuda/update/pack_layout.hpp"
#include "engine/cuda/update/snapshots.hpp"
#include "engine/models/integers.hpp"

namespace psflip::cuda {

/// The counts of one pack: rows of 32 integers, one for each sample. A field is a lattice of words that is counted
/// plane by plane: the spins of a replica or the overlap of two replicas.
struct CountRows {
  std::uint32_t L, dimension, replicas;
  std::uint32_t spins;  ///< fields that are the spins of a replica: all replicas, or none
  std::uint32_t pairs;  ///< fields that are overlaps: all pairs, or none

  PSFLIP_HD std::uint32_t fields() const { return spins + pairs; }
  /// Row of the bits of a field that are 1, in the plane x_axis = position.
  PSFLIP_HD std::uint32_t plane(std::uint32_t field, std::uint32_t axis, std::uint32_t position) const {
    return (field * dimension + axis) * L + position;
  }
  PSFLIP_HD std::uint32_t minus_spins(std::uint32_t replica) const { return plane(fields(), 0, 0) + replica; }
  PSFLIP_HD std::uint32_t unsatisfied_bonds(std::uint32_t replica) const { return minus_spins(replicas) + replica; }
  PSFLIP_HD std::uint32_t count() const { return unsatisfied_bonds(replicas); }
};

/// Packs whose spins are counted in some planes of their lattices, or in all. Index 0 of an array is the first site of
/// these planes.
struct CountJob {
  std::uint32_t* spins;
  const std::uint32_t *couplings, *fields;
  Layout layout;
  Planes planes;
  std::uint32_t first_pack, packs;
  CountRows rows;
  int* counts;  ///< [pack][row][sample], zero at the start

  /// The words of a pack from a replica on, and its fields.
  template <int D>
  PSFLIP_HD PackView view(std::uint32_t pack, std::uint32_t replica) const {
    return layout.view<D>(spins, couplings, pack, replica);
  }
  PSFLIP_HD const std::uint32_t* fields_of(std::uint32_t pack) const { return layout.fields(fields, pack, 0); }
  /// The rows of pack number k of the job, and the index of those of a sum_kernel() that counts `width` of a pack.
  PSFLIP_HD int* counts_of(std::uint32_t k) const { return counts + static_cast<std::size_t>(k) * rows.count() * 32; }
  PSFLIP_HD std::size_t sums_of(std::size_t pack, std::uint32_t width) const { return pack * width * 32; }
};

/// Whether sum_kernel counts the set bits of an integer. The others have rows in CountRows; without fields in memory
/// the field sum is the magnetization.
constexpr bool has_sum_kernel(Integer integer, bool has_field_words) {
  switch (integer) {
    case Integer::bond_sum:
    case Integer::magnetization:
    case Integer::overlap:
      return false;
    case Integer::field_sum:
      return has_field_words;
    default:
      return info_of(integer).kind == Kind::sum;
  }
}

/// The integers of an Observation that are reduced from CountRows, in device memory; null: not measured. Samples of the
/// first and the last pack that the job does not have are dropped.
struct Measured {
  std::int64_t *bond_sum, *magnetization, *overlap;  ///< [sample][replica], [sample][pair]
  std::int64_t *spin_fourier, *overlap_fourier;  ///< k2; of some planes the components [sample][field][axis][re, im]
  bool components;                               ///< not k2
  std::uint64_t first_sample, samples;
};

/// An integer that sum_kernel would count: `width` replicas or pairs of a pack, of which the set bits are stored as
/// counts[interval][pack][replica or pair][sample]. Width 0: not measured.
struct SumCounts {
  std::uint32_t width;
  int* counts;
};

/// Measurement of all packs of a job in one launch (measure_kernel), after each of some intervals. The spins and counts
/// of `count` are not used. Integers of a later interval follow those of all samples, or packs, of the one before.
struct MeasureJob {
  CountJob count;
  Snapshots spins;
  const int *cosine, *sine;  ///< integers for 2 pi x / L
  Measured out;
  SumCounts sums[integer_count];  ///< in the order of integer_table

  /// Replicas and pairs of all sums of a pack.
  PSFLIP_HD std::uint32_t sums_of_pack() const {
    std::uint32_t all = 0;
    for (const SumCounts& sum : sums) all += sum.width;
    return all;
  }
};

/// Starts the reduction of the counts of a job to integers, with the integer cosines and sines of 2 pi x / L.
void start_reduction(const CountJob& job, const int* cosine, const int* sine, const Measured& out);

}  // namespace psflip::cuda
