#include "engine/cuda/lattice/observer.hpp"

#include <algorithm>

#include "engine/models/tables.hpp"

namespace psflip::cuda {

namespace {

constexpr std::uint32_t largest_counts = 1u << 24;  // 64 MiB; larger jobs are measured in several batches

CountRows rows_of(const System& system) {
  const auto replicas = static_cast<std::uint32_t>(system.replicas), pairs = static_cast<std::uint32_t>(system.pairs());
  return {static_cast<std::uint32_t>(system.L),
          static_cast<std::uint32_t>(system.dimension()),
          replicas,
          system.measures(Integer::magnetization_k2) ? replicas : 0,
          system.measures(Integer::overlap) || system.measures(Integer::overlap_k2) ? pairs : 0,
          system.preset().has_random_field() ? replicas : 0};
}

}  // namespace

Observer::Observer(const System& system, const ModelKernels& kernels, const Layout& layout, std::uint32_t packs,
                   const Planes& planes)
    : system_(system),
      kernels_(kernels),
      layout_(layout),
      packs_(packs),
      planes_(planes),
      rows_(rows_of(system)),
      packs_at_once_(std::clamp(largest_counts / (rows_.count() * 32), 1u, std::min(packs, 65535u))),
      counts_(std::size_t{packs_at_once_} * rows_.count() * 32),
      cosine_(layout.L),
      sine_(layout.L),
      measured_(size()),
      host_(size()) {
  const FourierTable table = make_fourier_table(system.L);
  cosine_.upload(table.cosine);
  sine_.upload(table.sine);
}

bool Observer::is_reduced(Integer integer) const {
  return system_.measures(integer) && (integer != Integer::field_sum || system_.preset().has_random_field());
}

std::size_t Observer::size(Integer integer) const {
  if (!is_reduced(integer)) return 0;
  const bool components = info_of(integer).kind == Kind::fourier && !is_full_lattice();
  return system_.samples * system_.width(integer) * (components ? 2 * rows_.dimension : 1);
}

std::size_t Observer::size() const {
  std::size_t all = 0;
  for (const IntegerInfo& info : integer_table) all += size(info.integer);
  return all;
}

Measured Observer::measured() {
  std::int64_t* next = measured_.data();
  std::int64_t* of[integer_count];
  for (std::size_t i = 0; i < integer_count; ++i) {
    const std::size_t numbers = size(integer_table[i].integer);
    of[i] = numbers > 0 ? next : nullptr;
    next += numbers;
  }
  const auto at = [&](Integer integer) { return of[static_cast<std::size_t>(integer)]; };
  return {at(Integer::bond_sum),
          at(Integer::field_sum),
          at(Integer::magnetization),
          at(Integer::overlap),
          at(Integer::magnetization_k2),
          at(Integer::overlap_k2),
          !is_full_lattice(),
          32 * layout_.first_pack + system_.first_lane(),
          system_.samples};
}

void Observer::start(const LatticeWords& words) {
  for (std::uint32_t first = 0; first < packs_; first += packs_at_once_) {
    const CountJob job{
        words.spins, words.couplings, words.fields, layout_, planes_, first, std::min(packs_at_once_, packs_ - first),
        rows_,       counts_.data()};
    kernels_.count(job);
    start_reduction(job, cosine_.data(), sine_.data(), measured());
  }
  check(cudaMemcpyAsync(host_.data(), measured_.data(), size() * sizeof(std::int64_t), cudaMemcpyDeviceToHost, nullptr),
        "copy from the GPU");
  copied_.record();
}

void Observer::finish(Observation& o) {
  copied_.wait();
  const std::int64_t* from = host_.data();
  for (const IntegerInfo& info : integer_table) {
    o[info.integer].assign(from, from + size(info.integer));
    from += size(info.integer);
  }
  if (system_.measures(Integer::field_sum) && !is_reduced(Integer::field_sum))
    o[Integer::field_sum] = o[Integer::magnetization];
}

}  // namespace psflip::cuda
