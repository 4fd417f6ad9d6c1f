#include "engine/cuda/tempering/tempering.hpp"
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

  void sweep(const Slots& slots, std::uint64_t round, cudaStream_t stream) override {
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
    bool counted = false;
    with_field_scheme(thresholds_, [&]<class Scheme>() {
      counted = start_sweeps<Scheme>(sweeps, key, thresholds_.data(), thresholds_.size(), stream);
    });
    if (counted) return;
    start_energies(cube_, all, unit, units, stream);
    if (sweeps.counts_planes) start_planes(cube_, all, unit, units, stream);
  }

 protected:
  void finish(std::uint32_t first, std::uint32_t last, std::uint32_t odd, bool measured, cudaStream_t stream) override {
    start_swaps(cube_, arrays(), first, last, odd, measured, stream);
    if (measured) start_sums(cube_, arrays(), first, last, odd, stream);
  }
  EnergyCounts energies() const override { return cube_.energies(counts_.data()); }

 private:
  FieldCubeShape cube_;
  std::vector<FieldThresholds> thresholds_;  ///< of all slots of the grid
};

}  // namespace

std::unique_ptr<Tempering> make_field_cube_tempering(const System& system, const Slots& own) {
  return std::make_unique<FieldCubeTempering>(system, own);
}

}  // namespace psflip::cuda
