#include <algorithm>
#include <cstdlib>

#include "engine/driver/recorders.hpp"

namespace psflip {

namespace {

using Values = std::vector<std::int64_t>;

/// One dataset of sums: the contribution of a moment to sum number i, in float64 with every product rounded once.
struct BinSum {
  std::string name;
  std::string description;
  Integer integer;  ///< gives the scope, and is there if the integer is measured
  double (*value)(const System& system, const Observation& moment, Integer integer, std::size_t i);
};

double at(const Observation& moment, Integer integer, std::size_t i) { return static_cast<double>(moment[integer][i]); }

double first_power(const System&, const Observation& moment, Integer integer, std::size_t i) {
  return at(moment, integer, i);
}
double modulus(const System&, const Observation& moment, Integer integer, std::size_t i) {
  return std::abs(at(moment, integer, i));
}
double square(const System&, const Observation& moment, Integer integer, std::size_t i) {
  const double x = at(moment, integer, i);
  return x * x;
}
double fourth_power(const System&, const Observation& moment, Integer integer, std::size_t i) {
  const double x = at(moment, integer, i), x_2 = x * x;
  return x_2 * x_2;
}
double times_bond_sum(const System&, const Observation& moment, Integer integer, std::size_t i) {
  return at(moment, Integer::bond_sum, i) * at(moment, integer, i);
}

/// The product of M of the two replicas of pair i, [sample][pair].
double product_of_magnetizations(const System& system, const Observation& moment, Integer, std::size_t i) {
  const auto pairs = static_cast<std::size_t>(system.pairs()), replicas = static_cast<std::size_t>(system.replicas);
  std::size_t pair = i % pairs, a = 0;
  for (; pair >= replicas - 1 - a; ++a) pair -= replicas - 1 - a;
  const std::size_t first = i / pairs * replicas, b = a + 1 + pair;
  return at(moment, Integer::magnetization, first + a) * at(moment, Integer::magnetization, first + b);
}

/// In the order of the file.
std::vector<BinSum> sums_of(const System& system) {
  const bool has_field = system.has_field();
  const std::string energy =
      has_field ? "sum of B = sum over bonds of J s s" : "sum of B = sum over bonds of J s s = -H";
  std::vector<BinSum> all = {{"bond_sum", energy, Integer::bond_sum, first_power},
                             {"bond_sum_2", "sum of B^2", Integer::bond_sum, square}};
  if (system.measures(Integer::field_sum)) {
    all.push_back({"field_sum", "sum of F = sum of h_i s_i; H = -J B - h F", Integer::field_sum, first_power});
    all.push_back({"field_sum_2", "sum of F^2", Integer::field_sum, square});
    all.push_back({"bond_field", "sum of B F", Integer::field_sum, times_bond_sum});
  } else if (has_field) {
    all.push_back({"bond_field", "sum of B F, F = M; H = -J B - h F", Integer::magnetization, times_bond_sum});
  }
  all.push_back({"magnetization", "sum of M = sum of s", Integer::magnetization, first_power});
  all.push_back({"abs_magnetization", "sum of |M|", Integer::magnetization, modulus});
  all.push_back({"magnetization_2", "sum of M^2", Integer::magnetization, square});
  all.push_back({"magnetization_4", "sum of M^4", Integer::magnetization, fourth_power});
  if (system.measures(Integer::magnetization_k2))
    all.push_back({"magnetization_k2", "sum of " + std::string(info_of(Integer::magnetization_k2).description),
                   Integer::magnetization_k2, first_power});
  if (!system.measures(Integer::overlap) || system.pairs() == 0) return all;
  all.push_back({"overlap", "sum of Q = sum of s^a s^b", Integer::overlap, first_power});
  all.push_back({"abs_overlap", "sum of |Q|", Integer::overlap, modulus});
  all.push_back({"overlap_2", "sum of Q^2", Integer::overlap, square});
  all.push_back({"overlap_4", "sum of Q^4", Integer::overlap, fourth_power});
  all.push_back({"overlap_k2", "sum of " + std::string(info_of(Integer::overlap_k2).description), Integer::overlap_k2,
                 first_power});
  if (system.preset().has_random_field())
    all.push_back({"magnetization_product", "sum of the product of M of the two replicas", Integer::overlap,
                   product_of_magnetizations});
  return all;
}

/// Equilibrium: sums over the measurements in equal bins, added in the order of time so that rounding is always the
/// same.
class BinRecorder final : public Recorder {
 public:
  BinRecorder(const Job& job, Arrays arrays)
      : Recorder(arrays), system_(job.system), sums_(sums_of(job.system)), bins_(job.bins) {
    per_bin_ = job.sweeps / job.measure_interval / job.bins;
    auto last = zeros<std::int64_t>({bins_}), measurements = zeros<std::int64_t>({bins_});
    for (std::size_t b = 0; b < last.size(); ++b) last[b] = static_cast<std::int64_t>((b + 1) * (job.sweeps / bins_));
    std::fill(measurements.begin(), measurements.end(), static_cast<std::int64_t>(per_bin_));
    axes_ = {temperature_axis(job, "temperature T"), sample_axis(system_)};
    axes_.push_back({"bin", last, "sweeps", "last sweep of the bin"});
    datasets_.push_back(beta_dataset(job, "inverse temperature of the simulation"));
    datasets_.push_back({"measurements", {"bin"}, std::move(measurements), "1", "measurements in the bin"});
    // without disorder there is one replica, and no axis for it
    const bool has_replicas = system_.preset().has_disorder();
    if (has_replicas) axes_.push_back(replica_axis(system_));
    if (has_replicas && system_.pairs() > 0) add_pairs(system_, axes_, datasets_);
    first_sum_ = datasets_.size();
    for (const BinSum& sum : sums_) {
      std::vector<std::string> axes = {"temperature", "bin", "sample"};
      if (has_replicas) axes.emplace_back(info_of(sum.integer).scope == Scope::pair ? "pair" : "replica");
      datasets_.push_back({sum.name, axes,
                           zeros<double>({job.beta.size(), bins_, system_.samples, system_.width(sum.integer)}), "1",
                           sum.description});
    }
  }

  void record(std::size_t leg, std::size_t stop, const Reading& reading) override {
    for (std::size_t k = 0; k < sums_.size(); ++k) {
      const BinSum& sum = sums_[k];
      const std::size_t row = system_.samples * system_.width(sum.integer);
      double* out = std::get<std::vector<double>>(datasets_[first_sum_ + k].values).data() +
                    (leg * bins_ + stop / per_bin_) * row;
      for (std::size_t i = 0; i < row; ++i) out[i] += sum.value(system_, reading.moment, sum.integer, i);
    }
  }

 private:
  System system_;
  std::vector<BinSum> sums_;
  std::size_t bins_, per_bin_ = 0, first_sum_ = 0;
};

}  // namespace

std::unique_ptr<Recorder> make_bin_recorder(const Job& job, Arrays arrays) {
  return std::make_unique<BinRecorder>(job, arrays);
}

}  // namespace psflip
