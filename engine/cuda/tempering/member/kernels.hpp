#pragma once
#include <cuda_runtime_api.h>

#include <memory>

#include "engine/core/site_decision.hpp"
#include "engine/cuda/sweep/metropolis.hpp"
#include "engine/cuda/tempering/arrays.hpp"
#include "engine/cuda/tempering/member/job.hpp"
#include "engine/cuda/tempering/member/slot_sums.hpp"
#include "engine/random/address.hpp"

namespace psflip::cuda {

/// What sweeps have also done.
struct Swept {
  bool counted;  ///< added the unsatisfied bonds to the energies, the same for all groups of sets
  bool waits;    ///< made the stream wait for another one at the end
};

/// The kernels of exchange Monte Carlo of one member of the Ising family, with the Metropolis decisions of all slots of
/// a grid.
class MemberKernels {
 public:
  virtual ~MemberKernels() = default;
  /// Starts half sweeps of all sets; first_set of the job is not used.
  virtual Swept sweep(MemberSweep job, const Key& key, const EnergyCounts& energies, cudaStream_t stream) const = 0;
  /// Whether one kernel, add_sums_at_once(), measures lattices of this size and all sums that have a place. It needs
  /// no memory for counts.
  virtual bool measures_at_once(std::uint32_t L, const SumPlaces& places) const = 0;
  /// Starts to measure all configurations of the job and to add to the sums.
  virtual void add_sums_at_once(const SlotCountJob& job, const SlotSums& sums, const EnergiesBefore& energies,
                                cudaStream_t stream) const = 0;
  /// Starts to count the rows of the job, which are zero.
  virtual void count(const SlotCountJob& job, cudaStream_t stream) const = 0;
  /// Starts to count spins against their field in memory, [configuration][set][sample], and the bonds that differ
  /// between the sets of a pair, [configuration][pair][sample]; zero at the start.
  virtual void count_against(const SlotCountJob& job, int* counts, cudaStream_t stream) const = 0;
  virtual void count_links(const SlotCountJob& job, int* counts, cudaStream_t stream) const = 0;
  /// Starts to add the counted integers to the sums.
  virtual void add_sums(const SlotCountJob& job, const SlotSums& sums, cudaStream_t stream) const = 0;
};

/// Compiled by kernels.cu for the traits of every preset. `slots` are the decisions of the `count` slots of the grid,
/// which the scheme allows.
template <class T>
std::unique_ptr<MemberKernels> make_member_kernels(const Metropolis* slots, std::size_t count, FieldScheme scheme,
                                                   std::uint32_t sets);

}  // namespace psflip::cuda
