// Definitions of make_with and make_tempering_with for one word type; included once per word type.
#pragma once
#include "engine/cpu/make_with.hpp"
#include "engine/cpu/sample_packed.hpp"
#include "engine/cpu/site_packed.hpp"
#include "engine/cpu/tempering.hpp"

namespace psflip::cpu {

template <class W>
std::unique_ptr<Engine> make_with(const System& system, int threads) {
  if (system.packing == Packing::sites) return std::make_unique<SitePacked<W>>(system, threads);
  if (system.dimension() == 3) return std::make_unique<SamplePacked<W, 3>>(system, threads);
  return std::make_unique<SamplePacked<W, 2>>(system, threads);
}

template <class W>
std::unique_ptr<TemperingEngine> make_tempering_with(const TemperingSystem& system, int threads) {
  return std::make_unique<Tempering<W>>(system, threads);
}

}  // namespace psflip::cpu
