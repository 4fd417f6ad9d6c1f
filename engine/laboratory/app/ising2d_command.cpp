#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "engine/cpu/cpu.hpp"
#include "engine/io/error.hpp"
#include "engine/laboratory/app/commands.hpp"
#include "engine/laboratory/app/gpu.hpp"
#include "engine/laboratory/app/psflip_engine.hpp"
#include "engine/laboratory/app/report.hpp"
#include "engine/laboratory/ising2d/variant.hpp"
#include "engine/laboratory/reference/timing.hpp"
#ifdef PSFLIP_WITH_CUDA
#include "engine/cuda/cuda.hpp"
#include "engine/laboratory/device/square.hpp"
#endif

namespace psflip::laboratory {

namespace {

constexpr const char *psflip_samples = "psflip_samples", *psflip_sites = "psflip_sites";
constexpr int largest_scalar_L = 4096;  ///< a larger lattice is compared with the scalar update of this size
constexpr std::uint32_t seed = 1;

struct Options {
  std::vector<std::string> variants;
  std::vector<int> L = {128, 512, 2048};
  double beta = 0.4406867935097715;  // log(1 + sqrt 2) / 2, the critical point
  double seconds = 0.3;
  std::string device = "cpu", output;
  bool largest = false;

  bool on_gpu() const { return device == "cuda"; }
};

/// The variants of psflip and how their lattices lie in memory.
bool is_psflip(const std::string& variant) { return variant == psflip_samples || variant == psflip_sites; }

const char* layout_of(const std::string& variant) {
  if (variant == "basic") return "bytes";
  if (variant == "tensor") return "blocks";
  if (variant == "four_bit") return "four bits";
  return variant == psflip_samples ? "samples" : "sites";
}

std::vector<std::string> known_variants() {
  std::vector<std::string> names = variant_names();
  names.insert(names.end(), {psflip_samples, psflip_sites});
  return names;
}

std::vector<std::string> chosen_variants(const Options& options) {
  if (!options.variants.empty()) return options.variants;
  return known_variants();
}

/// psflip's engine: as many lattices as its widest word has bits, or the sites of one lattice in words.
System psflip_system(const std::string& variant, int L, double beta) {
  System system;
  system.model = Model::ising2d;
  system.L = L;
  system.betas = {beta};
  system.packing = variant == psflip_sites ? Packing::sites : Packing::samples;
  system.samples = variant == psflip_sites ? 1 : static_cast<std::uint64_t>(cpu::supported_word_bits().back());
  system.seed = seed;
  system.round.half_sweeps = 2;
  return system;
}

int unit_of(const std::string& variant) {
  if (variant == psflip_samples) return 2;
  return variant == psflip_sites ? 64 : size_unit(variant);
}

/// Bytes for a spin of the arrays that grow with the lattice: psflip has a bit, and queues of a thread besides.
double bytes_per_spin_of(const std::string& variant) { return is_psflip(variant) ? 0.125 : bytes_per_spin(variant); }

/// Bytes of all arrays.
double bytes_of(const std::string& variant, int L) {
  if (!is_psflip(variant)) return bytes_per_spin(variant) * std::pow(L, 2);
  const System system = psflip_system(variant, L, 1);
  return cpu::bytes_of_engine(system, full_share(system), 1, cpu::supported_word_bits().back());
}

/// Bytes for a site while the timing runs; the lattices of the laboratory start from an array of one byte a spin.
double bytes_per_site_of(const std::string& variant, int L) {
  return bytes_of(variant, L) / std::pow(L, 2) + (is_psflip(variant) ? 0 : 1);
}

bool allows(const std::string& variant, int L) {
  return L % unit_of(variant) == 0 && (!is_psflip(variant) || L <= psflip_system(variant, L, 1).largest_L());
}

/// Throws UserError for a size that a named variant does not have.
void require_allowed(const std::string& variant, int L) {
  if (allows(variant, L)) return;
  if (L % unit_of(variant) != 0)
    throw UserError(fmt::format("--L {}: sizes of the variant {} are multiples of {}, try {} or another --variant.", L,
                                variant, unit_of(variant), (L / unit_of(variant) + 1) * unit_of(variant)));
  throw UserError(fmt::format("--L {}: the variant {} has sizes up to {}, give such an --L or another --variant.", L,
                              variant, psflip_system(variant, L, 1).largest_L()));
}

#ifdef PSFLIP_WITH_CUDA
constexpr double gpu_share = 0.97;  ///< of the free memory; the rest is for the states of cuRAND and the context

constexpr std::uint64_t lattices_on_gpu = 32;  ///< of psflip with samples packed

System psflip_system_of_gpu(const std::string& variant, int L, double beta) {
  System system = psflip_system(variant, L, beta);
  system.samples = variant == psflip_sites ? 1 : lattices_on_gpu;
  return system;
}

double bytes_on_gpu(const std::string& variant, int L) {
  if (!is_psflip(variant)) return device::square_bytes_per_spin(variant) * std::pow(L, 2);
  const System system = psflip_system_of_gpu(variant, L, 1);
  return cuda::bytes_of_engine(system, full_share(system)).device;
}

void require_gpu_memory(const std::string& variant, int L) {
  constexpr double gib = 1 << 30;
  const double bytes = bytes_on_gpu(variant, L), free = device::free_memory();
  if (bytes > gpu_share * free)
    throw UserError(fmt::format("--L {}: {} needs {:.1f} GiB and {:.1f} GiB of the GPU are free, give a smaller --L.",
                                L, variant, bytes / gib, free / gib));
}

int largest_of(const std::string& variant) {
  const double L = std::sqrt(gpu_share * device::free_memory() / device::square_bytes_per_spin(variant));
  return static_cast<int>(L) / size_unit(variant) * size_unit(variant);
}
#else
void require_gpu_memory(const std::string& /*variant*/, int /*L*/) {}
#endif

void check_device(const Options& options) {
  require_known("--device", {options.device}, {"cpu", "cuda"});
  if (options.largest && !options.on_gpu())
    throw UserError("--largest: fills the memory of a GPU only, give --device cuda or leave it out.");
  if (options.on_gpu()) require_gpu("--device cuda");
}

void check(const Options& options) {
  require_known("--variant", options.variants, known_variants());
  check_device(options);
  if (!(options.beta > 0 && options.beta < 1e6)) throw UserError("--beta: give a positive inverse temperature.");
  for (const int L : options.L) {
    require_size(L, 2, options.on_gpu() ? 0 : 1);
    for (const std::string& variant : options.variants) require_allowed(variant, L);
    for (const std::string& variant : chosen_variants(options)) {
      if (!allows(variant, L)) continue;
      if (options.on_gpu())
        require_gpu_memory(variant, L);
      else
        require_size(L, 2, bytes_per_site_of(variant, L));
    }
  }
}

/// A timing of one sweep of `lattices` lattices by one thread.
Row row_of(const std::string& variant, const std::string& generator, int L, double lattices, double seconds) {
  Row row{"ising2d", variant, layout_of(variant), generator, L, seconds, lattices * L * L};
  row.more = {{"device", "cpu"},
              {"threads", 1},
              {"lattices", lattices},
              {"bytes_per_spin", bytes_per_spin_of(variant)},
              {"bytes", bytes_of(variant, L)},
              {"flips_per_ns", 1e3 / row.ps_per_flip()}};
  return row;
}

Row psflip_row(const std::string& variant, int L, const Options& options) {
  const System system = psflip_system(variant, L, options.beta);
  const double seconds = seconds_of_psflip_sweep(system, "cpu", options.seconds);
  return row_of(variant, "philox", L, static_cast<double>(system.samples), seconds);
}

#ifdef PSFLIP_WITH_CUDA
Row psflip_row_of_gpu(const std::string& variant, int L, const Options& options) {
  const System system = psflip_system_of_gpu(variant, L, options.beta);
  const double seconds = seconds_of_psflip_sweep(system, "cuda", options.seconds);
  Row row = row_of(variant, "philox", L, static_cast<double>(system.samples), seconds);
  row.more.update({{"device", "cuda"}, {"bytes", bytes_on_gpu(variant, L)}});
  row.more.erase("threads");
  return row;
}

/// basic takes floats of cuRAND, as in the paper. All start ordered: the time does not depend on the spins.
Row gpu_row(const std::string& variant, int L, const Options& options) {
  const IsingSquare square{L, options.beta, {}};
  const auto lattice = variant == "basic" ? device::make_basic_of_floats(square, seed)
                                          : device::make_square(variant, square, sequence_numbers(seed, L));
  const double seconds = device::seconds_per_sweep(*lattice, std::pow(L, 2), options.seconds);
  Row row = row_of(variant, variant == "basic" ? "curand_philox" : "philox_sequence", L, 1, seconds);
  row.more.update(
      {{"device", "cuda"}, {"bytes_per_spin", device::square_bytes_per_spin(variant)}, {"bytes", lattice->bytes()}});
  row.more.erase("threads");
  return row;
}
#endif

Row timed(const std::string& variant, int L, const Options& options) {
#ifdef PSFLIP_WITH_CUDA
  if (options.on_gpu())
    return is_psflip(variant) ? psflip_row_of_gpu(variant, L, options) : gpu_row(variant, L, options);
#endif
  if (is_psflip(variant)) return psflip_row(variant, L, options);
  const auto lattice = make_variant(variant, {L, options.beta, random_square(L, seed)}, sequence_numbers(seed, L));
  return row_of(variant, "philox_sequence", L, 1, seconds_of([&] { lattice->advance(2); }, options.seconds));
}

Row scalar_row(int L, const Options& options) {
  Row row = reference_row(preset_of(Model::ising2d), L, options.beta, options.seconds);
  row.more.update(
      {{"lattices", 1}, {"bytes_per_spin", 1}, {"bytes", row.flips}, {"flips_per_ns", 1e3 / row.ps_per_flip()}});
  return row;
}

void run(const CLI::App& command, const Options& options) {
  check(options);
  Report report(command, options.output);
  std::vector<int> references;
  for (const int L : options.L) {
    const int of_reference = std::min(L, largest_scalar_L);
    if (std::find(references.begin(), references.end(), of_reference) == references.end()) {
      references.push_back(of_reference);
      report.add(scalar_row(of_reference, options));
    }
    for (const std::string& variant : chosen_variants(options))
      if (allows(variant, L)) report.add(timed(variant, L, options));
  }
#ifdef PSFLIP_WITH_CUDA
  if (options.largest)
    for (const std::string& variant : chosen_variants(options))
      if (!is_psflip(variant)) report.add(timed(variant, largest_of(variant), options));
#endif
  report.write();
}

}  // namespace

void add_ising2d(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("ising2d", "time the variants of the 2D Ising model next to psflip");
  command
      ->add_option("--variant", options->variants,
                   "basic, tensor, four_bit, psflip_samples, psflip_sites; default each that allows L")
      ->delimiter(',');
  command->add_option("--L", options->L, "linear sizes, comma separated")->delimiter(',')->capture_default_str();
  command->add_option("--beta", options->beta, "inverse temperature")->capture_default_str();
  command->add_option("--device", options->device, "cpu (one thread) or cuda")->capture_default_str();
  command->add_flag("--largest", options->largest,
                    "also the largest lattice of each variant of the paper that fits the GPU");
  command->add_option("--seconds", options->seconds, "least time of each timing")->capture_default_str();
  add_output(*command, options->output);
  command->callback([command, options] { run(*command, *options); });
}

}  // namespace psflip::laboratory
