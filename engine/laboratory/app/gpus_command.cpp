#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>

#include "engine/io/error.hpp"
#include "engine/laboratory/app/commands.hpp"
#include "engine/laboratory/app/gpu.hpp"
#include "engine/laboratory/app/report.hpp"
#include "engine/laboratory/ising2d/slab.hpp"
#include "engine/laboratory/ising2d/variant.hpp"
#ifdef PSFLIP_WITH_CUDA
#include "engine/laboratory/device/slabs/gpus.hpp"
#include "engine/laboratory/device/square.hpp"
#endif

namespace psflip::laboratory {

namespace {

constexpr int most_gpus = 64;
const std::vector<std::string> memories = {"peer", "managed"}, scalings = {"strong", "weak"};

struct Options {
  std::vector<std::string> variants = variant_names(), memory = memories, scaling = scalings;
  std::vector<int> gpus;
  int L = 32768;
  double beta = 0.4406867935097715;  // log(1 + sqrt 2) / 2, the critical point
  double seconds = 0.3;
  bool shared = false;
  std::string output;
};

/// Throws UserError for a number of GPUs that cannot share the rows of a variant equally.
void require_cut(const Options& options, int gpus) {
  if (gpus < 1 || gpus > most_gpus)
    throw UserError(fmt::format("--gpus {}: give numbers of GPUs from 1 to {}.", gpus, most_gpus));
  for (const std::string& variant : options.variants) {
    const int columns = size_unit(variant), rows = rows_unit(variant) * gpus;
    if (options.L % columns != 0 || options.L % rows != 0)
      throw UserError(
          fmt::format("--L {}: slabs of the variant {} on {} GPUs need a multiple of {} and of {}, give such an --L.",
                      options.L, variant, gpus, columns, rows));
  }
}

/// What needs no GPU.
void check(const Options& options) {
  require_known("--variant", options.variants, variant_names());
  require_known("--memory", options.memory, memories);
  require_known("--scaling", options.scaling, scalings);
  if (!(options.beta > 0 && options.beta < 1e6)) throw UserError("--beta: give a positive inverse temperature.");
  require_seconds(options.seconds);
  require_size(options.L, 2, 0);
  require_cut(options, 1);
  for (const int gpus : options.gpus) require_cut(options, gpus);
}

#ifdef PSFLIP_WITH_CUDA
constexpr int scalar_L = 4096;  ///< of the scalar update that all rows are compared with
constexpr std::uint32_t seed = 1;
constexpr double gib = 1 << 30;
constexpr double largest_managed = 8 * gib;  ///< of a lattice
constexpr double managed_share = 0.25;       ///< of the free memory of a GPU; the driver moves pages of full GPUs
constexpr double peer_share = 0.9;

/// One timing: a lattice of L columns in a slab for each of `gpus` GPUs.
struct Case {
  std::string variant, memory, scaling;
  int gpus, L, rows;

  double sites() const { return static_cast<double>(L) * rows; }
};

/// strong: a square, whatever the number of GPUs; weak: a square for each, one below the other. One GPU once.
std::vector<Case> cases_of(const Options& options, const std::string& variant, const std::string& memory) {
  std::vector<Case> found;
  for (const std::string& scaling : options.scaling)
    for (const int gpus : options.gpus)
      if (gpus > 1 || scaling == options.scaling[0])
        found.push_back({variant, memory, scaling, gpus, options.L, scaling == "weak" ? options.L * gpus : options.L});
  return found;
}

/// The GPUs of `count` slabs in turn, each once unless they are shared.
std::vector<int> devices_of(int count) {
  std::vector<int> devices;
  for (int i = 0; i < count; ++i) devices.push_back(i % device::gpu_count());
  return devices;
}

/// 1, 2, 4, ... up to the GPUs of this machine.
std::vector<int> all_gpus() {
  std::vector<int> gpus;
  for (int count = 1; count <= device::gpu_count(); count *= 2) gpus.push_back(count);
  return gpus;
}

void require_memory(const Case& one, int gpu, int slabs) {
  const device::OnDevice on(gpu);
  const bool is_managed = one.memory == "managed";
  const double lattice = device::shared_bytes_per_spin(one.variant) * one.sites();
  if (is_managed && lattice > largest_managed)
    throw UserError(
        fmt::format("--L {}: {} on {} GPUs ({}) is a lattice of {:.1f} GiB and managed memory is limited "
                    "to {:.0f}, give a smaller --L or --memory peer.",
                    one.L, one.variant, one.gpus, one.scaling, lattice / gib, largest_managed / gib));
  const double bytes = device::square_bytes_per_spin(one.variant) * one.sites() / one.gpus * slabs;
  const double most = (is_managed ? managed_share : peer_share) * device::free_memory();
  if (bytes > most)
    throw UserError(
        fmt::format("--L {}: {} on {} GPUs ({}) needs {:.1f} GiB of GPU {} and {:.1f} GiB may be used with {} memory, "
                    "give a smaller --L.",
                    one.L, one.variant, one.gpus, one.scaling, bytes / gib, gpu, most / gib, one.memory));
}

void check_gpus(const Options& options) {
  const int present = device::gpu_count();
  for (const int gpus : options.gpus)
    if (gpus > present && !options.shared)
      throw UserError(
          fmt::format("--gpus {}: this machine has {}, give at most {}, or --shared to put several slabs on a GPU.",
                      gpus, present, present));
  if (std::find(options.memory.begin(), options.memory.end(), "peer") != options.memory.end())
    device::open_memory_of_neighbours(devices_of(options.gpus.back()));
  for (const std::string& variant : options.variants)
    for (const std::string& memory : options.memory)
      for (const Case& one : cases_of(options, variant, memory))
        for (int gpu = 0; gpu < std::min(one.gpus, present); ++gpu)
          require_memory(one, gpu, (one.gpus + present - 1) / present);
}

/// basic takes floats of cuRAND, as in the paper. All start ordered: the time does not depend on the spins.
double seconds_of_case(const Case& one, const Options& options) {
  const device::SlabPlan plan{
      devices_of(one.gpus), one.memory == "managed" ? device::SlabMemory::managed : device::SlabMemory::peer, one.rows};
  const IsingSquare square{one.L, options.beta, {}};
  const auto lattice = one.variant == "basic"
                           ? device::make_basic_of_floats(square, seed, plan)
                           : device::make_square(one.variant, square, sequence_numbers(seed, one.L), plan);
  return device::seconds_per_sweep(*lattice, one.sites(), options.seconds);
}

Row row_of(const Case& one, double seconds, std::optional<double> ps_of_one_gpu) {
  Row row{"ising2d", one.variant, one.memory, one.variant == "basic" ? "curand_philox" : "philox_sequence",
          one.L,     seconds,     one.sites()};
  row.more = {{"device", "cuda"},
              {"gpus", one.gpus},
              {"devices", devices_of(one.gpus)},
              {"memory", one.memory},
              {"scaling", one.scaling},
              {"rows", one.rows},
              {"bytes", device::square_bytes_per_spin(one.variant) * one.sites()},
              {"flips_per_ns", 1e3 / row.ps_per_flip()}};
  if (ps_of_one_gpu) row.more["efficiency"] = *ps_of_one_gpu / (one.gpus * row.ps_per_flip());
  return row;
}

void time_all(const Options& options, Report& report) {
  for (const std::string& variant : options.variants)
    for (const std::string& memory : options.memory) {
      std::optional<double> ps_of_one_gpu;
      for (const Case& one : cases_of(options, variant, memory)) {
        const double seconds = seconds_of_case(one, options);
        if (one.gpus == 1) ps_of_one_gpu = 1e12 * seconds / one.sites();
        const Row row = row_of(one, seconds, ps_of_one_gpu);
        report.add(row);
        fmt::print("{:>25} {} GPUs, {} memory: {:.1f} flips/ns, efficiency {:.3f}\n", one.scaling, one.gpus, one.memory,
                   row.more["flips_per_ns"].get<double>(), row.more.value("efficiency", NAN));
      }
    }
}

void time_on_gpus(const CLI::App& command, Options options) {
  if (options.gpus.empty()) options.gpus = all_gpus();
  std::sort(options.gpus.begin(), options.gpus.end());  // efficiencies need the time on one GPU
  for (const int gpus : options.gpus) require_cut(options, gpus);
  check_gpus(options);
  Report report(command, options.output);
  report.add(reference_row(preset_of(Model::ising2d), scalar_L, options.beta, options.seconds));
  time_all(options, report);
  report.set("gpus_of_machine", device::gpu_count());
  report.write();
}
#else
void time_on_gpus(const CLI::App& /*command*/, const Options& /*options*/) {}
#endif

void run(const CLI::App& command, const Options& options) {
  check(options);
  require_gpu("gpus");  // refused in a build without CUDA
  time_on_gpus(command, options);
}

}  // namespace

void add_gpus(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("gpus", "time the variants of the 2D Ising model in slabs on several GPUs");
  command->add_option("--variant", options->variants, "basic, tensor, four_bit")->delimiter(',')->capture_default_str();
  command->add_option("--gpus", options->gpus, "numbers of GPUs, comma separated; default 1, 2, 4, ... up to all")
      ->delimiter(',');
  command
      ->add_option("--memory", options->memory,
                   "peer: a slab is in the memory of its GPU and its neighbours read it there; managed: one lattice in "
                   "managed memory with advice")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--scaling", options->scaling, "strong: one lattice L x L; weak: L x L for each GPU")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--L", options->L, "columns of the lattice")->capture_default_str();
  command->add_option("--beta", options->beta, "inverse temperature")->capture_default_str();
  command->add_flag("--shared", options->shared, "more slabs than GPUs, which share them");
  command->add_option("--seconds", options->seconds, "least time of each timing")->capture_default_str();
  add_output(*command, options->output);
  command->callback([command, options] { run(*command, *options); });
}

}  // namespace psflip::laboratory
