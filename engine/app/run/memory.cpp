#include "engine/app/run/memory.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/driver/memory/available_memory.hpp"
#include "engine/io/error.hpp"

namespace psflip::app {

namespace {

constexpr double gib = 1 << 30;

std::string in_gib(double bytes) {
  const double value = bytes / gib;
  return fmt::format("{:.{}f} GiB", value, value < 0.1 ? 4 : value < 10 ? 2 : value < 100 ? 1 : 0);
}

std::uint64_t whole(double bytes) { return static_cast<std::uint64_t>(std::min(std::round(bytes), 0x1p63)); }

double available_to(const Execution& execution) {
  return execution.max_memory ? *execution.max_memory * gib : available_memory();
}

JobBytes bytes_of(const Job& job, const Backend& backend, const Execution& execution) {
  const Ranks& ranks = *execution.ranks;
  return bytes_of_job(job, execution.checkpoint.has_value(), backend.count_engine, ranks.rank(), ranks.count());
}

/// Needed and available memory of every rank, known to all of them.
class Comparison {
 public:
  Comparison(const Ranks& ranks, double needed, double available)
      : needed_(of_ranks(ranks, needed)), available_(of_ranks(ranks, available)) {}

  /// Throws UserError about the first rank that has too little. `limit` says what sets the limit.
  void require(const std::string& where, const std::string& limit, const std::string& remedy) const {
    for (std::size_t rank = 0; rank < needed_.size(); ++rank)
      if (needed_[rank] > available_[rank])
        throw UserError(fmt::format("the job needs {} of memory{} and {} {}; use {}.", in_gib(needed_[rank]), where,
                                    in_gib(available_[rank]), limit, remedy));
  }

 private:
  /// Whole KiB: ranks add up integers. More than 2^62 KiB or an unknown number is as good as 2^62 KiB.
  static std::vector<double> of_ranks(const Ranks& ranks, double bytes) {
    constexpr double kib = 1 << 10, most = 0x1p62;
    std::vector<std::int64_t> all(static_cast<std::size_t>(ranks.count()), 0);
    all[static_cast<std::size_t>(ranks.rank())] = static_cast<std::int64_t>(std::min(bytes / kib, most));
    ranks.add_up(all);
    std::vector<double> of_all;
    for (const std::int64_t value : all) of_all.push_back(kib * static_cast<double>(value));
    return of_all;
  }

  std::vector<double> needed_, available_;
};

}  // namespace

void print_memory(const Job& job, const Backend& backend, const Execution& execution) {
  const JobBytes bytes = bytes_of(job, backend, execution);
  const double available = available_to(execution);
  nlohmann::ordered_json all = {{"bytes", whole(bytes.host)},
                                {"ranks", execution.ranks->count()},
                                {"available_bytes", nullptr},
                                {"backend", backend.name},
                                {"gpu_bytes", nullptr}};
  if (std::isfinite(available)) all["available_bytes"] = whole(available);
  if (bytes.device > 0) all["gpu_bytes"] = whole(bytes.device);
  fmt::print("{}\n", all.dump());
}

void require_memory(const Job& job, const Backend& backend, const Execution& execution) {
  const Ranks& ranks = *execution.ranks;
  const JobBytes bytes = bytes_of(job, backend, execution);
  const bool alone = ranks.count() == 1;
  Comparison(ranks, ranks.sum_on_machine(bytes.host), available_to(execution))
      .require(alone ? "" : " for its ranks on one machine",
               execution.max_memory ? fmt::format("are allowed by --max-memory {}", *execution.max_memory)
                                    : std::string("are available"),
               "fewer --samples per job, a smaller --L or ranks on more machines");
  Comparison(ranks, bytes.device, backend.available_to_device())
      .require(" on the GPU", "are available",
               "fewer --samples per job, a smaller --L, more ranks with a GPU each, or --backend cpu");
}

}  // namespace psflip::app
