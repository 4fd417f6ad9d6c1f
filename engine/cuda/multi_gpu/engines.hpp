#pragma once
#include <memory>

#include "engine/driver/domain_engine.hpp"
#include "engine/driver/tempering_part.hpp"

/// Engines of one rank: some planes of a System, one engine for each packing, or some temperature slots.
namespace psflip::cuda {

std::unique_ptr<DomainEngine> make_sample_slab(const System& system, const Planes& planes);
std::unique_ptr<DomainEngine> make_site_slab(const System& system, const Planes& planes);
std::unique_ptr<TemperingPart> make_rank_tempering(const TemperingSystem& system, const Slots& own);

}  // namespace psflip::cuda
