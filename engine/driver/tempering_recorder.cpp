#include "engine/driver/tempering_recorder.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/driver/pieces.hpp"

namespace psflip {

namespace {

using Names = std::array<const char*, 2>;  // dataset, description

constexpr std::array<Names, set_sums> set_datasets = {
    {{"bond_sum", "sum of B = sum over bonds of s s; H = -J B - h F"},
     {"field_sum", "sum of F = sum of h_i s_i"},
     {"bond_sum_2", "sum of B^2"},
     {"bond_field", "sum of B F"},
     {"field_sum_2", "sum of F^2"},
     {"magnetization", "sum of M = sum of s"},
     {"abs_magnetization", "sum of |M|"},
     {"magnetization_2", "sum of M^2"},
     {"magnetization_4", "sum of M^4"},
     {"magnetization_k2",
      "sum of K = 1024 x squared modulus of the Fourier component of s at 2 pi / L, summed over axes"},
     {"bond_magnetization_2", "sum of B M^2"},
     {"bond_magnetization_4", "sum of B M^4"},
     {"bond_magnetization_k2", "sum of B K"},
     {"field_magnetization_2", "sum of F M^2"},
     {"field_magnetization_4", "sum of F M^4"},
     {"field_magnetization_k2", "sum of F K"}}};

/// The ends of the bins that all samples have.
std::vector<std::uint64_t> common_bins(const TemperingJob& job) {
  std::vector<std::uint64_t> ends = bin_ends(job);
  ends.resize(job.bins);
  return ends;
}

constexpr std::array<Names, pair_sums> pair_datasets = {
    {{"overlap", "sum of Q = sum of s s of the two sets"},
     {"overlap_2", "sum of Q^2"},
     {"overlap_4", "sum of Q^4"},
     {"magnetization_product", "sum of the product of M of the two sets"},
     {"magnetization_k_product",
      "sum of 1024 x real part of the product of the Fourier components of the two sets at 2 pi / L, summed over "
      "axes"}}};

}  // namespace

TemperingRecorder::TemperingRecorder(const TemperingJob& job)
    : slots_(job.system.slots()), samples_(job.system.samples), bins_(job.bins) {
  add_axes(job);
  add_schedule(job);
  const std::size_t rows = slots_ * bins_ * samples_, sets = tempering_sets;
  first_set_sum_ = datasets_.size();
  for (const auto& [name, description] : set_datasets)
    datasets_.push_back(
        {name, {"temperature", "bin", "sample", "set"}, std::vector<double>(rows * sets, 0.0), "1", description});
  first_pair_sum_ = datasets_.size();
  for (const auto& [name, description] : pair_datasets)
    datasets_.push_back({name, {"temperature", "bin", "sample"}, std::vector<double>(rows, 0.0), "1", description});
  accepted_ = datasets_.size();
  datasets_.push_back({"exchange_accepted",
                       {"bin", "exchange_pair", "sample", "set"},
                       std::vector<std::int32_t>(bins_ * (slots_ - 1) * samples_ * sets, 0),
                       "1",
                       "exchanges made between the slots of the pair"});
  round_trips_ = datasets_.size();
  datasets_.push_back({"round_trips",
                       {"bin", "sample", "set"},
                       std::vector<std::int32_t>(bins_ * samples_ * sets, 0),
                       "1",
                       "configurations that came back to slot 0 after having been in the last slot"});
  times_longer_ = datasets_.size();
  if (job.longer.packs > 0)
    datasets_.push_back({"times_longer",
                         {"sample"},
                         std::vector<std::int64_t>(samples_, 1),
                         "1",
                         "every bin of the sample has so many times the sweeps, measurements and attempts"});
}

void TemperingRecorder::add_axes(const TemperingJob& job) {
  const std::vector<std::uint64_t> ends = common_bins(job);
  std::vector<std::int64_t> ids = coordinates(samples_), last;
  for (std::int64_t& id : ids) id += static_cast<std::int64_t>(job.system.first_sample);
  for (const std::uint64_t end : ends) last.push_back(static_cast<std::int64_t>(end * job.system.exchange_interval));
  axes_ = {{"temperature", job.T, "J/k_B", "temperature T of the slot"},
           {"bin", last, "sweeps", "last sweep of the bin"},
           {"sample", ids, "1", "global sample id"},
           {"set", coordinates(tempering_sets), "1", "independent sets of replicas"},
           {"exchange_pair", coordinates(slots_ - 1), "1", "k: the slots k and k + 1"}};
  datasets_.push_back({"beta", {"temperature"}, job.system.betas, "k_B/J", "inverse temperature of the slot"});
}

/// How many measurements and attempts the schedule puts into each bin. Round n (from 0) tries pairs k with k = n mod 2.
void TemperingRecorder::add_schedule(const TemperingJob& job) {
  std::vector<std::int64_t> measurements, attempts;
  std::uint64_t begin = 0;
  for (const std::uint64_t end : common_bins(job)) {
    measurements.push_back(static_cast<std::int64_t>((end - begin) / job.system.rounds_per_measurement()));
    const auto even = (end + 1) / 2 - (begin + 1) / 2, odd = end / 2 - begin / 2;
    for (std::size_t k = 0; k + 1 < slots_; ++k) attempts.push_back(static_cast<std::int64_t>(k % 2 == 0 ? even : odd));
    begin = end;
  }
  datasets_.push_back({"measurements", {"bin"}, measurements, "1", "measurements in the bin"});
  datasets_.push_back({"exchange_attempts",
                       {"bin", "exchange_pair"},
                       attempts,
                       "1",
                       "attempts to exchange the slots of the pair, in every sample and set"});
}

template <class T>
std::vector<T>& TemperingRecorder::values(std::size_t dataset) {
  return std::get<std::vector<T>>(datasets_[dataset].values);
}

void TemperingRecorder::record(std::size_t bin, const TemperingSums& sums) {
  const auto copy = [](const auto& from, std::size_t first, std::size_t count, auto& to, std::size_t place) {
    std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(first), count,
                to.begin() + static_cast<std::ptrdiff_t>(place));
  };
  const std::size_t row = samples_ * tempering_sets;
  for (std::size_t slot = 0; slot < slots_; ++slot) {
    for (std::size_t i = 0; i < set_sums; ++i)
      copy(sums.set, (i * slots_ + slot) * row, row, values<double>(first_set_sum_ + i), (slot * bins_ + bin) * row);
    for (std::size_t i = 0; i < pair_sums; ++i)
      copy(sums.pair, (i * slots_ + slot) * samples_, samples_, values<double>(first_pair_sum_ + i),
           (slot * bins_ + bin) * samples_);
  }
  copy(sums.accepted, 0, sums.accepted.size(), values<std::int32_t>(accepted_), bin * sums.accepted.size());
  copy(sums.round_trips, 0, row, values<std::int32_t>(round_trips_), bin * row);
}

void TemperingRecorder::double_bins(const std::vector<std::uint64_t>& packs, const TemperingSums& second_half) {
  // values are [outer][bin][inner][sample][width], those of the second half [outer][inner][sample of the packs][width]
  const auto shift = [&](auto& all, const auto* last, std::size_t outer, std::size_t inner, std::size_t width) {
    for (std::size_t o = 0; o < outer; ++o) {
      for (std::size_t i = 0; i < inner; ++i) {
        for (const std::uint64_t pack : packs) {
          for (std::size_t k = 0; k < 32 * width; ++k) {
            const auto at = [&](std::size_t bin) -> auto& {
              return all[(((o * bins_ + bin) * inner + i) * samples_ + 32 * pack) * width + k];
            };
            at(0) += at(1);
            for (std::size_t bin = 1; bin + 1 < bins_; ++bin) at(bin) = at(bin + 1);
            at(bins_ - 1) = *last++;
          }
        }
      }
    }
  };
  const std::size_t rows = slots_ * 32 * packs.size();
  for (std::size_t i = 0; i < set_sums; ++i)
    shift(values<double>(first_set_sum_ + i), second_half.set.data() + i * rows * tempering_sets, slots_, 1,
          tempering_sets);
  for (std::size_t i = 0; i < pair_sums; ++i)
    shift(values<double>(first_pair_sum_ + i), second_half.pair.data() + i * rows, slots_, 1, 1);
  shift(values<std::int32_t>(accepted_), second_half.accepted.data(), 1, slots_ - 1, tempering_sets);
  shift(values<std::int32_t>(round_trips_), second_half.round_trips.data(), 1, 1, tempering_sets);
  for (const std::uint64_t pack : packs)
    for (std::size_t k = 0; k < 32; ++k) values<std::int64_t>(times_longer_)[32 * pack + k] *= 2;
}

void TemperingRecorder::restore(const io::LabelledFile& checkpoint) {
  for (io::Dataset& d : datasets_) d.values = checkpoint.dataset(d.name).values;
}

}  // namespace psflip
