#pragma once
#include <algorithm>

#include "engine/cuda/device/runtime.cuh"
#include "engine/cuda/device/streams.cuh"
#include "engine/cuda/measure/reduce_kernel.cuh"
#include "engine/driver/domain_engine.hpp"
#include "engine/driver/tables.hpp"

/// Measurement of many samples of one lattice, or of some planes of it, and the buffers for it.
namespace psflip::cuda {

template <int D>
class Observer {
 public:
  Observer(const System& system, const Layout& layout, std::uint32_t packs, const Planes& planes)
      : system_(system),
        layout_(layout),
        packs_(packs),
        planes_(planes),
        traversals_(layout.L, planes),
        rows_{layout.L, D, layout.replicas, D == 3 ? static_cast<std::uint32_t>(system.pairs()) : 1},
        packs_at_once_(std::clamp(largest_counts / (rows_.count() * 32), 1u, std::min(packs, 65535u))),
        counts_(std::size_t{packs_at_once_} * rows_.count() * 32),
        cosine_(layout.L),
        sine_(layout.L),
        measured_(size()),
        host_(size()) {
    const FourierTable table = make_fourier_table(system.L);
    cosine_.upload({table.cosine.begin(), table.cosine.end()});
    sine_.upload({table.sine.begin(), table.sine.end()});
  }

  /// Measures spins[pack][parity][replica][site] with couplings[pack][parity][direction][site]; site 0 is the first of
  /// the planes. Waits for the GPU.
  DomainObservation observe(std::uint32_t* spins, const std::uint32_t* couplings) {
    start(spins, couplings);
    DomainObservation o;
    finish(o);
    return o;
  }

  /// Starts the measurement and its copy to the host, in the order of the default stream; finish() waits for them.
  void start(std::uint32_t* spins, const std::uint32_t* couplings) {
    for (std::uint32_t first = 0; first < packs_; first += packs_at_once_)
      count(spins, couplings, first, std::min(packs_at_once_, packs_ - first));
    check(cudaGetLastError(), "measurement");
    check(cudaMemcpyAsync(host_.data(), measured_.data(), size() * sizeof(std::int64_t), cudaMemcpyDeviceToHost),
          "copy from the GPU");
    copied_.record();
  }

  /// Waits for the last start() only, not for later work of the GPU.
  void finish(DomainObservation& o) {
    copied_.wait();
    const std::int64_t* from = host_.data();
    const auto take = [&](std::vector<std::int64_t>& values, std::size_t per_sample) {
      values.assign(from, from + per_sample * system_.samples);
      from += values.size();
    };
    take(o.sums.bond_sum, rows_.replicas);
    take(o.sums.magnetization, rows_.replicas);
    take(is_full_lattice() ? (D == 3 ? o.sums.overlap_k2 : o.sums.magnetization_k2) : o.components,
         rows_.fields * of_field());
    if (D == 3) take(o.sums.overlap, rows_.fields);
  }

 private:
  static constexpr std::uint32_t largest_counts = 1u << 24;  // 64 MiB; larger jobs are measured in several batches

  bool is_full_lattice() const { return planes_.count == layout_.L; }
  /// Integers per field for the Fourier components: k2, or all components if other ranks hold the other planes.
  std::size_t of_field() const { return is_full_lattice() ? 1 : 2 * D; }
  /// Integers of an Observation: bond sums, magnetizations, k2 or components and, in three dimensions, overlaps.
  std::size_t size() const {
    return system_.samples * (2 * rows_.replicas + (of_field() + (D == 3 ? 1 : 0)) * rows_.fields);
  }

  Measured measured() {
    std::int64_t *bond_sum = measured_.data(), *magnetization = bond_sum + system_.samples * rows_.replicas,
                 *fourier = magnetization + system_.samples * rows_.replicas;
    return {bond_sum,
            magnetization,
            D == 3 ? fourier + system_.samples * rows_.fields * of_field() : nullptr,
            is_full_lattice() ? fourier : nullptr,
            is_full_lattice() ? nullptr : fourier,
            system_.first_sample,
            system_.samples};
  }

  void count(std::uint32_t* spins, const std::uint32_t* couplings, std::uint32_t first, std::uint32_t packs) {
    const std::uint32_t warps = std::min(8u, std::max(rows_.fields, rows_.replicas));
    const std::uint32_t planes =
        rows_.fields > 0 ? traversals_.first.warp_traversals() + traversals_.second.warp_traversals() : 0;
    check(cudaMemsetAsync(counts_.data(), 0, std::size_t{packs} * rows_.count() * 32 * sizeof(int)), "clear counts");
    count_kernel<D><<<dim3(traversals_.last().warp_traversals() + planes, packs), dim3(32, warps)>>>(
        spins, couplings, layout_, traversals_, first, rows_, counts_.data());
    reduce_kernel<D><<<dim3(packs, rows_.fields + 1), dim3(32, 8)>>>(
        counts_.data(), rows_, planes_, layout_.first_pack + first, cosine_.data(), sine_.data(), measured());
  }

  System system_;
  Layout layout_;
  std::uint32_t packs_;
  Planes planes_;
  Traversals<D> traversals_;
  CountRows rows_;
  std::uint32_t packs_at_once_;
  DeviceArray<int> counts_, cosine_, sine_;
  DeviceArray<std::int64_t> measured_;
  PinnedArray<std::int64_t> host_;
  TimedEvent copied_;
};

}  // namespace psflip::cuda
