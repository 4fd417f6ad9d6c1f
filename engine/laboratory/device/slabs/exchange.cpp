#include "engine/laboratory/device/slabs/exchange.hpp"

#include "engine/cuda/cuda.hpp"
#include "engine/cuda/device/array.hpp"
#include "engine/cuda/device/streams.hpp"
#include "engine/cuda/multi_gpu/device_of_rank.hpp"
#include "engine/cuda/multi_gpu/peer_link.hpp"
#include "engine/driver/decomposed.hpp"
#include "engine/laboratory/exchange/seconds_on_ranks.hpp"

namespace psflip::laboratory::device {

namespace {

void wait_for_gpu() { cuda::check(cudaDeviceSynchronize(), "kernel"); }

std::size_t words_of_plane(const System& system) {
  const auto L = static_cast<std::size_t>(system.L);
  return L * L / 2 * system.replicas * static_cast<std::size_t>(system.samples / 32);
}

/// Messages as in engine/cuda/multi_gpu/halo_exchange.hpp, without the kernels that gather and scatter planes.
class Planes {
 public:
  Planes(std::size_t words, Ranks& ranks)
      : words_(words), neighbours_(ranks), link_(words), outgoing_(2 * words), stream_(true) {
    outgoing_.clear();
    link_.connect(neighbours_);
    wait_for_gpu();
  }

  /// Messages alternate between two buffers, see PeerLink.
  void exchange() {
    const Halo halo = link_.messages(buffer_);
    for (const int side : {0, 1}) neighbours_.start_receive(side, halo.receive[side], halo.bytes[side]);
    for (const int side : {0, 1}) copy(link_.out(buffer_, side), outgoing_.data() + side * words_);
    stream_.wait();
    for (const int side : {0, 1}) neighbours_.start_send(side, halo.send[side], halo.bytes[side]);
    neighbours_.wait();
    for (const int side : {0, 1})
      if (!link_.is_direct(side)) copy(link_.receive_buffer(buffer_) + side * words_, link_.in(buffer_, side));
    buffer_ = 1 - buffer_;
  }

 private:
  void copy(std::uint32_t* to, const std::uint32_t* from) const {
    cuda::check(cudaMemcpyAsync(to, from, 4 * words_, cudaMemcpyDefault, stream_), "planes");
  }

  std::size_t words_;
  Neighbours neighbours_;
  cuda::PeerLink link_;
  cuda::DeviceArray<std::uint32_t> outgoing_;  ///< [side][word]
  cuda::CudaStream stream_;
  std::uint32_t buffer_ = 0;
};

}  // namespace

void use_gpu_of_rank(const Ranks& ranks) { cuda::use_device_of(ranks.rank_on_machine()); }

SlabBackend gpu_slabs() { return {cuda::make_part, wait_for_gpu}; }

double bytes_of_planes(const System& system) { return 2 * 4 * static_cast<double>(words_of_plane(system)); }

double seconds_of_planes(const System& system, Ranks& ranks, double seconds) {
  Planes planes(words_of_plane(system), ranks);
  return seconds_on_ranks(
      ranks, [&] { planes.exchange(); }, seconds, wait_for_gpu);
}

bool have_the_spins_of_one_gpu(const System& system, Ranks& ranks, std::uint32_t half_sweeps) {
  Decomposed slabs(system, ranks, cuda::make_part);
  slabs.advance(half_sweeps);  // a round of glass_system() is a half sweep
  const PackedSigns spins = slabs.packed_spins(0);
  if (!ranks.is_first()) return true;
  const auto one = cuda::make_engine(system);
  one->advance(half_sweeps);
  return spins.words == one->packed_spins(0).words;
}

}  // namespace psflip::laboratory::device
