// Times half sweeps of one square lattice of packed sites on one GPU: all rows, and the rows of one of several ranks
// without messages. So the loss of the kernels on several GPUs can be told from that of the messages.
//   time_rows [L]
#include <algorithm>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

#include "engine/cuda/device/streams.hpp"
#include "engine/cuda/lattice/sites.hpp"

using namespace psflip;

namespace {

constexpr int largest = 65536, usual = 32768;

System lattice(int L) {
  System system;
  system.model = Model::ising2d;
  system.L = L;
  system.betas = {1 / 2.2691853};
  system.samples = 1;
  system.packing = Packing::sites;
  system.round.half_sweeps = 2;
  return system;
}

/// Seconds of a half sweep of one rank: the shortest of three times that many half sweeps took together. The ghosts of
/// some rows are never received, so their spins become wrong, which takes no other time.
double seconds_of_half_sweep(const System& system, std::uint32_t ranks) {
  Share share = full_share(system);
  share.planes.count = share.fewest_planes = share.planes.count / ranks;
  const auto lattices = cuda::make_sites(system, share);
  const std::uint32_t ghosts = lattices->memory().ghosts, together = ghosts == 0 ? 256 : ghosts;
  std::uint64_t done = 0;
  const auto go = [&](std::uint64_t half_sweeps) {
    for (const std::uint64_t end = done + half_sweeps; done < end; done += together)
      if (ghosts == 0)
        lattices->start_rounds(done / 2, together / 2);
      else
        lattices->update_rows(done, together, 0, nullptr);
  };
  go(1024);  // until the clock rate no longer changes
  double shortest = 0;
  for (int run = 0; run < 3; ++run) {
    const cuda::TimedEvent begin, end;
    const std::uint64_t before = done;
    begin.record();
    go(4096);
    end.record();
    const double seconds = end.seconds_since(begin) / static_cast<double>(done - before);
    shortest = run == 0 ? seconds : std::min(shortest, seconds);
  }
  return shortest;
}

void time(int L) {
  const System system = lattice(L);
  const double all = seconds_of_half_sweep(system, 1);
  for (const std::uint32_t ranks : {1u, 2u, 4u, 8u}) {
    const double seconds = ranks == 1 ? all : seconds_of_half_sweep(system, ranks);
    const double flips = 0.5 * static_cast<double>(system.sites()) / ranks;
    std::printf("%u^2, rows of one of %u ranks: %.2f us for a half sweep, %.4f ps/flip, efficiency %.3f\n",
                static_cast<unsigned>(L), ranks, 1e6 * seconds, 1e12 * seconds / flips, all / (ranks * seconds));
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    std::size_t read = 0;
    const int L = argc > 1 ? std::stoi(argv[1], &read) : usual;
    if (argc > 2 || (argc > 1 && argv[1][read] != '\0') || L % 512 != 0 || L < 512 || L > largest)
      throw std::exception();
    time(L);
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "time_rows: %s\n", error.what());
    return 2;
  } catch (const std::exception&) {
    std::fprintf(stderr, "time_rows: give one L, a multiple of 512 from 512 to %d, or none for %d.\n", largest, usual);
    return 2;
  }
}
