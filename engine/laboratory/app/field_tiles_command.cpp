#include <fmt/format.h>
#include <fmt/ranges.h>
#include <omp.h>

#include <cmath>
#include <memory>

#include "engine/cpu/cpu.hpp"
#include "engine/io/error.hpp"
#include "engine/laboratory/app/commands.hpp"
#include "engine/laboratory/app/gpu.hpp"
#include "engine/laboratory/app/report.hpp"
#include "engine/laboratory/field_tiles/timing.hpp"
#include "engine/laboratory/multi_hit/thread_numbers.hpp"
#ifdef PSFLIP_WITH_CUDA
#include "engine/laboratory/device/tiles/field_boxes.hpp"
#endif

namespace psflip::laboratory {

namespace {

constexpr int most_threads = 1024, most_slots = 256, most_bytes_of_thread = 32;

struct Options {
  std::vector<int> L = {8, 16, 32}, hits = {1, 100};
  std::string tile = "32x8x8", generator = "lcg64", device = "cpu", output;
  std::vector<double> T = {2.8, 4.7};
  double seconds = 0.3;
  int slots = 24, interval = 10, threads = 0;

  bool on_gpu() const { return device == "cuda"; }
};

/// "32x8x8"
IntTriple parsed_tile(const std::string& text) {
  IntTriple side{};
  char rest = 0;
  if (std::sscanf(text.c_str(), "%4dx%4dx%4d%c", &side.x, &side.y, &side.z, &rest) != 3)
    throw UserError(fmt::format("--tile {}: a box of sites has three sides, give them as in 32x8x8.", text));
  return side;
}

#ifdef PSFLIP_WITH_CUDA
void check_box_on_gpu(const Options& options, int L) {
  const IntTriple side = cut_to(L, parsed_tile(options.tile));
  const int most = device::most_threads_of_block();
  if (side.x * side.y * side.z / 2 > most)
    throw UserError(
        fmt::format("--tile {}: a block has a thread for two sites and at most {} threads, give smaller "
                    "sides with --device cuda.",
                    options.tile, most));
}
#else
void check_box_on_gpu(const Options& /*options*/, int /*L*/) {}
#endif

void check_device(const Options& options) {
  require_known("--device", {options.device}, {"cpu", "cuda"});
  if (!options.on_gpu()) return;
  require_known("--generator", {options.generator}, {"lcg64", "philox"});
  require_gpu("--device cuda");
  for (const int L : options.L) check_box_on_gpu(options, L);
}

void check_sizes(const Options& options) {
  const double words =
      options.on_gpu() ? 0 : 2.0 * options.slots * options.threads * cpu::supported_word_bits().back() / 8;
  const double tiles = options.slots * (2 + most_bytes_of_thread / 2.0);
  for (const int L : options.L) {
    require_size(L, 3, words + tiles);
    const IntTriple side = cut_to(L, parsed_tile(options.tile));
    if (!is_tiled_by(L, side))
      throw UserError(
          fmt::format("--tile {}: a side is even and divides L = {} an even number of times or is at least L, give "
                      "such a --tile.",
                      options.tile, L));
    if (side.x * side.y * side.z < 4)
      throw UserError(fmt::format("--tile {}: a box has at least 4 sites, give larger sides.", options.tile));
  }
}

void check(const Options& options) {
  require_known("--generator", {options.generator}, thread_generators());
  if (options.T.size() != 2 || !(options.T[0] > 0 && options.T[0] < options.T[1] && options.T[1] < 1e6))
    throw UserError(fmt::format("--T {}: two positive temperatures are needed, the coldest first, as in 2.8,4.7.",
                                fmt::join(options.T, ",")));
  if (options.slots < 2 || options.slots > most_slots)
    throw UserError(
        fmt::format("--slots {}: exchanges need two slots at least, give 2 to {}.", options.slots, most_slots));
  if (options.interval < 2 || options.interval > 10000)
    throw UserError(
        fmt::format("--interval {}: the time of an exchange is told apart from two or more sweeps, give 2 to 10000.",
                    options.interval));
  for (const int hits : options.hits)
    if (hits < 1 || hits > 10000)
      throw UserError(fmt::format("--hits {}: a tile is tried at least once, give 1 to 10000.", hits));
  if (options.threads < 1 || options.threads > most_threads)
    throw UserError(fmt::format("--threads {}: give 1 to {}.", options.threads, most_threads));
  if (!(options.seconds > 0)) throw UserError("--seconds: give a positive time.");
  check_sizes(options);
  check_device(options);
}

System tempered(int L, const Options& options) {
  std::vector<double> betas;
  for (int slot = 0; slot < options.slots; ++slot)
    betas.push_back(1 / (options.T[0] + (options.T[1] - options.T[0]) * slot / (options.slots - 1)));
  return field_system(L, betas);
}

class FieldRuns {
 public:
  FieldRuns(const Options& options, Report& report) : options_(options), report_(report) {}

  /// One thread, then all.
  void add(int L) {
    plan_.side = cut_to(L, parsed_tile(options_.tile));
    plan_.generator = options_.generator;
    system_ = tempered(L, options_);
    if (options_.on_gpu()) return add_on_gpu();
    add_by(1);
    if (options_.threads > 1) add_by(options_.threads);
  }
  nlohmann::json steps() { return std::move(steps_); }

 private:
  void add_by(int threads) {
    const System one = of_middle_slot();
    const std::string plain = threads == 1 ? scalar_variant : "scalar_threads";
    add_row(plain, "minstd", threads, scalar_field_seconds(one, threads, options_.seconds), 1, {});
    for (const int hits : options_.hits) {
      plan_.hits = hits;
      const nlohmann::json keys = {{"hits", hits}, {"tile", tile_name()}};
      add_row("tiles", options_.generator, threads, tiles_field_seconds(one, plan_, threads, options_.seconds), hits,
              keys);
    }
    const PackedTimes alone = packed_field_times(one, 1, threads, options_.seconds);
    add_row("psflip", "philox", threads, alone.sweep, static_cast<double>(alone.samples),
            {{"realizations", alone.samples}, {"word_bits", alone.word_bits}});
    add_steps(plain, threads);
  }

#ifdef PSFLIP_WITH_CUDA
  /// Next to the scalar update of a thread of the host. The time of psflip is that of psflip bench --backend cuda.
  void add_on_gpu() {
    const System one = of_middle_slot();
    add_row(scalar_variant, "minstd", 1, scalar_field_seconds(one, 1, options_.seconds), 1, {});
    for (const int hits : options_.hits) {
      plan_.hits = hits;
      add_row("tiles", options_.generator, 0, device::boxes_field_seconds(one, plan_, options_.seconds), hits,
              {{"hits", hits}, {"tile", tile_name()}});
    }
    add_step(scalar_variant, 1, 1, scalar_step_seconds(system_, options_.interval, 1, options_.seconds), {});
    add_step("tiles", 0, 1, device::boxes_step_seconds(system_, plan_, options_.interval, options_.seconds),
             {{"tile", tile_name()}});
  }
#else
  void add_on_gpu() {}  // check_device() has refused
#endif

  System of_middle_slot() const {
    System one = system_;
    one.betas = {system_.betas[system_.slots() / 2]};
    return one;
  }

  void add_steps(const std::string& plain, int threads) {
    const int interval = options_.interval;
    add_step(plain, threads, 1, scalar_step_seconds(system_, interval, threads, options_.seconds), {});
    add_step("tiles", threads, 1, tiles_step_seconds(system_, plan_, interval, threads, options_.seconds),
             {{"tile", tile_name()}});
    const PackedTimes packed = packed_field_times(system_, interval, threads, options_.seconds);
    add_step("psflip", threads, static_cast<double>(packed.samples), packed.step,
             {{"word_bits", packed.word_bits},
              {"seconds_of_sweep", packed.sweep},
              {"seconds_of_exchange", packed.exchange},
              {"seconds_of_moves", packed.move}});
  }

  void add_row(const std::string& variant, const std::string& generator, int threads, double seconds,
               double sweeps_of_realizations, nlohmann::json keys) {
    Row row{std::string(model_name(system_.model)),
            variant,
            "plain",
            generator,
            system_.L,
            seconds,
            static_cast<double>(system_.sites()) * sweeps_of_realizations};
    if (!keys.is_null()) row.more = std::move(keys);
    row.more.update(processor(threads));
    if (!row.more.contains("realizations")) row.more["realizations"] = 1;
    report_.add(row);
  }

  void add_step(const std::string& variant, int threads, double realizations, double seconds,
                const nlohmann::json& keys) {
    fmt::print("{:10} {:14} L {:3} {:2} slots, {} thread(s): {:.3e} s a step of one realization\n",
               model_name(system_.model), variant, system_.L, system_.slots(), threads, seconds / realizations);
    std::fflush(stdout);
    nlohmann::json one = {{"variant", variant},           {"L", system_.L},
                          {"slots", system_.slots()},     {"interval", options_.interval},
                          {"realizations", realizations}, {"seconds_per_step", seconds / realizations}};
    one.update(processor(threads));
    if (!keys.is_null()) one.update(keys);
    steps_.push_back(std::move(one));
  }
  /// Threads of the CPU; 0: a GPU.
  static nlohmann::json processor(int threads) {
    if (threads == 0) return {{"device", "cuda"}};
    return {{"device", "cpu"}, {"threads", threads}};
  }
  std::string tile_name() const { return fmt::format("{}x{}x{}", plan_.side.x, plan_.side.y, plan_.side.z); }

  const Options& options_;
  Report& report_;
  FieldTilePlan plan_;
  System system_;
  nlohmann::json steps_ = nlohmann::json::array();
};

void run(const CLI::App& command, Options options) {
  if (options.threads == 0) options.threads = omp_get_num_procs();
  check(options);
  Report report(command, options.output);
  FieldRuns runs(options, report);
  for (const int L : options.L) runs.add(L);
  report.set("steps", runs.steps());
  report.write();
}

}  // namespace

void add_field_tiles(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "field_tiles", "random fields h = J: double checkerboard, packed samples and scalar update; flips and tempering");
  command->add_option("--L", options->L, "linear sizes, comma separated")->delimiter(',')->capture_default_str();
  command->add_option("--tile", options->tile, "sides of a box, those above L become L")->capture_default_str();
  command->add_option("--hits", options->hits, "updates of a box in a row, comma separated")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--generator", options->generator, "of the boxes")->capture_default_str();
  command->add_option("--T", options->T, "coldest and hottest temperature slot, comma separated")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--slots", options->slots, "temperature slots at equal distances")->capture_default_str();
  command->add_option("--interval", options->interval, "sweeps of a step")->capture_default_str();
  command->add_option("--threads", options->threads, "of the rows with several threads; 0: all cores")
      ->capture_default_str();
  command->add_option("--seconds", options->seconds, "least time of each timing")->capture_default_str();
  command->add_option("--device", options->device, "cpu or cuda")->capture_default_str();
  add_output(*command, options->output);
  command->callback([command, options] { run(*command, *options); });
}

}  // namespace psflip::laboratory
