#include "engine/cuda/tempering/tempering.cuh"

#include "engine/cuda/tempering/exchange_kernels.cuh"
#include "engine/cuda/tempering/sweep.hpp"

// Construction and the steps of a round of Tempering.
namespace psflip::cuda {

namespace {

constexpr std::uint32_t most_packs = 65535;  // of a grid

DeviceArray<std::uint64_t> pack_numbers_of(const TemperingSystem& s) {
  const std::vector<std::uint64_t> all = s.pack_numbers();
  if (all.size() > most_packs)
    throw UserError("--samples: the GPU takes at most " + std::to_string(32 * (most_packs - 1)) +
                    " samples of rfim3d in one job; use fewer or --backend cpu.");
  DeviceArray<std::uint64_t> numbers(all.size());
  numbers.upload(all);
  return numbers;
}

TemperingShape shape_of(const TemperingSystem& s, const Slots& own, const DeviceArray<std::uint64_t>& pack_numbers) {
  const Lattice<3> lattice{static_cast<std::uint32_t>(s.L)};
  const std::size_t first = own.first > 0 ? own.first - 1 : 0, behind = std::min(own.first + own.count + 1, s.slots());
  return {lattice,
          lattice.sites_per_parity(),
          static_cast<std::uint32_t>(first),
          static_cast<std::uint32_t>(behind - first),
          static_cast<std::uint32_t>(pack_numbers.size()),
          pack_numbers.data()};
}

/// Fields from their addresses. Grid (sites, packs).
__global__ void fill_fields_kernel(std::uint32_t* fields, TemperingShape shape, Key key) {
  const std::uint32_t site = blockIdx.x * blockDim.x + threadIdx.x, pack = blockIdx.y;
  if (site >= shape.sites) return;
  for (std::uint32_t parity = 0; parity < 2; ++parity)
    fields[shape.fields(pack) + parity * shape.sites + site] =
        numbers_at(key, site, parity, shape.pack_numbers[pack], 0, 0).x[0];
}

/// Spins at round 0 from their addresses. Grid (sites, slots in memory, packs).
__global__ void fill_units_kernel(std::uint32_t* spins, TemperingShape shape, Key key) {
  const std::uint32_t site = blockIdx.x * blockDim.x + threadIdx.x, slot = blockIdx.y, pack = blockIdx.z;
  if (site >= shape.sites) return;
  for (std::uint32_t parity = 0; parity < 2; ++parity) {
    const auto u = numbers_at(key, site, parity, shape.pack_numbers[pack], 0, 0, shape.first_slot + slot);
    for (std::uint32_t set = 0; set < 2; ++set)
      spins[shape.spins(pack, 2 * slot + set) + parity * shape.sites + site] = u.x[set];
  }
}

template <class T>
void clear(DeviceArray<T>& array, cudaStream_t stream = nullptr) {
  check(cudaMemsetAsync(array.data(), 0, array.size() * sizeof(T), stream), "clear");
}

}  // namespace

Tempering::Tempering(const TemperingSystem& system, const Slots& own)
    : system_(system),
      own_(own),
      pack_numbers_(pack_numbers_of(system)),
      shape_(shape_of(system, own, pack_numbers_)),
      exchange_(make_exchange_table(system)) {
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
  words_ = {shape_, spins_.data(), counts_.data(), from_cold_.data(), from_hot_.data()};
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
  for (std::uint32_t pack = 0; own_.first == 0 && pack < shape_.packs; ++pack)
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

void Tempering::begin_round(cudaStream_t stream) { clear(counts_, stream); }

void Tempering::sweep(const Slots& slots, std::uint64_t round, cudaStream_t stream) {
  const auto half_sweeps = static_cast<std::uint32_t>(2 * system_.exchange_interval);
  const SweepJob sweeps{spins_.data() + shape_.spins(0, 2 * slot_index(slots.first)),
                        fields_.data(),
                        shape_,
                        static_cast<std::uint32_t>(slots.first),
                        static_cast<std::uint32_t>(slots.count),
                        half_sweeps * static_cast<std::uint32_t>(round),
                        half_sweeps};
  const Key key = tempering_key(system_, Stream::metropolis);
  with_field_scheme(thresholds_, [&]<class Scheme>() { start_sweeps<Scheme>(sweeps, key, thresholds_, stream); });
  count(slots, system_.is_measured(round), stream);
}

/// Counts energies for the exchanges and, if the round is measured, the spins of the planes.
void Tempering::count(const Slots& slots, bool measured, cudaStream_t stream) {
  const std::uint32_t first = 2 * slot_index(slots.first), units = 2 * static_cast<std::uint32_t>(slots.count);
  const std::uint32_t L = shape_.lattice.L;
  const ZSweepShape z_shape = global_memory_shape(L);
  energy_kernel<<<dim3(blocks_of(z_shape, L), units, shape_.packs), z_shape.threads, 0, stream>>>(
      spins_.data(), fields_.data(), shape_, first, z_shape, counts_.data());
  if (measured) {
    const Traversals<3> traversals(L);
    const dim3 grid(traversals.first.warp_traversals() + traversals.second.warp_traversals(),
                    blocks_for(units, units_at_once), shape_.packs);
    plane_kernel<<<grid, dim3(32, units_at_once), 0, stream>>>(spins_.data(), shape_, first, first + units, traversals,
                                                               counts_.data());
  }
  check(cudaGetLastError(), "count");
}

void Tempering::finish_round(std::uint64_t round_number, cudaStream_t stream) {
  const auto round = static_cast<std::uint32_t>(round_number), odd = shape_.colder_parity(round);
  const std::uint32_t packs = shape_.packs, first = slot_index(own_.first),
                      last = slot_index(own_.first + own_.count - 1);
  exchange_kernel<<<dim3(packs, tempering_sets), dim3(32, 8), 0, stream>>>(
      shape_, tempering_key(system_, Stream::exchange), round, weights_.data() + shape_.first_slot, exchange_.shift,
      counts_.data(), masks_.data(),
      FlowLabels{from_cold_.data(), from_hot_.data(), accepted_.data(), round_trips_.data()});
  const std::uint32_t first_group = SlotGroup::number_of(first, odd), last_group = SlotGroup::number_of(last, odd);
  const dim3 swaps(blocks_for(2 * shape_.sites, 8 * swap_steps * swap_threads), last_group - first_group + 1, packs);
  const bool measured = system_.is_measured(round_number);
  const auto swap = measured ? swap_kernel<true> : swap_kernel<false>;
  swap<<<swaps, swap_threads, 0, stream>>>(reinterpret_cast<uint4*>(spins_.data()), shape_, first_group, odd,
                                           masks_.data(), counts_.data());
  if (measured)
    accumulate_kernel<<<dim3(last - first + 1, packs), dim3(32, 6), 0, stream>>>(
        shape_, first, odd, masks_.data(), counts_.data(), cosine_.data(), sine_.data(),
        BinSums{set_sums_.data(), pair_sums_.data()});
  check(cudaGetLastError(), "round");
}

void Tempering::write_message(std::size_t slot, std::uint32_t* message, cudaStream_t stream) {
  const dim3 grid(blocks_for(words_.words(), 256), shape_.packs);
  gather_slot_kernel<<<grid, 256, 0, stream>>>(words_, slot_index(slot), message);
  check(cudaGetLastError(), "message");
}

void Tempering::read_message(std::size_t slot, const std::uint32_t* message, cudaStream_t stream) {
  const dim3 grid(blocks_for(words_.words(), 256), shape_.packs);
  scatter_slot_kernel<<<grid, 256, 0, stream>>>(words_, slot_index(slot), message);
  check(cudaGetLastError(), "message");
}

}  // namespace psflip::cuda
