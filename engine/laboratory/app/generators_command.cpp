#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "engine/io/error.hpp"
#include "engine/laboratory/app/commands.hpp"
#include "engine/laboratory/app/gpu.hpp"
#include "engine/laboratory/app/report.hpp"
#include "engine/laboratory/generators/timing.hpp"
#ifdef PSFLIP_WITH_CUDA
#include "engine/laboratory/device/generators.hpp"
#endif

namespace psflip::laboratory {

namespace {

constexpr double numbers_of_table_1 = 536870912;  ///< 2^29

struct Options {
  std::vector<std::string> generators;
  std::string device = "cpu", output;
  std::size_t count = 1 << 24;
  double seconds = 0.3;
};

nlohmann::json describe(const GeneratorTime& time, const std::string& device) {
  nlohmann::json row = {{"generator", time.generator},
                        {"library", time.library},
                        {"device", device},
                        {"numbers_filled", time.numbers_filled},
                        {"seconds_init", time.seconds_init},
                        {"seconds_fill", time.seconds_fill},
                        {"seconds_fill_2_29", time.seconds_fill * numbers_of_table_1 / time.numbers_filled}};
  if (time.numbers_per_second > 0)
    row.update({{"state_bytes", time.state_bytes},
                {"threads", time.threads},
                {"numbers_per_second", time.numbers_per_second}});
  return row;
}

std::vector<GeneratorTime> times_of(const Options& options) {
#ifdef PSFLIP_WITH_CUDA
  if (options.device == "cuda") return device::time_generators(options.generators, options.count, options.seconds);
#endif
  return time_on_cpu(options.generators, options.count, options.seconds);
}

void run(const CLI::App& command, Options options) {
  require_known("--generator", options.generators, generator_names());
  require_known("--device", {options.device}, {"cpu", "cuda"});
  const bool on_gpu = options.device == "cuda";
  if (on_gpu) require_gpu("--device cuda");
  for (const std::string& name : gpu_generators()) {
    if (std::find(options.generators.begin(), options.generators.end(), name) == options.generators.end()) continue;
    require_gpu("--generator " + name);
    if (!on_gpu) throw UserError(fmt::format("--generator {}: runs on a GPU only, give --device cuda.", name));
  }
  if (options.count < 1) throw UserError("--count 0: at least one number is timed, give a larger --count.");
  if (options.generators.empty()) {
    options.generators = generator_names();
    if (!on_gpu) options.generators.resize(options.generators.size() - gpu_generators().size());
  }
  Report report(command, options.output);
  nlohmann::json table = nlohmann::json::array();
  for (const GeneratorTime& time : times_of(options)) {
    table.push_back(describe(time, options.device));
    fmt::print("{:22} {:7} {:8.3f} s for 2^29 floats", time.generator, time.library,
               table.back()["seconds_fill_2_29"].get<double>());
    if (time.numbers_per_second > 0)
      fmt::print(", {:.3e} numbers/s\n", time.numbers_per_second);
    else
      fmt::print(", no numbers in a kernel\n");
  }
  report.set("generators", std::move(table));
  report.write();
}

}  // namespace

void add_generators(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("generators", "time the generators of random numbers, one state a thread");
  command->add_option("--generator", options->generators, "names, comma separated; default all of the device")
      ->delimiter(',');
  command->add_option("--device", options->device, "cpu (one thread) or cuda")->capture_default_str();
  command->add_option("--count", options->count, "numbers that fill an array; 536870912 in the paper")
      ->capture_default_str();
  command->add_option("--seconds", options->seconds, "least time of each timing")->capture_default_str();
  add_output(*command, options->output);
  command->callback([command, options] { run(*command, *options); });
}

}  // namespace psflip::laboratory
