#include "engine/laboratory/device/tiles/tile_kernels.hpp"

#include "engine/cuda/device/launch.hpp"
#include "engine/laboratory/device/tiles/tile_kernel.cuh"

namespace psflip::laboratory::device {

namespace {

constexpr unsigned measure_threads = 256, most_measure_blocks = 132 * 2;
constexpr std::size_t bytes_without_request = 48 * 1024;  ///< of shared memory, which every launch may have

template <int D, class Source, bool ONE>
void launch(const TiledView<D>& view, const Source& source, int parity, int hits, std::int64_t* changes) {
  const std::size_t bytes = 4 * tile_shared_words<Source>(view.sites_of_copy());
  auto* const kernel = changes != nullptr ? tiles_kernel<D, Source, ONE, true> : tiles_kernel<D, Source, ONE, false>;
  if (bytes > bytes_without_request) cuda::with_shared_memory(kernel, bytes);
  kernel<<<view.blocks(), tile_threads<Source>(view.pairs()), bytes>>>(view, source, static_cast<std::uint32_t>(parity),
                                                                       static_cast<std::uint32_t>(hits), changes);
  cuda::check(cudaGetLastError(), "update of tiles");
}

}  // namespace

template <int D, class Source>
void update_tiles(const TiledView<D>& view, const Source& source, int parity, int hits, std::int64_t* changes) {
  if (view.pairs() <= tile_threads<Source>(view.pairs()))
    launch<D, Source, true>(view, source, parity, hits, changes);
  else
    launch<D, Source, false>(view, source, parity, hits, changes);
}

void measure_tiles(const std::int64_t* changes, std::size_t blocks, const std::int8_t* spins, std::size_t sites,
                   std::int64_t* energy, std::int64_t* magnetization) {
  const std::size_t work = magnetization != nullptr ? sites : blocks;
  const unsigned wanted = cuda::blocks_for(work, measure_threads);
  const unsigned grid = wanted < most_measure_blocks ? wanted : most_measure_blocks;
  measure_kernel<<<grid, measure_threads, 2 * sizeof(std::int64_t)>>>(changes, static_cast<std::uint32_t>(blocks),
                                                                      spins, sites, std::size_t{grid} * measure_threads,
                                                                      energy, magnetization);
  cuda::check(cudaGetLastError(), "measurement of tiles");
}

#define PSFLIP_SOURCE(...)                                                                                      \
  template void update_tiles<2, __VA_ARGS__>(const TiledView<2>&, const __VA_ARGS__&, int, int, std::int64_t*); \
  template void update_tiles<3, __VA_ARGS__>(const TiledView<3>&, const __VA_ARGS__&, int, int, std::int64_t*);
PSFLIP_SOURCE(LcgOfThreads<std::uint32_t>)
PSFLIP_SOURCE(LcgOfThreads<std::uint64_t>)
PSFLIP_SOURCE(PhiloxOfThreads)
PSFLIP_SOURCE(SequenceOfBlocks<LaggedSum<521, 353>>)
PSFLIP_SOURCE(SequenceOfBlocks<LaggedSum<1279, 861>>)
PSFLIP_SOURCE(SequenceOfBlocks<TwisterRecurrence>)
#undef PSFLIP_SOURCE

}  // namespace psflip::laboratory::device
