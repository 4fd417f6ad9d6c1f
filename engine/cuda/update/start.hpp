#pragma once
#include "engine/cuda/update/pack_layout.hpp"
#include "engine/cuda/update/site_layout.hpp"
#include "engine/random/address.hpp"

/// Words at half sweep 0 from their addresses, in the default stream.
namespace psflip::cuda {

/// Spins of many samples; couplings or fields if a replica of the layout stands for a direction or for the field.
void start_words(std::uint32_t* words, const Layout& layout, std::uint32_t packs, const Addresses& address,
                 const Key& key);

/// Bonds of many samples that are -1 with probability p other than 1/2, see bond_threshold(); a replica of the layout
/// stands for a direction.
void start_bonds(std::uint32_t* words, const Layout& layout, std::uint32_t packs, const Addresses& address,
                 const Key& key, std::uint64_t threshold);

/// Spins of square lattices with packed sites.
void start_sites(std::uint32_t* spins, const SiteLayout& layout, std::uint32_t samples, const Key& key);

}  // namespace psflip::cuda
