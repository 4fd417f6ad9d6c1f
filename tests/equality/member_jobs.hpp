#pragma once
#include "engine/methods/methods_of.hpp"
#include "jobs.hpp"

/// Small jobs of every preset of the registry with every method that the executable has for it, made from traits.
namespace psflip::equality {

/// At two temperatures, or four temperature slots: 70 samples of a lattice with L = 6 (tempering: 4) from sample 29 on,
/// seed 5, three replicas where the preset has disorder, in a field h = 0.7. Disorder and spins are saved. Its name is
/// that of preset and method.
JobLine member_job(const Preset& preset, Method method);
std::vector<JobLine> member_jobs();

/// The presets that have a method.
std::vector<Preset> presets_with(Method method);

}  // namespace psflip::equality
