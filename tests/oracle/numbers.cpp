#include "numbers.hpp"

#include <bit>

namespace psflip::oracle {
namespace {

Key key_of(const System& system, Stream stream) {
  const bool is_disorder = stream == Stream::couplings || stream == Stream::fields;
  const std::uint32_t tag = system_tag(system, is_disorder ? 0 : std::bit_cast<std::uint64_t>(system.beta));
  return {system.seed, static_cast<std::uint32_t>(stream) | tag << 8};
}

unsigned bit_of(std::uint32_t word, unsigned lane) { return word >> lane & 1U; }

std::uint32_t shared_number(const Key& key, const Place& place, unsigned replica, std::uint32_t half_sweep) {
  return philox4x32_10(counter_of(place, {half_sweep, replica >> 2, 0}), key)[replica & 3];
}

}  // namespace

std::uint64_t splitmix64(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
  x = (x ^ x >> 27) * 0x94D049BB133111EB;
  return x ^ x >> 31;
}

std::uint32_t system_tag(const System& system, std::uint64_t beta_bits) {
  const std::uint64_t model = system.model == Model::ea3d ? 0 : system.model == Model::ising2d ? 1 : 2;
  return static_cast<std::uint32_t>(
      splitmix64(splitmix64(beta_bits) + (model << 32) + static_cast<std::uint64_t>(system.L)) >> 40);
}

Place place_of(const System& system, std::uint64_t sample, std::uint64_t site) {
  if (system.packing == Packing::samples) {
    return {static_cast<std::uint32_t>(site / 2), sample >> 5, static_cast<unsigned>(sample & 31)};
  }
  const auto L = static_cast<std::uint64_t>(system.L);
  const std::uint64_t y = site / L, x = site % L;
  const std::uint64_t rank_in_row = x / 2;  // among the sites of its parity
  return {static_cast<std::uint32_t>(y * (L / 64) + rank_in_row / 32), sample, static_cast<unsigned>(rank_in_row % 32)};
}

Counter counter_of(const Place& place, const Draw& draw) {
  const auto pack_low = static_cast<std::uint32_t>(place.pack);
  const auto pack_high = static_cast<std::uint32_t>(place.pack >> 32 & 0xFF);
  return {place.index, draw.time, pack_low, draw.replica_field | draw.slot << 8 | draw.draw << 16 | pack_high << 24};
}

std::uint32_t independent_number(const Key& key, const Place& place, unsigned replica, std::uint32_t half_sweep,
                                 unsigned slot) {
  std::uint32_t u = 0;
  for (unsigned draw = 0; draw < 2; ++draw) {
    const Counter planes = philox4x32_10(counter_of(place, {half_sweep, replica, draw, slot}), key);
    for (const std::uint32_t plane : planes) u = u << 1 | bit_of(plane, place.lane);
  }
  const Counter rest = philox4x32_10(counter_of(place, {half_sweep, replica >> 2, 32 + place.lane, slot}), key);
  return u << 24 | rest[replica & 3] >> 8;
}

int coupling(const System& system, std::uint64_t sample, std::uint64_t site, int parity, int direction) {
  if (system.couplings == Couplings::ferromagnet) return +1;
  const Place place = place_of(system, sample, site);
  const Counter words =
      philox4x32_10(counter_of(place, {static_cast<std::uint32_t>(parity), 0, 0}), key_of(system, Stream::couplings));
  return bit_of(words[direction], place.lane) ? -1 : +1;
}

int initial_spin(const System& system, std::uint64_t sample, int replica, std::uint64_t site, int parity) {
  if (system.start == Start::ordered) return +1;
  const auto r = static_cast<unsigned>(replica);
  const Place place = place_of(system, sample, site);
  const Counter words = philox4x32_10(counter_of(place, {static_cast<std::uint32_t>(parity), r >> 2, 0}),
                                      key_of(system, Stream::initial_spins));
  return bit_of(words[r & 3], place.lane) ? -1 : +1;
}

std::uint32_t metropolis_number(const System& system, std::uint64_t sample, int replica, std::uint64_t site,
                                std::uint64_t half_sweep) {
  const Key key = key_of(system, Stream::metropolis);
  const Place place = place_of(system, sample, site);
  const auto r = static_cast<unsigned>(replica);
  const auto time = static_cast<std::uint32_t>(half_sweep);
  return system.random == Random::shared ? shared_number(key, place, r, time) : independent_number(key, place, r, time);
}

}  // namespace psflip::oracle
