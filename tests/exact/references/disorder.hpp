#pragma once
#include <cstdint>
#include <vector>

#include "engine/driver/engine.hpp"

namespace psflip::exact {

/// Disorder of one sample: couplings [direction][site] and fields [site]. A model without random bonds has couplings
/// +1, one without random fields has fields +1 (uniform) or 0 (none).
struct Disorder {
  std::vector<std::int8_t> couplings, fields;
};

/// That of the samples of an engine.
inline std::vector<Disorder> disorder_of(const System& system, const Engine& engine) {
  const std::size_t sites = system.sites(), bonds = sites * static_cast<std::size_t>(system.dimension());
  const auto row = [](const std::vector<std::int8_t>& all, std::size_t sample, std::size_t length, int otherwise) {
    if (all.empty()) return std::vector<std::int8_t>(length, static_cast<std::int8_t>(otherwise));
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(sample * length);
    return std::vector<std::int8_t>(first, first + static_cast<std::ptrdiff_t>(length));
  };
  const auto couplings = engine.couplings(), fields = engine.fields();
  std::vector<Disorder> all;
  for (std::size_t sample = 0; sample < system.samples; ++sample)
    all.push_back({row(couplings, sample, bonds, 1), row(fields, sample, sites, system.preset().has_field() ? 1 : 0)});
  return all;
}

}  // namespace psflip::exact
