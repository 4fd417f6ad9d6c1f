#include "jobs.hpp"

#include <algorithm>
#include <stdexcept>

namespace psflip::equality {
namespace {

std::size_t length(const io::Values& values) {
  return std::visit([](const auto& all) { return all.size(); }, values);
}

/// Values of both, with the sample axis of both of them at the same place: `before` rows of samples x `after` values.
io::Values joined(const io::Values& first, const io::Values& second, std::size_t before) {
  return std::visit(
      [&](const auto& a) -> io::Values {
        const auto& b = std::get<std::decay_t<decltype(a)>>(second);
        const auto row_a = static_cast<std::ptrdiff_t>(a.size() / before),
                   row_b = static_cast<std::ptrdiff_t>(b.size() / before);
        std::decay_t<decltype(a)> all;
        for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(before); ++i) {
          all.insert(all.end(), a.begin() + i * row_a, a.begin() + (i + 1) * row_a);
          all.insert(all.end(), b.begin() + i * row_b, b.begin() + (i + 1) * row_b);
        }
        return all;
      },
      first);
}

io::LabelledFile joined(const io::LabelledFile& first, const io::LabelledFile& second) {
  io::LabelledFile all = first;
  for (io::Axis& axis : all.axes) {
    if (axis.name == "sample") axis.values = joined(axis.values, second.axis("sample").values, 1);
  }
  for (io::Dataset& dataset : all.datasets) {
    const auto sample = std::find(dataset.axes.begin(), dataset.axes.end(), "sample");
    if (sample == dataset.axes.end()) continue;
    std::size_t before = 1;
    for (auto axis = dataset.axes.begin(); axis != sample; ++axis) before *= length(first.axis(*axis).values);
    dataset.values = joined(dataset.values, second.dataset(dataset.name).values, before);
  }
  return all;
}

}  // namespace

JobLine JobLine::named(const std::string& other_name) const {
  JobLine changed = *this;
  changed.name = other_name;
  return changed;
}

JobLine JobLine::with(const std::string& option, const std::string& value) const {
  JobLine changed = *this;
  changed.options[option] = value;
  return changed;
}

Arguments JobLine::arguments(const std::filesystem::path& output) const {
  Arguments all = {model, method};
  for (const auto& [option, value] : options) all.insert(all.end(), {option, value});
  all.insert(all.end(), flags.begin(), flags.end());
  all.insert(all.end(), {"--output", output.string()});
  return all;
}

JobLine small_spin_glass() {
  return {"ea3d_shared",
          "ea3d",
          "relaxation",
          {{"--L", "6"},
           {"--T", "1.1,2.5"},
           {"--samples", "29:70"},
           {"--replicas", "3"},
           {"--sweeps", "13"},
           {"--seed", "5"}},
          {"--save-disorder", "--save-spins"}};
}

JobLine small_square() {
  return {"ising2d",
          "ising2d",
          "equilibrium",
          {{"--L", "6"},
           {"--T", "2.2,2.3"},
           {"--samples", "29:70"},
           {"--sweeps", "24"},
           {"--measure-interval", "3"},
           {"--bins", "4"},
           {"--seed", "5"}},
          {"--save-spins"}};
}

JobLine small_random_field() {
  return {"rfim3d",
          "rfim3d",
          "tempering",
          {{"--L", "4"},
           {"--h", "1"},
           {"--T", "3.4,3.8,4.3,5"},
           {"--samples", "29:70"},
           {"--sweeps", "26"},
           {"--exchange-interval", "2"},
           {"--bins", "3"},
           {"--seed", "5"}},
          {"--save-disorder", "--save-spins"}};
}

JobLine small_longer() {
  JobLine job = small_random_field().with("--samples", "32:160").with("--sweeps", "32").with("--longer", "2:4");
  job.flags = {"--save-disorder"};
  return job.named("rfim3d_longer");
}

JobLine small_longer_spin_glass() {
  JobLine job = small_longer();
  job.options.erase("--h");
  job.model = "ea3d";
  return job.with("--T", "0.9,1.1,1.4,1.8").with("--link-overlap-slots", "1,3").named("ea3d_longer");
}

JobLine small_longer_square() {
  JobLine job = small_longer_spin_glass();
  job.options.erase("--link-overlap-slots");
  job.model = "ising2d";
  job.flags = {};
  return job.with("--T", "2.1,2.3,2.5,2.8").named("ising2d_longer");
}

std::vector<JobLine> small_jobs() {
  const JobLine independent = small_spin_glass().with("--random", "independent");
  return {small_spin_glass(),
          small_spin_glass().with("--start", "ordered").named("ea3d_shared_ordered_start"),
          independent.named("ea3d_independent"),
          independent.with("--couplings", "ferromagnet").named("ea3d_ferromagnet"),
          small_square(),
          small_square().with("--start", "ordered").named("ising2d_ordered_start"),
          small_square().with("--L", "64").with("--samples", "29:5").with("--packing", "sites").named("ising2d_sites"),
          small_random_field(),
          small_random_field().with("--h", "0.3").with("--J", "0.7").with("--start", "ordered").named("rfim3d_ordered"),
          small_random_field().with("--sweeps", "28").with("--measure-interval", "4").named("rfim3d_thin"),
          small_random_field().with("--replicas", "3").named("rfim3d_three_sets"),
          small_longer(),
          small_longer_spin_glass()};
}

io::LabelledFile file_of(const JobLine& job, const std::filesystem::path& output) {
  const Outcome outcome = run(job.arguments(output));
  if (outcome.exit_code != 0) throw std::runtime_error("psflip failed: " + outcome.error_text);
  return io::read(output, "measurement");
}

testing::AssertionResult same_data(const io::LabelledFile& found, const io::LabelledFile& expected) {
  if (found.axes.size() != expected.axes.size()) return testing::AssertionFailure() << "the axes differ in number";
  if (found.datasets.size() != expected.datasets.size())
    return testing::AssertionFailure() << "the datasets differ in number";
  for (const io::Axis& axis : expected.axes) {
    if (found.axis(axis.name).values != axis.values)
      return testing::AssertionFailure() << "axis " << axis.name << " differs";
  }
  for (const io::Dataset& dataset : expected.datasets) {
    const io::Dataset& other = found.dataset(dataset.name);
    if (other.axes != dataset.axes) return testing::AssertionFailure() << "the axes of " << dataset.name << " differ";
    if (other.values != dataset.values)
      return testing::AssertionFailure() << "the values of " << dataset.name << " differ";
  }
  return testing::AssertionSuccess();
}

io::LabelledFile joined(const std::vector<io::LabelledFile>& shards) {
  io::LabelledFile all = shards.at(0);
  for (std::size_t i = 1; i < shards.size(); ++i) all = joined(all, shards[i]);
  return all;
}

}  // namespace psflip::equality
