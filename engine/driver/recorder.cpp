#include "engine/driver/recorder.hpp"

#include <cstdlib>
#include <numeric>

namespace psflip {

namespace {

std::vector<std::int64_t> count_from(std::uint64_t first, std::uint64_t count) {
  std::vector<std::int64_t> ids(count);
  std::iota(ids.begin(), ids.end(), static_cast<std::int64_t>(first));
  return ids;
}

/// Relaxation: every observation as it is, at logarithmic times.
class TimeRecorder final : public Recorder {
 public:
  explicit TimeRecorder(const Job& job) : Recorder(job), system_(job.system) {
    const std::vector<std::uint64_t> times = measurement_times(job);
    times_ = times.size();
    axes_.push_back(
        {"time", std::vector<std::int64_t>(times.begin(), times.end()), "sweeps", "sweeps done at the measurement"});
    axes_.push_back({"replica", count_from(0, static_cast<std::uint64_t>(system_.replicas)), "1",
                     "independent copies of a sample"});
    add_dataset<std::int32_t>("bond_sum", "replica", system_.replicas, "sum over bonds of J s s; H = -bond_sum");
    add_dataset<std::int32_t>("magnetization", "replica", system_.replicas, "sum of s");
    if (system_.pairs() == 0) return;
    axes_.push_back({"pair", count_from(0, static_cast<std::uint64_t>(system_.pairs())), "1", "pairs of replicas"});
    axes_.push_back({"member", count_from(0, 2), "1", "first and second replica of a pair"});
    std::vector<std::int32_t> members;
    for (int a = 0; a < system_.replicas; ++a)
      for (int b = a + 1; b < system_.replicas; ++b) members.insert(members.end(), {a, b});
    datasets_.push_back({"pair_replicas", {"pair", "member"}, members, "1", "replicas of each pair"});
    add_dataset<std::int32_t>("overlap", "pair", system_.pairs(), "sum of s^a s^b");
    add_dataset<std::int64_t>(
        "overlap_k2", "pair", system_.pairs(),
        "1024 x squared modulus of the Fourier component of s^a s^b at 2 pi / L, summed over axes");
  }

  void record(std::size_t temperature, std::size_t index, const Observation& o) override {
    store<std::int32_t>("bond_sum", temperature, index, o.bond_sum);
    store<std::int32_t>("magnetization", temperature, index, o.magnetization);
    if (system_.pairs() == 0) return;
    store<std::int32_t>("overlap", temperature, index, o.overlap);
    store<std::int64_t>("overlap_k2", temperature, index, o.overlap_k2);
  }

 private:
  template <class T>
  void add_dataset(const std::string& name, const std::string& last_axis, int last, const std::string& description) {
    const std::size_t temperatures = std::get<std::vector<double>>(axes_[0].values).size();
    std::vector<T> values(temperatures * times_ * system_.samples * static_cast<std::size_t>(last), T{0});
    datasets_.push_back({name, {"temperature", "time", "sample", last_axis}, std::move(values), "1", description});
  }

  template <class T>
  void store(const std::string& name, std::size_t temperature, std::size_t index, const std::vector<std::int64_t>& in) {
    for (io::Dataset& d : datasets_) {
      if (d.name != name) continue;
      auto out = std::get<std::vector<T>>(d.values).begin() +
                 static_cast<std::ptrdiff_t>((temperature * times_ + index) * in.size());
      for (const std::int64_t value : in) *out++ = static_cast<T>(value);
    }
  }

  System system_;
  std::size_t times_ = 0;
};

/// Equilibrium: sums over the measurements in equal bins, added in the order of time so that rounding is always the
/// same.
class BinRecorder final : public Recorder {
 public:
  explicit BinRecorder(const Job& job) : Recorder(job), samples_(job.system.samples), bins_(job.bins) {
    per_bin_ = job.sweeps / job.measure_interval / job.bins;
    std::vector<std::int64_t> last(bins_);
    for (std::size_t b = 0; b < bins_; ++b) last[b] = static_cast<std::int64_t>((b + 1) * (job.sweeps / bins_));
    axes_.push_back({"bin", last, "sweeps", "last sweep of the bin"});
    datasets_.push_back({"measurements",
                         {"bin"},
                         std::vector<std::int64_t>(bins_, static_cast<std::int64_t>(per_bin_)),
                         "1",
                         "measurements in the bin"});
    first_sum_ = datasets_.size();
    const std::vector<std::pair<std::string, std::string>> sums = {
        {"bond_sum", "sum of B = sum over bonds of s s = -H"},
        {"bond_sum_2", "sum of B^2"},
        {"magnetization", "sum of M = sum of s"},
        {"abs_magnetization", "sum of |M|"},
        {"magnetization_2", "sum of M^2"},
        {"magnetization_4", "sum of M^4"},
        {"magnetization_k2",
         "sum of 1024 x squared modulus of the Fourier component of s at 2 pi / L, summed over axes"}};
    for (const auto& [name, description] : sums) {
      const std::size_t size = job.beta.size() * bins_ * samples_;
      datasets_.push_back({name, {"temperature", "bin", "sample"}, std::vector<double>(size, 0.0), "1", description});
    }
  }

  void record(std::size_t temperature, std::size_t index, const Observation& o) override {
    const std::size_t row = (temperature * bins_ + index / per_bin_) * samples_;
    double* sum[7];
    for (std::size_t k = 0; k < 7; ++k)
      sum[k] = std::get<std::vector<double>>(datasets_[first_sum_ + k].values).data() + row;
    for (std::size_t s = 0; s < samples_; ++s) {
      const auto B = static_cast<double>(o.bond_sum[s]), M = static_cast<double>(o.magnetization[s]);
      const double M2 = M * M;
      sum[0][s] += B;
      sum[1][s] += B * B;
      sum[2][s] += M;
      sum[3][s] += std::abs(M);
      sum[4][s] += M2;
      sum[5][s] += M2 * M2;
      sum[6][s] += static_cast<double>(o.magnetization_k2[s]);
    }
  }

 private:
  std::size_t samples_, bins_, per_bin_, first_sum_;
};

}  // namespace

Recorder::Recorder(const Job& job) {
  axes_.push_back({"temperature", job.T, "J/k_B", "temperature T"});
  axes_.push_back({"sample", count_from(job.system.first_sample, job.system.samples), "1", "global sample id"});
  datasets_.push_back({"beta", {"temperature"}, job.beta, "k_B/J", "inverse temperature of the simulation"});
}

void Recorder::restore(const io::LabelledFile& checkpoint) {
  for (io::Dataset& d : datasets_) d.values = checkpoint.dataset(d.name).values;
}

std::unique_ptr<Recorder> make_recorder(const Job& job) {
  if (job.system.preset().method == Method::relaxation) return std::make_unique<TimeRecorder>(job);
  return std::make_unique<BinRecorder>(job);
}

}  // namespace psflip
