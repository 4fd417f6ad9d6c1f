#pragma once
#include <memory>

#include "engine/driver/domain_engine.hpp"
#include "engine/driver/tempering_part.hpp"

namespace psflip::cpu {

/// The engine of a System for one word type. One translation unit per word type instantiates it.
template <class W>
std::unique_ptr<Engine> make_with(const System& system, int threads);

/// The same for some planes of a System.
template <class W>
std::unique_ptr<DomainEngine> make_domain_with(const System& system, const Planes& planes, int threads);

/// The same for a TemperingSystem.
template <class W>
std::unique_ptr<TemperingEngine> make_tempering_with(const TemperingSystem& system, int threads);

/// The same for some slots of a TemperingSystem.
template <class W>
std::unique_ptr<TemperingPart> make_tempering_part_with(const TemperingSystem& system, const Slots& own, int threads);

}  // namespace psflip::cpu
