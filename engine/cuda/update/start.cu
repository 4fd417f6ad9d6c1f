#include "engine/cuda/update/start.hpp"

#include "engine/cuda/device/launch.hpp"
#include "engine/cuda/update/start_samples.cuh"
#include "engine/cuda/update/start_sites.cuh"

namespace psflip::cuda {

void start_words(std::uint32_t* words, const Layout& layout, std::uint32_t packs, const Addresses& address,
                 const Key& key) {
  fill_words_kernel<<<dim3(blocks_for(layout.sites, 256), packs), 256>>>(words, layout, address, key);
  check(cudaGetLastError(), "start");
}

void start_bonds(std::uint32_t* words, const Layout& layout, std::uint32_t packs, const Addresses& address,
                 const Key& key, std::uint64_t threshold) {
  fill_bonds_kernel<<<dim3(blocks_for(layout.sites, 256), packs), 256>>>(words, layout, address, key, threshold);
  check(cudaGetLastError(), "start");
}

void start_sites(std::uint32_t* spins, const SiteLayout& layout, std::uint32_t samples, const Key& key) {
  const unsigned blocks = blocks_for(layout.words(), 256);
  fill_sites_kernel<<<blocks * samples, 256>>>(spins, layout, key, blocks);
  check(cudaGetLastError(), "start");
}

}  // namespace psflip::cuda
