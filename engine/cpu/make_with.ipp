// Definitions of make_with and its like for one word type; included once per word type.
#pragma once
#include "engine/cpu/make_with.hpp"
#include "engine/cpu/part_engine.hpp"
#include "engine/cpu/part_tempering.hpp"
#include "engine/cpu/sample_packed.hpp"
#include "engine/cpu/site_packed.hpp"
#include "engine/cpu/whole_engine.hpp"
#include "engine/cpu/whole_tempering.hpp"

namespace psflip::cpu {

template <class W>
std::unique_ptr<Engine> make_with(const System& system, int threads) {
  if (system.packing == Packing::sites) return std::make_unique<WholeEngine<SitePacked<W>>>(system, threads);
  if (system.dimension() == 3) return std::make_unique<WholeEngine<SamplePacked<W, 3>>>(system, threads);
  return std::make_unique<WholeEngine<SamplePacked<W, 2>>>(system, threads);
}

template <class W>
std::unique_ptr<DomainEngine> make_domain_with(const System& system, const Planes& planes, int threads) {
  if (system.packing == Packing::sites) return std::make_unique<PartEngine<SitePacked<W>>>(system, planes, threads);
  if (system.dimension() == 3) return std::make_unique<PartEngine<SamplePacked<W, 3>>>(system, planes, threads);
  return std::make_unique<PartEngine<SamplePacked<W, 2>>>(system, planes, threads);
}

template <class W>
std::unique_ptr<TemperingEngine> make_tempering_with(const TemperingSystem& system, int threads) {
  return std::make_unique<WholeTempering<W>>(system, threads);
}

template <class W>
std::unique_ptr<TemperingPart> make_tempering_part_with(const TemperingSystem& system, const Slots& own, int threads) {
  return std::make_unique<PartTempering<W>>(system, own, threads);
}

}  // namespace psflip::cpu
