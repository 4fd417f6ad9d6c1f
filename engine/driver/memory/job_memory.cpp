#include "engine/driver/memory/job_memory.hpp"

#include <algorithm>
#include <cmath>

#include "engine/driver/decomposed.hpp"
#include "engine/driver/recorder.hpp"

namespace psflip {

namespace {

/// Of the program, its libraries and small arrays, before a job allocates anything.
constexpr double bytes_of_program = 24 << 20;

/// A file is in the memory of HDF5 and a second time as bytes to write. While it grows, it is copied.
constexpr double copies_of_file = 3;
/// Bytes in a file of a sign, which has one byte in memory.
constexpr double compressed_sign = 0.2;
/// The same of a byte of a measurement. Its values have the more digits, the more sites a lattice has; measured with 64
/// to 16384 sites.
double compressed_value(const System& system) { return 0.03 * std::log2(static_cast<double>(system.sites())); }

/// Rows of signs as PackedSigns.
double bytes_of_signs(double rows, const System& system) {
  const std::uint64_t words = (system.sites() + 31) / 32;
  return rows * static_cast<double>(words * sizeof(std::uint32_t));
}

double bytes_of_sums(const System& system, const Slots& own) {
  Sums sums;
  CountArrays count;
  for_each_array(sums, system, sum_sizes(system, own), count);
  return count.bytes;
}

/// The integers of one moment; of some planes each Fourier component instead of k2.
double bytes_of_observation(const System& system, bool is_full) {
  double numbers = 0;
  for (const IntegerInfo& info : integer_table) {
    if (!system.measures(info.integer)) continue;
    const int components = info.kind == Kind::fourier && !is_full ? 2 * system.dimension() : 1;
    numbers += components * static_cast<double>(system.width(info.integer));
  }
  return sizeof(std::int64_t) * numbers * static_cast<double>(system.samples);
}

/// What an engine hands out for a measurement, with the copies that ranks need to add it up.
double bytes_of_reading(const System& system, const Share& share) {
  const bool is_full =
      share.planes.count == static_cast<std::uint32_t>(system.L) && share.slots.count == system.slots();
  if (system.round.rounds_per_sum == 0) return (is_full ? 1 : 2) * bytes_of_observation(system, is_full);
  const double all = bytes_of_sums(system, {0, system.slots()});
  return is_full ? all : all + 2 * bytes_of_sums(system, share.slots);
}

/// The arrays of signs of a job on its first rank.
struct Signs {
  double slot = 0;      ///< configurations of one slot
  double spins = 0;     ///< of all slots of an engine
  double saved = 0;     ///< final configurations
  double disorder = 0;  ///< couplings and fields that are written

  Signs(const Job& job, const System& system) {
    const auto samples = static_cast<double>(system.samples);
    slot = bytes_of_signs(samples * system.replicas, system);
    spins = slot * static_cast<double>(system.slots());
    if (job.save_spins) saved = slot * static_cast<double>(job.beta.size());
    if (!job.save_disorder) return;
    if (system.preset().has_random_bonds()) disorder += bytes_of_signs(samples * system.dimension(), system);
    if (system.preset().has_random_field()) disorder += bytes_of_signs(samples, system);
  }
};

/// Packs that continue are copied from one engine to the next, slot after slot.
double bytes_of_continued_packs(const Job& job, const Signs& signs) {
  if (job.extended.packs == 0) return 0;
  const double fraction = 32 * static_cast<double>(job.extended.packs) / static_cast<double>(job.system.samples);
  return signs.slot + fraction * signs.spins;
}

}  // namespace

JobBytes bytes_of_job(const Job& job, bool keeps_checkpoints, const CountEngine& count_engine, int rank, int ranks) {
  const System system = first_system(job);
  const Share share = ranks == 1 ? full_share(system) : share_of_rank(system, rank, ranks);
  const EngineBytes engine = count_engine(system, share);
  const Signs signs(job, system);
  const double measurements = make_recorder(job, Arrays::counted)->bytes(), reading = bytes_of_reading(system, share);
  const double stops = sizeof(std::uint64_t) * static_cast<double>(stops_of(job));
  // appending the last slot copies those before it
  const double simulating = engine.host + reading + 2 * signs.saved + signs.disorder;
  const double continuing = engine.host + reading + bytes_of_continued_packs(job, signs);
  const double bytes_per_bit = 8;
  const double writing = (1 + bytes_per_bit * (1 + copies_of_file * compressed_sign)) * (signs.saved + signs.disorder) +
                         copies_of_file * compressed_value(system) * measurements;
  const double state = system.slots() > 1 ? bytes_of_sums(system, {0, system.slots()}) : 0;
  const double checkpoint = measurements + signs.spins + signs.saved + state;
  const double checkpointing =
      keeps_checkpoints ? engine.host + reading + signs.saved + signs.disorder + (1 + copies_of_file) * checkpoint : 0;
  return {bytes_of_program + measurements + stops + std::max({simulating, continuing, writing, checkpointing}),
          engine.device};
}

}  // namespace psflip
