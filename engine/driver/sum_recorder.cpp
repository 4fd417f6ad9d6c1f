#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>

#include "engine/driver/recorders.hpp"
#include "engine/driver/slowest_packs.hpp"
#include "engine/methods/methods.hpp"

namespace psflip {

namespace {

struct Name {
  const char *dataset, *description;
};

constexpr std::array<Name, set_sums> set_names = {
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

constexpr std::array<Name, pair_sums> pair_names = {
    {{"overlap", "sum of Q = sum of s s of the two sets"},
     {"overlap_2", "sum of Q^2"},
     {"overlap_4", "sum of Q^4"},
     {"magnetization_product", "sum of the product of M of the two sets"},
     {"magnetization_k_product",
      "sum of 1024 x real part of the product of the Fourier components of the two sets at 2 pi / L, summed over "
      "axes"},
     {"abs_overlap", "sum of |Q|"},
     {"overlap_k2",
      "sum of K = 1024 x squared modulus of the Fourier component of s s of the two sets at 2 pi / L, summed over "
      "axes"},
     {"link_overlap", "sum of Q_l = sum over bonds of the product of s s of one set and of the other"},
     {"bond_overlap_2", "sum of B Q^2, B of both sets together"},
     {"bond_overlap_4", "sum of B Q^4, B of both sets together"},
     {"bond_overlap_k2", "sum of B K, B of both sets together"},
     {"bond_link_overlap", "sum of B Q_l, B of both sets together"}}};

Name name_of(const System& system, SetSum sum) {
  if (sum == sum_B && !system.has_field()) return {"bond_sum", "sum of B = sum over bonds of J s s; H = -B"};
  return set_names[sum];
}

/// Jobs of a random field have had two sets and no axis of their pair since 0.1.
bool has_pair_axis(const System& system) { return !system.preset().has_random_field() || system.replicas != 2; }

/// Tempering: the sums of the engine in logarithmic bins.
class SumRecorder final : public Recorder {
 public:
  SumRecorder(const Job& job, Arrays arrays)
      : Recorder(arrays),
        slots_(job.beta.size()),
        samples_(job.system.samples),
        bins_(job.bins),
        replicas_(static_cast<std::size_t>(job.system.replicas)),
        system_(job.system),
        lists_(sum_lists_of(job.system)) {
    add_axes(job);
    add_schedule(job);
    add_sums(job);
  }

  void record(std::size_t leg, std::size_t stop, const Reading& reading) override {
    if (leg == 0)
      fill_bin(stop, reading.sums);
    else
      double_bins(reading.sums);
  }
  std::vector<std::uint64_t> slowest_packs(std::uint64_t count) const override;
  void continue_packs(const std::vector<std::uint64_t>& packs) override { packs_ = packs; }

 private:
  void add_axes(const Job& job);
  void add_schedule(const Job& job);
  void add_sums(const Job& job);
  void add_exchanges();
  void fill_bin(std::size_t bin, const Sums& sums);
  /// The samples of the continued packs have been simulated twice as long: the sums of the second half become their
  /// last bin, each other bin the one before, and the first two are one.
  void double_bins(const Sums& second_half);
  /// The second half is the last bin, the only one that has counts.
  template <class T>
  void keep_counts(const std::vector<T>& second_half, std::size_t slots, std::vector<T>& all);
  template <class T>
  std::vector<T>& values(std::size_t dataset) {
    return std::get<std::vector<T>>(datasets_[dataset].values);
  }

  std::size_t slots_, samples_, bins_, replicas_;
  System system_;
  SumLists lists_;
  /// Indices in datasets_; the last one is there only if the job has extended runs.
  std::size_t first_set_sum_ = 0, first_pair_sum_ = 0, overlap_counts_ = 0, overlap_links_ = 0, accepted_ = 0,
              round_trips_ = 0, flow_cold_ = 0, flow_hot_ = 0, times_longer_ = 0;
  std::vector<std::uint64_t> packs_;  ///< continued, by their index in the job
};

void SumRecorder::add_axes(const Job& job) {
  std::vector<std::int64_t> last;
  for (const std::uint64_t end : bin_ends(job)) last.push_back(static_cast<std::int64_t>(end * job.exchange_interval));
  axes_ = {temperature_axis(job, "temperature T of the slot"),
           {"bin", last, "sweeps", "last sweep of the bin"},
           sample_axis(job.system),
           {"set", numbers_from(0, replicas_), "1", "independent sets of replicas"},
           {"exchange_pair", numbers_from(0, slots_ - 1), "1", "k: the slots k and k + 1"}};
  datasets_.push_back(beta_dataset(job, "inverse temperature of the slot"));
  if (lists_.pairs > 0 && has_pair_axis(system_)) add_pairs(system_, axes_, datasets_);
  if (lists_.overlap_bins == 0) return;
  std::vector<double> centres;
  for (std::size_t i = 0; i < lists_.overlap_bins; ++i)
    centres.push_back(static_cast<double>(2 * i + 1) / static_cast<double>(lists_.overlap_bins) - 1);
  axes_.push_back({"overlap_bin", centres, "1", "centre of the bin of q = Q / N"});
  if (lists_.link_slots.empty()) return;
  axes_.push_back({"link_overlap_slot", std::vector<std::int64_t>(lists_.link_slots.begin(), lists_.link_slots.end()),
                   "1",
                   "temperature slots, 0 is the coldest, with sums of the link overlap in each bin of the overlap"});
}

/// How many measurements and attempts the schedule puts into each bin. Round n (from 0) tries pairs k with k = n mod 2.
void SumRecorder::add_schedule(const Job& job) {
  const std::uint64_t rounds_per_measurement = sweeps_per_measurement(job) / job.exchange_interval;
  std::vector<std::int64_t> measurements, attempts;
  std::uint64_t begin = 0;
  for (const std::uint64_t end : bin_ends(job)) {
    measurements.push_back(static_cast<std::int64_t>((end - begin) / rounds_per_measurement));
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

void SumRecorder::add_sums(const Job& job) {
  first_set_sum_ = datasets_.size();
  for (const SetSum sum : lists_.set) {
    const auto [name, description] = name_of(system_, sum);
    datasets_.push_back({name,
                         {"temperature", "bin", "sample", "set"},
                         zeros<double>({slots_, bins_, samples_, replicas_}),
                         "1",
                         description});
  }
  first_pair_sum_ = datasets_.size();
  std::vector<std::string> axes = {"temperature", "bin", "sample"};
  if (has_pair_axis(system_)) axes.push_back("pair");
  for (const PairSum sum : lists_.pair)
    datasets_.push_back({pair_names[sum].dataset, axes, zeros<double>({slots_, bins_, samples_, lists_.pairs}), "1",
                         pair_names[sum].description});
  overlap_counts_ = datasets_.size();
  if (lists_.overlap_bins > 0)
    datasets_.push_back({"overlap_counts",
                         {"temperature", "sample", "overlap_bin"},
                         zeros<std::int32_t>({slots_, samples_, lists_.overlap_bins}),
                         "1",
                         "measurements of the last bin with Q there, all pairs together"});
  overlap_links_ = datasets_.size();
  if (!lists_.link_slots.empty())
    datasets_.push_back({"overlap_link_sums",
                         {"link_overlap_slot", "sample", "overlap_bin"},
                         zeros<std::int64_t>({lists_.link_slots.size(), samples_, lists_.overlap_bins}),
                         "1",
                         "sum of Q_l over the measurements of overlap_counts"});
  add_exchanges();
  times_longer_ = datasets_.size();
  if (job.extended.packs == 0) return;
  std::vector<std::int64_t> once = zeros<std::int64_t>({samples_});
  std::fill(once.begin(), once.end(), 1);
  datasets_.push_back({"times_longer",
                       {"sample"},
                       std::move(once),
                       "1",
                       "every bin of the sample has so many times the sweeps, measurements and attempts"});
}

void SumRecorder::add_exchanges() {
  accepted_ = datasets_.size();
  datasets_.push_back({"exchange_accepted",
                       {"bin", "exchange_pair", "sample", "set"},
                       zeros<std::int32_t>({bins_, slots_ - 1, samples_, replicas_}),
                       "1",
                       "exchanges made between the slots of the pair"});
  round_trips_ = datasets_.size();
  datasets_.push_back({"round_trips",
                       {"bin", "sample", "set"},
                       zeros<std::int32_t>({bins_, samples_, replicas_}),
                       "1",
                       "configurations that came back to slot 0 after having been in the last slot"});
  const auto add_flow = [&](const char* name, const char* description) {
    const std::size_t place = datasets_.size();
    datasets_.push_back({name,
                         {"temperature", "bin", "sample", "set"},
                         zeros<std::int32_t>({slots_, bins_, samples_, replicas_}),
                         "1",
                         description});
    return place;
  };
  flow_cold_ =
      add_flow("flow_cold", "exchange rounds of configurations that visited slot 0 last, of both ends of the grid");
  flow_hot_ = add_flow("flow_hot",
                       "exchange rounds of configurations that visited the last slot last, of both ends of the grid");
}

void SumRecorder::fill_bin(std::size_t bin, const Sums& sums) {
  const auto copy = [](const auto& from, std::size_t first, std::size_t count, auto& to, std::size_t place) {
    std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(first), count,
                to.begin() + static_cast<std::ptrdiff_t>(place));
  };
  const std::size_t row = samples_ * replicas_, pair_row = samples_ * lists_.pairs;
  for (std::size_t slot = 0; slot < slots_; ++slot) {
    for (std::size_t i = 0; i < lists_.set.size(); ++i)
      copy(sums.set, (i * slots_ + slot) * row, row, values<double>(first_set_sum_ + i), (slot * bins_ + bin) * row);
    for (std::size_t i = 0; i < lists_.pair.size(); ++i)
      copy(sums.pair, (i * slots_ + slot) * pair_row, pair_row, values<double>(first_pair_sum_ + i),
           (slot * bins_ + bin) * pair_row);
    copy(sums.flow_cold, slot * row, row, values<std::int32_t>(flow_cold_), (slot * bins_ + bin) * row);
    copy(sums.flow_hot, slot * row, row, values<std::int32_t>(flow_hot_), (slot * bins_ + bin) * row);
  }
  if (lists_.overlap_bins > 0) values<std::int32_t>(overlap_counts_) = sums.overlap_counts;
  if (!lists_.link_slots.empty()) values<std::int64_t>(overlap_links_) = sums.overlap_link_sums;
  copy(sums.accepted, 0, sums.accepted.size(), values<std::int32_t>(accepted_), bin * sums.accepted.size());
  copy(sums.round_trips, 0, row, values<std::int32_t>(round_trips_), bin * row);
}

void SumRecorder::double_bins(const Sums& second_half) {
  // values are [outer][bin][inner][sample][width], those of the second half [outer][inner][sample of the packs][width]
  const auto shift = [&](auto& all, const auto* last, std::size_t outer, std::size_t inner, std::size_t width) {
    for (std::size_t o = 0; o < outer; ++o) {
      for (std::size_t i = 0; i < inner; ++i) {
        for (const std::uint64_t pack : packs_) {
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
  const std::size_t rows = slots_ * 32 * packs_.size();
  for (std::size_t i = 0; i < lists_.set.size(); ++i)
    shift(values<double>(first_set_sum_ + i), second_half.set.data() + i * rows * replicas_, slots_, 1, replicas_);
  for (std::size_t i = 0; i < lists_.pair.size(); ++i)
    shift(values<double>(first_pair_sum_ + i), second_half.pair.data() + i * rows * lists_.pairs, slots_, 1,
          lists_.pairs);
  if (lists_.overlap_bins > 0) keep_counts(second_half.overlap_counts, slots_, values<std::int32_t>(overlap_counts_));
  if (!lists_.link_slots.empty())
    keep_counts(second_half.overlap_link_sums, lists_.link_slots.size(), values<std::int64_t>(overlap_links_));
  shift(values<std::int32_t>(accepted_), second_half.accepted.data(), 1, slots_ - 1, replicas_);
  shift(values<std::int32_t>(round_trips_), second_half.round_trips.data(), 1, 1, replicas_);
  shift(values<std::int32_t>(flow_cold_), second_half.flow_cold.data(), slots_, 1, replicas_);
  shift(values<std::int32_t>(flow_hot_), second_half.flow_hot.data(), slots_, 1, replicas_);
  for (const std::uint64_t pack : packs_)
    for (std::size_t k = 0; k < 32; ++k) values<std::int64_t>(times_longer_)[32 * pack + k] *= 2;
}

template <class T>
void SumRecorder::keep_counts(const std::vector<T>& second_half, std::size_t slots, std::vector<T>& all) {
  const std::size_t row = 32 * lists_.overlap_bins;
  auto from = second_half.begin();
  for (std::size_t slot = 0; slot < slots; ++slot)
    for (const std::uint64_t pack : packs_) {
      const std::size_t place = slot * samples_ * lists_.overlap_bins + pack * row;
      std::copy_n(from, row, all.begin() + static_cast<std::ptrdiff_t>(place));
      from += static_cast<std::ptrdiff_t>(row);
    }
}

std::vector<std::uint64_t> SumRecorder::slowest_packs(std::uint64_t count) const {
  return psflip::slowest_packs(system_, datasets_, {slots_, bins_, samples_}, count);
}

}  // namespace

std::unique_ptr<Recorder> make_sum_recorder(const Job& job, Arrays arrays) {
  return std::make_unique<SumRecorder>(job, arrays);
}

std::vector<double> exchange_rates(const Recorder& recorder) {
  io::LabelledFile file;
  file.datasets = recorder.datasets();
  const auto& measurements = file.values<std::int64_t>("measurements");
  const auto& attempts = file.values<std::int64_t>("exchange_attempts");
  const auto& accepted = file.values<std::int32_t>("exchange_accepted");
  const std::size_t bins = measurements.size(), pairs = attempts.size() / bins, row = accepted.size() / attempts.size();
  std::vector<double> rates;
  for (std::size_t k = (bins - 1) * pairs; k < bins * pairs; ++k) {
    const auto first = accepted.begin() + static_cast<std::ptrdiff_t>(k * row);
    const double sum = std::accumulate(first, first + static_cast<std::ptrdiff_t>(row), 0.0);
    rates.push_back(sum / (static_cast<double>(attempts[k]) * static_cast<double>(row)));
  }
  return rates;
}

}  // namespace psflip
