#include "engine/cuda/tempering/tempering.hpp"
#include "engine/cuda/device/streams.hpp"
#include "engine/cuda/tempering/field_cube/kernels.hpp"
#include "engine/cuda/tempering/field_cube/sweep.hpp"
#include "engine/cuda/update/field_scheme.hpp"

namespace psflip::cuda {

namespace {

/// Two sets of a random field on a cubic lattice.
class FieldCubeTempering final : public Tempering {
 public:
  FieldCubeTempering(const System& system, const Slots& own)
      : Tempering(system, own, SlotOrder::set_parity), cube_{shape_}, thresholds_(make_field_thresholds(system)) {
    allocate_counts(32 * cube_.count_rows(), std::size_t{64} * cube_.unit_rows());
  }

  bool sweep(const Slots& slots, std::uint64_t round, cudaStream_t stream) override {
    bool halves = false;
    with_field_scheme(thresholds_, [&]<class Scheme>() {
      halves = slots.count > 1 && !fits_in_shared_memory<Scheme>(shape_.L);
      if (halves)
        sweep_halves<Scheme>(slots, round, stream);
      else
        sweep_slots<Scheme>(slots, round, stream);
    });
    return halves;
  }

 protected:
  void finish(std::uint32_t first, std::uint32_t last, std::uint32_t odd, bool measured, cudaStream_t stream) override {
    start_swaps(cube_, arrays(), first, last, odd, measured, stream);
    if (measured) start_sums(cube_, arrays(), first, last, odd, stream);
  }
  EnergyCounts energies() const override { return cube_.energies(counts_.data()); }

 private:
  template <class Scheme>
  void sweep_slots(const Slots& slots, std::uint64_t round, cudaStream_t stream) const {
    const auto half_sweeps = static_cast<std::uint32_t>(system_.round.half_sweeps);
    const std::uint32_t unit = 2 * slot_index(slots.first), units = 2 * static_cast<std::uint32_t>(slots.count);
    const TemperingArrays all = arrays();
    const FieldCubeSweep sweeps{spins_.data() + cube_.unit_spins(0, unit),
                                all.fields,
                                cube_,
                                static_cast<std::uint32_t>(slots.first),
                                static_cast<std::uint32_t>(slots.count),
                                half_sweeps * static_cast<std::uint32_t>(round),
                                half_sweeps,
                                counts_.data() + cube_.planes(0, unit),
                                system_.is_summed(round)};
    const Key key = trajectory_key(system_, Stream::metropolis);
    if (start_sweeps<Scheme>(sweeps, key, thresholds_.data(), thresholds_.size(), stream)) return;
    start_energies(cube_, all, unit, units, stream);
    if (sweeps.counts_planes) start_planes(cube_, all, unit, units, stream);
  }

  /// Each half of the slots in a stream of its own: thread blocks of one half work while the last blocks of a half
  /// sweep of the other one leave multiprocessors idle.
  template <class Scheme>
  void sweep_halves(const Slots& slots, std::uint64_t round, cudaStream_t stream) const {
    begun_.set(stream);
    const std::size_t first = slots.count / 2;
    const Slots of_half[2] = {{slots.first, first}, {slots.first + first, slots.count - first}};
    for (const int half : {0, 1}) {
      begun_.hold(halves_[half]);
      sweep_slots<Scheme>(of_half[half], round, halves_[half]);
      ended_[half].set(halves_[half]);
      ended_[half].hold(stream);
    }
  }

  FieldCubeShape cube_;
  std::vector<FieldThresholds> thresholds_;  ///< of all slots of the grid
  CudaStream halves_[2] = {CudaStream(false), CudaStream(false)};
  CudaEvent begun_, ended_[2];
};

}  // namespace

std::unique_ptr<Tempering> make_field_cube_tempering(const System& system, const Slots& own) {
  return std::make_unique<FieldCubeTempering>(system, own);
}

}  // namespace psflip::cuda
