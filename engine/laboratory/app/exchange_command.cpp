#include <fmt/format.h>

#include <memory>
#include <optional>
#include <stdexcept>

#include "engine/cpu/cpu.hpp"
#include "engine/io/error.hpp"
#include "engine/laboratory/app/commands.hpp"
#include "engine/laboratory/app/gpu.hpp"
#include "engine/laboratory/app/report.hpp"
#include "engine/laboratory/exchange/equal_bits.hpp"
#include "engine/laboratory/exchange/timing.hpp"
#ifdef PSFLIP_WITH_CUDA
#include "engine/laboratory/device/slabs/exchange.hpp"
#endif

namespace psflip::laboratory {

namespace {

struct Options {
  std::vector<int> L;
  std::uint32_t packs = static_cast<std::uint32_t>(cpu::supported_word_bits().back()) / 32, seed = 1;
  double beta = 1, seconds = 0.1;
  std::string device = "cpu", output;

  bool on_gpus() const { return device == "cuda"; }
};

constexpr std::uint32_t checked_half_sweeps = 5;
constexpr std::uint32_t most_packs = 65535;

void check(const Options& options, const Ranks& ranks) {
#ifndef PSFLIP_WITH_MPI
  throw UserError("exchange: needs several ranks and this build has no MPI, build with -DPSFLIP_MPI=ON.");
#endif
  if (ranks.count() < 2)
    throw UserError("exchange: one process sends no messages, use mpirun -n 2 psflip-lab exchange ...");
  require_known("--device", {options.device}, {"cpu", "cuda"});
  if (!(options.beta > 0 && options.beta < 1e6))
    throw UserError(fmt::format("--beta {}: give a positive inverse temperature.", options.beta));
  if (options.packs < 1 || options.packs > most_packs)
    throw UserError(fmt::format("--packs {}: give 1 to {} packs of 32 samples.", options.packs, most_packs));
  if (!(options.seconds > 0 && options.seconds <= 600))
    throw UserError(fmt::format("--seconds {}: give a time of at most 600 s.", options.seconds));
  for (const int L : options.L) {
    // Rank 0 holds three full lattices of words and one of psflip's bits; the parts of all ranks are two more. On GPUs
    // it holds the bits of one pack, three times.
    require_size(L, 3, options.on_gpus() ? 3 * 16 : 6 * 28 * static_cast<double>(options.packs));
    require_equal_shares(L, ranks);
  }
  if (options.on_gpus()) require_gpu("--device cuda");
}

Row row_of(const System& system, const char* variant, const char* layout, const ExchangeTime& time, int ranks) {
  Row row{"ea3d", variant, layout, AddressedNumbers::name, system.L, 2 * time.seconds};
  row.flips = static_cast<double>(system.samples * system.sites()) * system.replicas;
  row.more = {{"ranks", ranks},
              {"L_over_ranks", static_cast<double>(system.L) / ranks},
              {"packs", system.samples / 32},
              {"replicas", system.replicas},
              {"device", "cpu"},
              {"threads", 1},
              {"messages_of_half_sweep", time.messages},
              {"bytes_of_half_sweep", time.bytes},
              {"seconds_of_half_sweep", time.seconds},
              {"seconds_of_messages", time.seconds_of_messages}};
  if (time.seconds_without_neighbours > 0) row.more["seconds_without_neighbours"] = time.seconds_without_neighbours;
  return row;
}

void add(Report& report, Row row, const std::vector<std::string>& equal) {
  row.more["equal_bits"] = equal;
  report.add(row);
  fmt::print("{:>25} {} messages, {} bytes, {:.2f} us alone, half sweep {:.2f} us",
             "a half sweep of a rank:", row.more["messages_of_half_sweep"].get<double>(),
             row.more["bytes_of_half_sweep"].get<double>(), 1e6 * row.more["seconds_of_messages"].get<double>(),
             1e6 * row.more["seconds_of_half_sweep"].get<double>());
  if (row.more.contains("seconds_without_neighbours"))
    fmt::print(", without neighbours {:.2f} us", 1e6 * row.more["seconds_without_neighbours"].get<double>());
  fmt::print("\n");
}

Row scalar_row(const System& system, double seconds) {
  return reference_row(preset_of(Model::ea3d), system.L, system.betas[0], seconds);
}

/// Adds the rows of one lattice at rank 0; all ranks work.
void compare(Report* report, const System& system, Ranks& ranks, double seconds) {
  const std::vector<std::string> equal = programs_with_equal_bits(system, ranks, checked_half_sweeps);
  if (report != nullptr) {
    if (equal.size() != 3) throw std::logic_error("the exchange in one direction gives other spins");
    report->add(scalar_row(system, seconds));
  }
  const ExchangeTime one_way = time_one_way(system, ranks, seconds);
  ExchangeTime two_way = time_two_way(system, ranks, cpu_slabs(0), seconds);
  const auto bytes = static_cast<std::size_t>(two_way.bytes / two_way.messages);
  two_way.seconds_of_messages = two_way.messages / 2 * seconds_of_two_way_messages(ranks, bytes, seconds);
  if (report == nullptr) return;
  add(*report, row_of(system, "one_way", Sliced::name, one_way, ranks.count()), equal);
  add(*report, row_of(system, "two_way", "psflip", two_way, ranks.count()), equal);
}

#ifdef PSFLIP_WITH_CUDA
/// The same of psflip's slabs on GPUs; the bits are compared with one pack, which is the first of those that are timed.
void compare_on_gpus(Report* report, const System& system, Ranks& ranks, double seconds) {
  System one_pack = system;
  one_pack.samples = 32;
  if (!device::have_the_spins_of_one_gpu(one_pack, ranks, checked_half_sweeps))
    throw std::logic_error("slabs on several GPUs give other spins than one GPU");
  ExchangeTime time = time_two_way(system, ranks, device::gpu_slabs(), seconds);
  time.messages = 2;  // on their own path; the ranks send notices
  time.bytes = device::bytes_of_planes(system);
  time.seconds_of_messages = device::seconds_of_planes(system, ranks, seconds);
  if (report == nullptr) return;
  report->add(scalar_row(system, seconds));
  Row row = row_of(system, "two_way", "psflip", time, ranks.count());
  row.more["device"] = "cuda";
  row.more.erase("threads");
  add(*report, row, {"one GPU"});
}
#endif

void run(const CLI::App& command, Options options, Ranks& ranks) {
  if (options.L.empty()) options.L = {2 * ranks.count(), 4 * ranks.count(), 8 * ranks.count()};
  check(options, ranks);
#ifdef PSFLIP_WITH_CUDA
  if (options.on_gpus()) device::use_gpu_of_rank(ranks);
  const auto rows_of_lattice = options.on_gpus() ? compare_on_gpus : compare;
#else
  const auto rows_of_lattice = compare;
#endif
  std::optional<Report> report;
  if (ranks.is_first()) report.emplace(command, options.output);
  for (const int L : options.L)
    rows_of_lattice(report ? &*report : nullptr, glass_system(L, options.beta, options.packs, options.seed), ranks,
                    options.seconds);
  if (report) report->write();
}

}  // namespace

void add_exchange(CLI::App& app, Ranks& ranks) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "exchange",
      "compare messages in one direction with those in two, between ranks: mpirun -n N psflip-lab exchange");
  command->add_option("--L", options->L, "multiples of 2 N, comma separated; default 2 N, 4 N and 8 N")->delimiter(',');
  command->add_option("--packs", options->packs, "packs of 32 samples")->capture_default_str();
  command->add_option("--beta", options->beta, "inverse temperature")->capture_default_str();
  command->add_option("--seed", options->seed, "of couplings, initial spins and random numbers")->capture_default_str();
  command
      ->add_option("--device", options->device,
                   "cpu; or cuda: psflip's messages in two directions, a GPU for each rank")
      ->capture_default_str();
  command->add_option("--seconds", options->seconds, "least time of each timing")->capture_default_str();
  add_output(*command, options->output);
  command->callback([command, options, &ranks] { run(*command, *options, ranks); });
}

}  // namespace psflip::laboratory
