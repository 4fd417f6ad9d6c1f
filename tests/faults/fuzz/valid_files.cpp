#include "valid_files.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "analysis/ensemble/reduced_file.hpp"
#include "analysis/models/read_ensembles.hpp"
#include "analysis/models/reduce.hpp"
#include "analysis/models/table.hpp"
#include "engine/cpu/cpu.hpp"
#include "engine/driver/disorder/disorder.hpp"
#include "engine/driver/simulation.hpp"
#include "engine/io/fnv1a.hpp"
#include "engine/io/hdf5.hpp"

namespace psflip::fuzz {
namespace {

using Path = std::filesystem::path;

Job job_of(Model model, Method method, std::vector<double> T) {
  Job job;
  job.method = method;
  job.system.model = model;
  job.system.L = 4;
  job.system.samples = 64;
  job.system.replicas = 2;
  job.system.seed = 3;
  const Preset& preset = preset_of(model);
  if (preset.has_random_bonds()) job.system.couplings = Couplings::bimodal;
  if (preset.has_random_field()) job.system.h = 1;
  job.T = std::move(T);
  for (const double t : job.T) job.beta.push_back(1 / t);
  job.sweeps = 64;
  return job;
}

Job relaxation() { return job_of(Model::ea3d, Method::relaxation, {1.1, 1.5}); }

Job equilibrium() {
  Job job = job_of(Model::rfim2d, Method::equilibrium, {2.0});
  job.measure_interval = 4;
  job.bins = 4;
  return job;
}

Job tempering() {
  Job job = job_of(Model::ea3d, Method::tempering, {1.0, 1.3, 1.7});
  job.exchange_interval = 2;
  job.bins = 3;
  job.extended = {1, 2, true};
  return job;
}

std::unique_ptr<Engine> engine(const System& system) { return cpu::make_engine(system, 1, 64); }

/// Values as they lie in memory, under their names.
std::string digest(const io::LabelledFile& file) {
  std::string text;
  for (const io::Dataset& dataset : file.datasets) {
    io::Fnv1a hash;
    std::visit([&](const auto& all) { hash.add(all.data(), all.size() * sizeof all[0]); }, dataset.values);
    text += fmt::format("{} {:x}\n", dataset.name, hash.value());
  }
  return text;
}

io::LabelledFile measured(const Job& job) {
  validate(job);
  Simulation simulation(job, engine);
  simulation.run([] { return false; }, [] {});
  return simulation.measurement();
}

io::LabelledFile stopped(const Job& job) {
  Simulation simulation(job, engine);
  int steps = 0;
  simulation.run([&] { return ++steps == 3; }, [] {});
  return simulation.checkpoint();
}

std::string continued(const Job& job, const Path& path) {
  Simulation simulation(job, engine);
  simulation.resume(io::read(path, "checkpoint"));
  simulation.run([] { return false; }, [] {});
  return digest(simulation.measurement());
}

std::string table_of(const std::vector<analysis::Ensemble>& ensembles) {
  std::string text;
  for (const analysis::Ensemble& ensemble : ensembles)
    for (const analysis::Row& row : analysis::table(ensemble))
      text += fmt::format("{} {} {} {}\n", row.temperature, row.observable, row.estimate.value, row.estimate.error);
  return text;
}

/// psflip-analysis combine.
std::string tabulated(const Path& reduced) { return table_of(analysis::read_ensembles({reduced})); }

/// psflip-analysis reduce, and combine without a file in between.
std::string analysed(const Path& measurement) {
  return table_of(analysis::reduce(io::read(measurement, "measurement"), std::nullopt, true));
}

io::LabelledFile reduced(io::LabelledFile measurement, const Path& folder) {
  const Path path = folder / "measurement.h5";
  io::write(path, measurement);
  return analysis::to_file(analysis::reduce(io::read(path, "measurement"), std::nullopt, true));
}

std::string disorder_of(const Path& path) {
  System system = relaxation().system;
  const DisorderFile file(path);
  file.take_all_samples(system);
  return file.read(system).hash;
}

io::LabelledFile own_samples() {
  io::LabelledFile file;
  Job job = relaxation();
  job.save_disorder = true;
  const io::LabelledFile saved = measured(job);
  for (const char* axis : {"sample", "direction", "z", "y", "x"}) file.axes.push_back(saved.axis(axis));
  file.datasets = {saved.dataset("couplings")};
  return file;
}

}  // namespace

io::Bytes ValidFile::image() const {
  if (!is_sealed) return io::hdf5::to_image(content, {});
  io::Attributes attributes = content.attributes;
  attributes.insert({{"format", std::string("psflip")}, {"format_version", std::int64_t{1}}});
  attributes.erase("complete");
  return io::hdf5::to_image(content, attributes, {.storage = storage});
}

std::vector<ValidFile> valid_files(const Path& folder) {
  std::vector<ValidFile> files;
  for (const auto& [name, job] : {std::pair{"relaxation", relaxation()}, std::pair{"equilibrium", equilibrium()},
                                  std::pair{"tempering", tempering()}}) {
    const io::LabelledFile measurement = measured(job);
    const auto resume = [job = job](const Path& path) { return continued(job, path); };
    files.push_back({fmt::format("measurement of {}", name), measurement, true, analysed, io::Storage::compressed});
    files.push_back({fmt::format("reduced file of {}", name), reduced(measurement, folder), true, tabulated,
                     io::Storage::compressed});
    files.push_back({fmt::format("checkpoint of {}", name), stopped(job), true, resume, io::Storage::plain});
  }
  files.push_back({"file of --disorder", own_samples(), false, disorder_of, io::Storage::compressed});
  return files;
}

}  // namespace psflip::fuzz
