#pragma once
#include <memory>

#include "engine/driver/part_engine.hpp"

namespace psflip::cpu {

/// Engines for one word type W and, with packed samples, one member of the family. A translation unit for each of them
/// instantiates the definitions in make_samples.cpp.in and make_sites.cpp.in.
template <class W, class T>
std::unique_ptr<Engine> make_samples(const System& system, int threads);
template <class W, class T>
std::unique_ptr<PartEngine> make_part_of_samples(const System& system, const Share& share, int threads);

/// Bytes of these engines: of the only rank, or of one of several with a share.
template <class W, class T>
double bytes_of_samples(const System& system, const Share& share, int threads);
template <class W>
double bytes_of_sites(const System& system, const Share& share, int threads);

template <class W>
std::unique_ptr<Engine> make_sites(const System& system, int threads);
template <class W>
std::unique_ptr<PartEngine> make_part_of_sites(const System& system, const Share& share, int threads);

}  // namespace psflip::cpu
