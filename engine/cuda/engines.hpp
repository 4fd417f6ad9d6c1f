#pragma once
#include <memory>

#include "engine/driver/domain_engine.hpp"

/// What stands behind the door (cuda.hpp): one engine for each way of packing.
namespace psflip::cuda {

std::unique_ptr<Engine> make_sample_packed(const System& system);
std::unique_ptr<Engine> make_site_packed(const System& system);

/// The same for some planes.
std::unique_ptr<DomainEngine> make_sample_slab(const System& system, const Planes& planes);
std::unique_ptr<DomainEngine> make_site_slab(const System& system, const Planes& planes);

}  // namespace psflip::cuda
