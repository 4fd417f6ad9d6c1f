#include "engine/driver/recorders.hpp"

namespace psflip {

namespace {

/// Relaxation: every moment as it is, at logarithmic times.
class TimeRecorder final : public Recorder {
 public:
  TimeRecorder(const Job& job, Arrays arrays) : Recorder(arrays), system_(job.system) {
    const std::vector<std::uint64_t> times = legs_of(job).front().stops;
    times_ = times.size();
    temperatures_ = job.beta.size();
    axes_ = {temperature_axis(job, "temperature T"), sample_axis(system_)};
    axes_.push_back(
        {"time", std::vector<std::int64_t>(times.begin(), times.end()), "sweeps", "sweeps done at the measurement"});
    axes_.push_back(replica_axis(system_));
    datasets_.push_back(beta_dataset(job, "inverse temperature of the simulation"));
    for (const IntegerInfo& info : integer_table)
      if (info.scope == Scope::replica && system_.measures(info.integer)) add_integer(info, "replica");
    if (!measures_pairs()) return;
    add_pairs(system_, axes_, datasets_);
    for (const IntegerInfo& info : integer_table)
      if (info.scope == Scope::pair && system_.measures(info.integer)) add_integer(info, "pair");
  }

  void record(std::size_t leg, std::size_t stop, const Reading& reading) override {
    for (const auto& [integer, dataset] : recorded_) {
      const std::vector<std::int64_t>& values = reading.moment[integer];
      std::visit(
          [&](auto& all) {
            auto out = all.begin() + static_cast<std::ptrdiff_t>((leg * times_ + stop) * values.size());
            for (const std::int64_t value : values)
              *out++ = static_cast<typename std::decay_t<decltype(all)>::value_type>(value);
          },
          datasets_[dataset].values);
    }
  }

 private:
  bool measures_pairs() const {
    bool any = false;
    for (const IntegerInfo& info : integer_table) any |= info.scope == Scope::pair && system_.measures(info.integer);
    return any && system_.pairs() > 0;
  }

  /// Sums fit in 32 bits on every lattice that is allowed, k2 does not.
  void add_integer(const IntegerInfo& info, const std::string& last_axis) {
    const Shape shape = {temperatures_, times_, system_.samples, system_.width(info.integer)};
    io::Values values =
        info.kind == Kind::sum ? io::Values(zeros<std::int32_t>(shape)) : io::Values(zeros<std::int64_t>(shape));
    const bool is_energy = info.integer == Integer::bond_sum && !system_.has_field();
    recorded_.push_back({info.integer, datasets_.size()});
    datasets_.push_back({std::string(info.name),
                         {"temperature", "time", "sample", last_axis},
                         std::move(values),
                         "1",
                         std::string(info.description) + (is_energy ? "; H = -bond_sum" : "")});
  }

  System system_;
  std::size_t times_ = 0, temperatures_ = 0;
  std::vector<std::pair<Integer, std::size_t>> recorded_;  ///< and the index of its dataset
};

}  // namespace

std::unique_ptr<Recorder> make_time_recorder(const Job& job, Arrays arrays) {
  return std::make_unique<TimeRecorder>(job, arrays);
}

}  // namespace psflip
