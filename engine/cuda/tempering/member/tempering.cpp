#include <algorithm>
#include <stdexcept>

#include "engine/cuda/tempering/kernels.hpp"
#include "engine/cuda/tempering/member/kernels.hpp"
#include "engine/cuda/tempering/tempering.hpp"
#include "engine/io/error.hpp"

namespace psflip::cuda {

namespace {

constexpr std::uint32_t most_at_once = 65535;     // configurations of a launch
constexpr std::size_t largest_counts = 1u << 24;  // 64 MiB; more configurations are measured in several launches

std::unique_ptr<MemberKernels> kernels_of(const System& system) {
  std::vector<Metropolis> slots;
  for (const double beta : system.betas)
    slots.push_back({system.random == Random::shared, make_thresholds(beta, system.dimension()),
                     make_field_thresholds(system, beta)});
  auto kernels = with_named_traits(system.preset(), [&]<class T>() {
    return make_member_kernels<T>(slots.data(), slots.size(),
                                  cheapest_scheme<T::dimension>(make_field_thresholds(system)),
                                  static_cast<std::uint32_t>(system.replicas));
  });
  if (kernels == nullptr)
    throw UserError("--backend cuda: the GPU has kernels for the named models only; use --backend cpu.");
  return kernels;
}

/// Any preset with any number of sets.
class MemberTempering final : public Tempering {
 public:
  MemberTempering(const System& system, const Slots& own)
      : Tempering(system, own, SlotOrder::parity_set),
        kernels_(kernels_of(system)),
        has_fields_(system.preset().has_random_field()),
        energy_rows_(rows_of(0, 0)),
        rows_(rows_of(lists_.has(sum_K) || lists_.has(sum_MK_MK) ? shape_.sets : 0,
                      static_cast<std::uint32_t>(lists_.pairs))) {
    const std::size_t per_slot = std::size_t{32} * energy_stride();
    allocate_counts(per_slot * shape_.slots, per_slot);
    if (system.round.rounds_per_sum == 0) return;
    place(lists_.set, places_.set);
    place(lists_.pair, places_.pair);
    measures_at_once_ = kernels_->measures_at_once(shape_.L, places_);
    if (measures_at_once_) return;
    const std::size_t most = std::clamp<std::size_t>(largest_counts / (std::size_t{32} * stride()), 1, most_at_once);
    const std::size_t all = own.count * shape_.packs, launches = (all + most - 1) / most;
    at_once_ = static_cast<std::uint32_t>((all + launches - 1) / launches);  // equal launches
    measured_ = DeviceArray<int>(std::size_t{32} * stride() * at_once_);
  }

  bool sweep(const Slots& slots, std::uint64_t round, cudaStream_t stream) override {
    const auto half_sweeps = static_cast<std::uint32_t>(system_.round.half_sweeps);
    const std::uint32_t first = slot_index(slots.first), count = static_cast<std::uint32_t>(slots.count);
    const Swept swept =
        kernels_->sweep({member_words(), first, count, half_sweeps * static_cast<std::uint32_t>(round), half_sweeps, 0},
                        trajectory_key(system_, Stream::metropolis), energies(), stream);
    if (swept.counted) return swept.waits;
    SlotCountJob job{member_words(), first,           count,          0,   0, {0, shape_.L},
                     energy_rows_,   energy_stride(), counts_.data(), true};
    for_each_launch(job, most_at_once, [&] {
      kernels_->count(job, stream);
      if (has_fields_) kernels_->count_against(job, counts_.data() + against_row(energy_rows_) * 32, stream);
    });
    return false;
  }

 protected:
  void finish(std::uint32_t first, std::uint32_t last, std::uint32_t odd, bool measured, cudaStream_t stream) override {
    const std::uint32_t cold = first % 2 == odd ? first : first > 0 ? first - 1 : first + 1;
    const std::uint32_t behind = std::min(last + 1, shape_.slots - 1);  // of the colder slots of pairs
    if (cold < behind) start_swaps(shape_, arrays(), cold, (behind - cold + 1) / 2, stream);
    if (measured) add_sums(first, last - first + 1, odd, stream);
  }
  EnergyCounts energies() const override {
    const std::size_t of_slot = std::size_t{32} * energy_stride();
    return {counts_.data(),
            of_slot * shape_.slots,
            of_slot,
            32,
            std::size_t{32} * energy_rows_.unsatisfied_bonds(0),
            std::size_t{32} * (has_fields_ ? against_row(energy_rows_) : energy_rows_.minus_spins(0))};
  }

 private:
  CountRows rows_of(std::uint32_t spins, std::uint32_t pairs) const {
    return {shape_.L, static_cast<std::uint32_t>(system_.dimension()), shape_.sets, spins, pairs};
  }
  // Behind the rows of count() there are those of the fields and of the link overlaps.
  std::uint32_t against_row(const CountRows& rows) const { return rows.count(); }
  std::uint32_t links_row() const { return rows_.count() + (has_fields_ ? shape_.sets : 0); }
  std::uint32_t energy_stride() const { return energy_rows_.count() + (has_fields_ ? shape_.sets : 0); }
  std::uint32_t stride() const { return links_row() + (lists_.has(sum_link) ? rows_.pairs : 0); }

  MemberWords member_words() const {
    const TemperingArrays all = arrays();
    return {all.spins, all.couplings, all.fields, shape_};
  }

  /// Calls f() for launches of at most `most` configurations.
  template <class F>
  void for_each_launch(SlotCountJob& job, std::uint32_t most, F f) const {
    const std::uint32_t all = job.slots * shape_.packs;
    for (job.first_pack = 0; job.first_pack < all; job.first_pack += job.packs) {
      job.packs = std::min(most, all - job.first_pack);
      f();
    }
  }

  /// Measures `slots` slots from `first` on. `odd`: parity of the colder slots of pairs.
  void add_sums(std::uint32_t first, std::uint32_t slots, std::uint32_t odd, cudaStream_t stream) {
    const TemperingArrays all = arrays();
    SlotCountJob job{member_words(), first, slots, 0, 0, {0, shape_.L}, rows_, stride(), measured_.data(), false};
    SlotSums sums{places_,
                  all.sums,
                  has_fields_ ? static_cast<std::int32_t>(against_row(rows_)) : -1,
                  lists_.has(sum_link) ? static_cast<std::int32_t>(links_row()) : -1,
                  all.cosine,
                  all.sine,
                  static_cast<std::int32_t>(lists_.overlap_bins)};
    if (measures_at_once_) {
      job.packs = slots * shape_.packs;
      return kernels_->add_sums_at_once(job, sums, {energies(), {all.masks, odd}}, stream);
    }
    for_each_launch(job, at_once_, [&] {
      measured_.clear(stream);
      kernels_->count(job, stream);
      if (sums.against >= 0) kernels_->count_against(job, measured_.data() + 32 * against_row(rows_), stream);
      if (sums.links >= 0) kernels_->count_links(job, measured_.data() + 32 * links_row(), stream);
      kernels_->add_sums(job, sums, stream);
    });
  }
  /// The kernels need increasing places.
  template <class List, std::size_t COUNT>
  static void place(const List& list, std::int8_t (&places)[COUNT]) {
    if (!std::is_sorted(list.begin(), list.end())) throw std::logic_error("sums are not in their order");
    std::fill(std::begin(places), std::end(places), std::int8_t{-1});
    for (std::size_t i = 0; i < list.size(); ++i) places[list[i]] = static_cast<std::int8_t>(i);
  }

  std::unique_ptr<MemberKernels> kernels_;
  bool has_fields_;               ///< words of random fields
  CountRows energy_rows_, rows_;  ///< of every round, of a measurement
  SumPlaces places_;
  bool measures_at_once_ = false;  ///< by one kernel without counts in memory
  std::uint32_t at_once_ = 0;      ///< else: configurations that are measured together
  DeviceArray<int> measured_;
};

}  // namespace

std::unique_ptr<Tempering> make_member_tempering(const System& system, const Slots& own) {
  return std::make_unique<MemberTempering>(system, own);
}

}  // namespace psflip::cuda
