#include <gtest/gtest.h>

#include <algorithm>

#include "engine/driver/simulation.hpp"
#include "tests/equality/jobs.hpp"
#include "tests/oracle/oracle.hpp"

// A simulation whose engine does several intervals at once, as those of small lattices on a GPU, gives the same file.
namespace psflip::equality {
namespace {

/// The oracle, which keeps the readings of up to three intervals. Its rounds take no time, so a chunk has no limit.
class ThreeAtOnce : public oracle::Oracle {
 public:
  ThreeAtOnce(const System& system, std::uint64_t& most) : Oracle(system), most_(most) {}

  std::uint64_t intervals_at_once() const override { return 3; }
  EndedRounds advance_during(const Intervals& intervals, const std::function<void()>& host_work, bool reads) override {
    EXPECT_LE(intervals.count, 3U);
    EXPECT_TRUE(reads || intervals.count == 1);
    most_ = std::max(most_, intervals.count);
    host_work();
    readings_.clear();
    for (std::uint64_t k = 0; k < intervals.count; ++k) {
      advance(intervals.rounds);
      readings_.push_back({observe(), {}});
    }
    return {intervals.all_rounds(), 1e-9};
  }
  const Reading& reading(std::uint64_t interval) override { return readings_.at(interval); }

 private:
  std::uint64_t& most_;
  std::vector<Reading> readings_;
};

Job random_field(Method method) {
  Job job;
  job.method = method;
  job.system.model = Model::rfim2d;
  job.system.L = 6;
  job.system.samples = 33;
  job.system.replicas = 2;
  job.system.h = 1;
  job.system.seed = 9;
  job.T = {2.0, 2.6};
  for (const double t : job.T) job.beta.push_back(1 / t);
  job.sweeps = 90;
  job.save_spins = true;
  return job;
}

std::vector<Job> jobs() {
  Job equal = random_field(Method::equilibrium), logarithmic = random_field(Method::relaxation), saved = equal;
  for (Job* job : {&equal, &saved}) {
    job->measure_interval = 3;
    job->bins = 5;
  }
  saved.spins_after = {3, 12, 15, 90};
  return {equal, saved, logarithmic};
}

io::LabelledFile file_in(Simulation& simulation) {
  simulation.run([] { return false; }, [] {});
  return simulation.measurement();
}

TEST(Intervals, done_at_once_give_the_same_file_as_one_by_one) {
  for (const Job& job : jobs()) {
    validate(job);
    std::uint64_t most = 0;
    Simulation several(job, [&](const System& system) { return std::make_unique<ThreeAtOnce>(system, most); });
    Simulation one_by_one(job, [](const System& system) { return std::make_unique<oracle::Oracle>(system); });
    EXPECT_TRUE(same_data(file_in(several), file_in(one_by_one)));
    EXPECT_EQ(most, 3U);
  }
}

TEST(Intervals, done_at_once_are_continued_one_by_one_from_every_checkpoint) {
  std::uint64_t most = 0;
  const MakeEngine one = [](const System&system) { return std::make_unique<oracle::Oracle>(system); },
                   three = [&](const System&system) { return std::make_unique<ThreeAtOnce>(system, most); };
  for (const Job& job : jobs()) {
    Simulation uninterrupted(job, one);
    const io::LabelledFile whole = file_in(uninterrupted);
    for (int chunks = 1; chunks < 12; ++chunks) {
      Simulation first(job, three), second(job, one);
      int done = 0;
      first.run([&] { return ++done == chunks; }, [] {});
      second.resume(first.checkpoint());
      EXPECT_TRUE(same_data(file_in(second), whole)) << "after " << chunks << " chunks";
    }
  }
}

}  // namespace
}  // namespace psflip::equality
