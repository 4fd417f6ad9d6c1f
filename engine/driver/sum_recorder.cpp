#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>

#include "engine/driver/recorders.hpp"
#include "engine/methods/methods.hpp"

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

constexpr std::array<Names, pair_sums> pair_datasets = {
    {{"overlap", "sum of Q = sum of s s of the two sets"},
     {"overlap_2", "sum of Q^2"},
     {"overlap_4", "sum of Q^4"},
     {"magnetization_product", "sum of the product of M of the two sets"},
     {"magnetization_k_product",
      "sum of 1024 x real part of the product of the Fourier components of the two sets at 2 pi / L, summed over "
      "axes"}}};

/// Tempering: the sums of the engine in logarithmic bins.
class SumRecorder final : public Recorder {
 public:
  explicit SumRecorder(const Job& job)
      : slots_(job.beta.size()),
        samples_(job.system.samples),
        bins_(job.bins),
        replicas_(static_cast<std::size_t>(job.system.replicas)) {
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
  void fill_bin(std::size_t bin, const Sums& sums);
  /// The samples of the continued packs have been simulated twice as long: the sums of the second half become their
  /// last bin, each other bin the one before, and the first two are one.
  void double_bins(const Sums& second_half);
  template <class T>
  std::vector<T>& values(std::size_t dataset) {
    return std::get<std::vector<T>>(datasets_[dataset].values);
  }
  const std::vector<double>& sums_named(const std::string& name) const;

  std::size_t slots_, samples_, bins_, replicas_;
  /// Indices in datasets_; the last one is there only if the job has extended runs.
  std::size_t first_set_sum_ = 0, first_pair_sum_ = 0, accepted_ = 0, round_trips_ = 0, times_longer_ = 0;
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
  const std::size_t rows = slots_ * bins_ * samples_;
  first_set_sum_ = datasets_.size();
  for (const auto& [name, description] : set_datasets)
    datasets_.push_back(
        {name, {"temperature", "bin", "sample", "set"}, std::vector<double>(rows * replicas_, 0.0), "1", description});
  first_pair_sum_ = datasets_.size();
  for (const auto& [name, description] : pair_datasets)
    datasets_.push_back({name, {"temperature", "bin", "sample"}, std::vector<double>(rows, 0.0), "1", description});
  accepted_ = datasets_.size();
  datasets_.push_back({"exchange_accepted",
                       {"bin", "exchange_pair", "sample", "set"},
                       std::vector<std::int32_t>(bins_ * (slots_ - 1) * samples_ * replicas_, 0),
                       "1",
                       "exchanges made between the slots of the pair"});
  round_trips_ = datasets_.size();
  datasets_.push_back({"round_trips",
                       {"bin", "sample", "set"},
                       std::vector<std::int32_t>(bins_ * samples_ * replicas_, 0),
                       "1",
                       "configurations that came back to slot 0 after having been in the last slot"});
  times_longer_ = datasets_.size();
  if (job.extended.packs > 0)
    datasets_.push_back({"times_longer",
                         {"sample"},
                         std::vector<std::int64_t>(samples_, 1),
                         "1",
                         "every bin of the sample has so many times the sweeps, measurements and attempts"});
}

void SumRecorder::fill_bin(std::size_t bin, const Sums& sums) {
  const auto copy = [](const auto& from, std::size_t first, std::size_t count, auto& to, std::size_t place) {
    std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(first), count,
                to.begin() + static_cast<std::ptrdiff_t>(place));
  };
  const std::size_t row = samples_ * replicas_;
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
  for (std::size_t i = 0; i < set_sums; ++i)
    shift(values<double>(first_set_sum_ + i), second_half.set.data() + i * rows * replicas_, slots_, 1, replicas_);
  for (std::size_t i = 0; i < pair_sums; ++i)
    shift(values<double>(first_pair_sum_ + i), second_half.pair.data() + i * rows, slots_, 1, 1);
  shift(values<std::int32_t>(accepted_), second_half.accepted.data(), 1, slots_ - 1, replicas_);
  shift(values<std::int32_t>(round_trips_), second_half.round_trips.data(), 1, 1, replicas_);
  for (const std::uint64_t pack : packs_)
    for (std::size_t k = 0; k < 32; ++k) values<std::int64_t>(times_longer_)[32 * pack + k] *= 2;
}

const std::vector<double>& SumRecorder::sums_named(const std::string& name) const {
  for (const io::Dataset& dataset : datasets_)
    if (dataset.name == name) return std::get<std::vector<double>>(dataset.values);
  throw std::logic_error(name + ": no such sums");
}

/// The packs that contribute most to r, summed over slots: r of a slot is the mean over samples of (m^0 - m^1)^2 / 2,
/// the variance of the mean m of a replica over a bin, over the thermal variance of m. Taken from the last bin but one,
/// since the last one is what is averaged for all others (docs/rfim3d.md). Of equal packs the first.
std::vector<std::uint64_t> SumRecorder::slowest_packs(std::uint64_t count) const {
  const std::size_t bin = bins_ - 2;
  const std::vector<double>&m = sums_named("magnetization"), &m_2 = sums_named("magnetization_2"),
        &product = sums_named("magnetization_product");
  const auto n = static_cast<double>(std::get<std::vector<std::int64_t>>(datasets_[1].values)[bin]);
  std::vector<double> of_packs(samples_ / 32, 0.0);
  for (std::size_t slot = 0; slot < slots_; ++slot) {
    std::vector<double> gaps(of_packs.size(), 0.0);
    double variance = 0;
    for (std::size_t sample = 0; sample < samples_; ++sample) {
      const std::size_t i = (slot * bins_ + bin) * samples_ + sample;
      const double gap = (m[2 * i] - m[2 * i + 1]) / n;
      gaps[sample / 32] += gap * gap / 2;
      variance += (m_2[2 * i] + m_2[2 * i + 1]) / (2 * n) - product[i] / n;
    }
    for (std::size_t pack = 0; variance > 0 && pack < gaps.size(); ++pack) of_packs[pack] += gaps[pack] / variance;
  }
  std::vector<std::uint64_t> places(of_packs.size());
  std::iota(places.begin(), places.end(), std::uint64_t{0});
  std::stable_sort(places.begin(), places.end(), [&](auto a, auto b) { return of_packs[a] > of_packs[b]; });
  places.resize(count);
  std::sort(places.begin(), places.end());
  return places;
}

}  // namespace

std::unique_ptr<Recorder> make_sum_recorder(const Job& job) { return std::make_unique<SumRecorder>(job); }

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
