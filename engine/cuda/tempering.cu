#include "engine/cuda/tempering.cuh"

#include "engine/cuda/cuda.hpp"
#include "engine/cuda/tempering_exchange.cuh"
#include "engine/cuda/tempering_sweep.hpp"

// Construction and rounds of Tempering.
namespace psflip::cuda {

namespace {

constexpr std::uint32_t most_packs = 65535;  // of a grid

TemperingShape shape_of(const TemperingSystem& s) {
  const std::uint64_t first_pack = s.first_sample / 32, end = (s.first_sample + s.samples + 31) / 32;
  if (end - first_pack > most_packs)
    throw UserError("--samples: the GPU takes at most " + std::to_string(32 * (most_packs - 1)) +
                    " samples of rfim3d in one job; use fewer or --backend cpu.");
  const Lattice<3> lattice{static_cast<std::uint32_t>(s.L)};
  return {lattice, lattice.sites_per_parity(), static_cast<std::uint32_t>(s.slots()),
          static_cast<std::uint32_t>(end - first_pack), first_pack};
}

/// Fields from their addresses. Grid (sites, packs).
__global__ void fill_fields_kernel(std::uint32_t* fields, TemperingShape shape, Key key) {
  const std::uint32_t site = blockIdx.x * blockDim.x + threadIdx.x, pack = blockIdx.y;
  if (site >= shape.sites) return;
  for (std::uint32_t parity = 0; parity < 2; ++parity)
    fields[shape.fields(pack) + parity * shape.sites + site] =
        numbers_at(key, site, parity, shape.first_pack + pack, 0, 0).x[0];
}

/// Spins at round 0 from their addresses. Grid (sites, slots, packs).
__global__ void fill_units_kernel(std::uint32_t* spins, TemperingShape shape, Key key) {
  const std::uint32_t site = blockIdx.x * blockDim.x + threadIdx.x, slot = blockIdx.y, pack = blockIdx.z;
  if (site >= shape.sites) return;
  for (std::uint32_t parity = 0; parity < 2; ++parity) {
    const auto u = numbers_at(key, site, parity, shape.first_pack + pack, 0, 0, slot);
    for (std::uint32_t set = 0; set < 2; ++set)
      spins[shape.spins(pack, 2 * slot + set) + parity * shape.sites + site] = u.x[set];
  }
}

template <class T>
void clear(DeviceArray<T>& array) {
  check(cudaMemsetAsync(array.data(), 0, array.size() * sizeof(T)), "clear");
}

}  // namespace

Tempering::Tempering(const TemperingSystem& system)
    : system_(system), shape_(shape_of(system)), exchange_(make_exchange_table(system)) {
  for (const double beta : system.betas) thresholds_.push_back(make_field_thresholds(system, beta));
  allocate();
  const FourierTable table = make_fourier_table(system.L);
  cosine_.upload({table.cosine.begin(), table.cosine.end()});
  sine_.upload({table.sine.begin(), table.sine.end()});
  weights_.upload(exchange_.weights);
  start();
}

void Tempering::allocate() {
  const std::size_t units = std::size_t{shape_.packs} * shape_.units(), lanes = shape_.lanes();
  spins_ = DeviceArray<std::uint32_t>(units * 2 * shape_.sites);
  fields_ = DeviceArray<std::uint32_t>(std::size_t{2} * shape_.packs * shape_.sites);
  masks_ = DeviceArray<std::uint32_t>(units);
  from_cold_ = DeviceArray<std::uint32_t>(units);
  from_hot_ = DeviceArray<std::uint32_t>(units);
  counts_ = DeviceArray<int>(32 * shape_.count_rows() * shape_.packs);
  accepted_ = DeviceArray<int>(lanes * shape_.units());
  round_trips_ = DeviceArray<int>(lanes * tempering_sets);
  cosine_ = DeviceArray<int>(shape_.lattice.L);
  sine_ = DeviceArray<int>(shape_.lattice.L);
  weights_ = DeviceArray<ExchangeWeights>(exchange_.weights.size());
  set_sums_ = DeviceArray<double>(lanes * shape_.units() * psflip::set_sums);
  pair_sums_ = DeviceArray<double>(lanes * shape_.slots * psflip::pair_sums);
}

void Tempering::start() {
  constexpr unsigned threads = 256;
  const unsigned blocks = blocks_for(shape_.sites, threads);
  fill_fields_kernel<<<dim3(blocks, shape_.packs), threads>>>(fields_.data(), shape_,
                                                              disorder_key(system_, Stream::fields));
  clear(spins_);
  if (system_.start == Start::random)
    fill_units_kernel<<<dim3(blocks, shape_.slots, shape_.packs), threads>>>(
        spins_.data(), shape_, tempering_key(system_, Stream::initial_spins));
  check(cudaGetLastError(), "start");
  std::vector<std::uint32_t> cold(from_cold_.size(), 0);
  for (std::uint32_t pack = 0; pack < shape_.packs; ++pack)
    for (std::uint32_t set = 0; set < tempering_sets; ++set) cold[shape_.unit(pack, set)] = ~0u;
  from_cold_.upload(cold);
  clear(from_hot_);
  clear_sums();
}

void Tempering::clear_sums() {
  clear(set_sums_);
  clear(pair_sums_);
  clear(accepted_);
  clear(round_trips_);
}

void Tempering::advance(std::uint64_t rounds) {
  for (std::uint64_t k = 0; k < rounds; ++k) run_round(static_cast<std::uint32_t>(rounds_++));
  check(cudaDeviceSynchronize(), "rounds");
}

void Tempering::run_round(std::uint32_t round) {
  const auto interval = static_cast<std::uint32_t>(system_.exchange_interval);
  const SweepJob sweeps{spins_.data(), fields_.data(), shape_, 2 * interval * round, 2 * interval};
  const Key key = tempering_key(system_, Stream::metropolis);
  with_field_scheme(thresholds_, [&]<class Scheme>() { start_sweeps<Scheme>(sweeps, key, thresholds_); });
  clear(counts_);
  const std::uint32_t units = shape_.units(), packs = shape_.packs;
  const MarchShape laid = streamed_shape(shape_.lattice.L);
  energy_kernel<<<dim3(blocks_of(laid, shape_.lattice.L), units, packs), laid.threads>>>(spins_.data(), fields_.data(),
                                                                                         shape_, laid, counts_.data());
  const Walks<3> walks(shape_.lattice.L);
  plane_kernel<<<dim3(walks.first.tiles() + walks.second.tiles(), blocks_for(units, units_at_once), packs),
                 dim3(32, units_at_once)>>>(spins_.data(), shape_, walks, counts_.data());
  exchange_kernel<<<dim3(packs, tempering_sets), dim3(32, 8)>>>(
      shape_, tempering_key(system_, Stream::exchange), round, weights_.data(), exchange_.shift, counts_.data(),
      masks_.data(), Journeys{from_cold_.data(), from_hot_.data(), accepted_.data(), round_trips_.data()});
  const dim3 swaps(blocks_for(2 * shape_.sites, 8 * swap_steps * swap_threads), SlotGroup::count(round, shape_.slots),
                   packs);
  swap_kernel<<<swaps, swap_threads>>>(reinterpret_cast<uint4*>(spins_.data()), shape_, round, masks_.data(),
                                       counts_.data());
  accumulate_kernel<<<dim3(shape_.slots, packs), dim3(32, 6)>>>(shape_, round, masks_.data(), counts_.data(),
                                                                cosine_.data(), sine_.data(),
                                                                BinSums{set_sums_.data(), pair_sums_.data()});
  check(cudaGetLastError(), "round");
}

std::unique_ptr<TemperingEngine> make_tempering(const TemperingSystem& system) {
  return std::make_unique<Tempering>(system);
}

}  // namespace psflip::cuda
