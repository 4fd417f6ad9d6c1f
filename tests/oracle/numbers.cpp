#include "numbers.hpp"

#include <bit>
#include <cmath>

namespace psflip::oracle {
namespace {

int sign_of_bit(std::uint32_t word, unsigned lane) { return (word >> lane & 1U) != 0 ? -1 : +1; }

}  // namespace

std::uint64_t splitmix64(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
  x = (x ^ x >> 27) * 0x94D049BB133111EB;
  return x ^ x >> 31;
}

std::uint32_t system_tag(const System& system, std::uint64_t temperature) {
  const auto model = static_cast<std::uint64_t>(system.model);
  return static_cast<std::uint32_t>(
      splitmix64(splitmix64(temperature) + (model << 32) + static_cast<std::uint64_t>(system.L)) >> 40);
}

std::uint64_t grid_hash(const System& system) {
  std::uint64_t hash = splitmix64(std::bit_cast<std::uint64_t>(system.J));
  hash = splitmix64(hash ^ std::bit_cast<std::uint64_t>(system.h));
  if (system.p != 0.5) hash = splitmix64(hash ^ std::bit_cast<std::uint64_t>(-system.p));
  for (const double beta : system.betas) hash = splitmix64(hash ^ std::bit_cast<std::uint64_t>(beta));
  return hash;
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

Numbers::Numbers(const System& system) : system_(system), disorder_tag_(system_tag(system, 0)) {
  const bool is_plain = system.slots() == 1 && system.h == 0 && system.p == 0.5 && !system.preset().has_random_field();
  trajectory_tag_ = system_tag(system, is_plain ? std::bit_cast<std::uint64_t>(system.betas[0]) : grid_hash(system));
}

Counter Numbers::words(Stream stream, const Place& place, const Draw& draw) const {
  const bool is_disorder = stream == Stream::couplings || stream == Stream::fields;
  const std::uint32_t tag = is_disorder ? disorder_tag_ : trajectory_tag_;
  return philox4x32_10(counter_of(place, draw), {system_.seed, static_cast<std::uint32_t>(stream) | tag << 8});
}

std::uint32_t Numbers::parity_of(std::uint64_t site) const {
  const auto L = static_cast<std::uint64_t>(system_.L);
  return static_cast<std::uint32_t>((site + site / L + site / (L * L)) % 2);  // L is even
}

int Numbers::coupling(std::uint64_t sample, std::uint64_t site, unsigned direction) const {
  const Place place = place_of(system_, sample, site);
  if (system_.p != 0.5) {
    const std::uint32_t u = independent(Stream::couplings, {sample, direction, 0}, place, parity_of(site));
    return static_cast<double>(u) < std::floor(std::ldexp(system_.p, 32)) ? -1 : +1;
  }
  return sign_of_bit(words(Stream::couplings, place, {parity_of(site), 0, 0, 0})[direction], place.lane);
}

int Numbers::field(std::uint64_t sample, std::uint64_t site) const {
  const Place place = place_of(system_, sample, site);
  return sign_of_bit(words(Stream::fields, place, {parity_of(site), 0, 0, 0})[0], place.lane);
}

int Numbers::initial_spin(const Copy& copy, std::uint64_t site) const {
  if (system_.start == Start::ordered) return +1;
  const Place place = place_of(system_, copy.sample, site);
  const Draw draw = {parity_of(site), copy.replica >> 2, 0, copy.slot};
  return sign_of_bit(words(Stream::initial_spins, place, draw)[copy.replica & 3], place.lane);
}

std::uint32_t Numbers::metropolis(const Copy& copy, std::uint64_t site, std::uint64_t half_sweep) const {
  const Place place = place_of(system_, copy.sample, site);
  const auto time = static_cast<std::uint32_t>(half_sweep);
  if (system_.random == Random::independent) return independent(Stream::metropolis, copy, place, time);
  return words(Stream::metropolis, place, {time, copy.replica >> 2, 0, copy.slot})[copy.replica & 3];
}

/// The upper byte comes bit by bit from eight planes, the rest is the number of the lane alone.
std::uint32_t Numbers::independent(Stream stream, const Copy& copy, const Place& place, std::uint32_t time) const {
  std::uint32_t u = 0;
  for (unsigned draw = 0; draw < 2; ++draw) {
    const Counter planes = words(stream, place, {time, copy.replica, draw, copy.slot});
    for (const std::uint32_t plane : planes) u = u << 1 | (plane >> place.lane & 1U);
  }
  const Counter rest = words(stream, place, {time, copy.replica >> 2, 32 + place.lane, copy.slot});
  return u << 24 | rest[copy.replica & 3] >> 8;
}

std::uint32_t Numbers::exchange(const Copy& copy, std::uint64_t round) const {
  const Place place = {static_cast<std::uint32_t>(copy.sample & 31), copy.sample >> 5, 0};
  const Draw draw = {static_cast<std::uint32_t>(round), copy.replica >> 2, 0, copy.slot};
  return words(Stream::exchange, place, draw)[copy.replica & 3];
}

}  // namespace psflip::oracle
