#include "engine/laboratory/app/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "engine/bench/identity.hpp"
#include "engine/core/version.hpp"
#include "engine/driver/memory/available_memory.hpp"
#include "engine/io/error.hpp"
#include "engine/io/labelled_file.hpp"
#include "engine/laboratory/app/gpu.hpp"

namespace psflip::laboratory {

namespace {

/// The command with the options that were given, to be typed again.
std::string line_of(const CLI::App& command) {
  std::string line = "psflip-lab " + command.get_name();
  for (const CLI::Option* option : command.get_options())
    if (option->count() > 0 && option->get_items_expected_max() == 0)
      line += fmt::format(" {}", option->get_name());  // a flag
    else if (option->count() > 0)
      line += fmt::format(" {} {}", option->get_name(), fmt::join(option->results(), ","));
  return line;
}

}  // namespace

Report::Report(const CLI::App& command, std::filesystem::path output)
    : command_(line_of(command)), output_(std::move(output)) {
  if (output_.empty()) throw UserError("--output: the name is empty, give the file to write.");
  try {
    io::require_writable(output_);
  } catch (const UserError& error) {
    throw UserError(fmt::format("--output: {}", error.what()));
  }
}

void Report::add(const Row& row) {
  fmt::print("{:10} {:14} {:12} {:16} L {:5}: {:12.4f} ps/flip\n", row.system, row.variant, row.layout, row.generator,
             row.L, row.ps_per_flip());
  std::fflush(stdout);
  rows_.push_back(row);
}

const Row& Report::reference_of(const Row& row) const {
  const Row* best = nullptr;
  for (const Row& other : rows_) {
    if (other.system != row.system || other.variant != scalar_variant) continue;
    if (best == nullptr || std::abs(other.L - row.L) < std::abs(best->L - row.L)) best = &other;
  }
  if (best == nullptr) throw std::logic_error("a table without the scalar reference of " + row.system);
  return *best;
}

void Report::write() const {
  nlohmann::json table = nlohmann::json::array();
  for (const Row& row : rows_) {
    nlohmann::json one = {{"system", row.system},
                          {"variant", row.variant},
                          {"layout", row.layout},
                          {"generator", row.generator},
                          {"L", row.L},
                          {"ps_per_flip", row.ps_per_flip()},
                          {"seconds", row.seconds},
                          {"flips", row.flips},
                          {"speedup", reference_of(row).ps_per_flip() / row.ps_per_flip()}};
    one.update(row.more);
    table.push_back(std::move(one));
  }
  const std::string gpu = gpu_name(), driver = gpu_driver();
  nlohmann::json all = {{"command", command_},
                        {"code_version", code_version},
                        {"git_commit", git_commit()},
                        {"compiler", compiler()},
                        {"architecture", architecture()},
                        {"created", utc_now()},
                        {"machine", processor()},
                        {"cores", omp_get_num_procs()},
                        {"gpu", gpu.empty() ? nlohmann::json() : nlohmann::json(gpu)},
                        {"driver", driver.empty() ? nlohmann::json() : nlohmann::json(driver)},
                        {"table", std::move(table)}};
  all.update(others_);
  io::write_text(output_, all.dump(1) + "\n");
}

void add_output(CLI::App& command, std::string& output) {
  command.add_option("--output", output, "JSON file to write")->required();
}

void require_size(int L, int dimension, double bytes_per_site) {
  if (L < 4 || L % 2 != 0)
    throw UserError(fmt::format("--L {}: a lattice has even sides of at least 4 sites, give such an --L.", L));
  constexpr double gib = 1 << 30;
  const double bytes = std::pow(L, dimension) * bytes_per_site, available = available_memory();
  if (bytes > available)
    throw UserError(fmt::format("--L {}: needs {:.1f} GiB and {:.1f} GiB of memory are available, give a smaller --L.",
                                L, bytes / gib, available / gib));
}

void require_seconds(double seconds) {
  if (!(seconds > 0 && seconds <= 3600))
    throw UserError(fmt::format("--seconds {}: a timing has a least time, give one above 0 up to 3600.", seconds));
}

void require_known(const std::string& option, const std::vector<std::string>& given,
                   const std::vector<std::string>& known) {
  for (const std::string& name : given) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw UserError(fmt::format("{} {}: no such name, give one of {}.", option, name, fmt::join(known, ", ")));
  }
}

}  // namespace psflip::laboratory
