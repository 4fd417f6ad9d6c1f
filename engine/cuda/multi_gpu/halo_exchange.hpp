#pragma once
#include "engine/cuda/device/streams.hpp"

#include "engine/cuda/device/array.hpp"
#include "engine/cuda/multi_gpu/peer_link.hpp"
#include "engine/cuda/sweep/half_sweep/slab_sweeps.hpp"
#include "engine/cuda/update/plane_memory.hpp"

namespace psflip::cuda {

/// Copies the outer planes to two consecutive messages, [0] towards smaller coordinates.
void start_gathering(const PlaneMemory& memory, std::uint32_t parity, std::uint32_t* messages, cudaStream_t stream);
/// Copies two messages, [0] from smaller coordinates, to the ghosts.
void start_scattering(const PlaneMemory& memory, std::uint32_t parity, const std::uint32_t* messages,
                      cudaStream_t stream);

/// Sends the outer planes of a slab to its neighbours and receives theirs in its ghost planes. Messages alternate
/// between two buffers, 0 and 1; if they have one parity, it is the number of the buffer.
class HaloExchange {
 public:
  /// `words` of a message; `numbers` of a side in SlabNeighbours, for messages that are not long.
  explicit HaloExchange(std::size_t words, std::uint32_t numbers)
      : words_(words), numbers_(is_long() ? 1 : numbers), link_(words, numbers_), finished_(1) {
    finished_.clear();
  }

  int connect(const Neighbours& neighbours) {
    const int sides = link_.connect(neighbours);
    const bool has_own_gpu = neighbours.all_differ(link_.gpu()),
               can_wait = link_.can_wait_on_gpu(0) && link_.can_wait_on_gpu(1);
    is_direct_ = !neighbours.any(!has_own_gpu || !can_wait);
    return sides;
  }
  Halo halo(std::uint32_t buffer) const { return link_.messages(buffer); }
  bool is_long() const { return words_ > most_words_of_a_kernel; }
  /// True if exchange() may be used, on all ranks, and with messages that are not long the sweeps of neighbours(). The
  /// ranks then have no part in the messages.
  bool is_direct() const { return is_direct_; }

  SlabNeighbours neighbours(std::uint32_t replicas) const {
    const DirectSides to = link_.direct(0);
    SlabNeighbours all{};
    all.of_parity = 2 * words_;
    all.replicas = replicas;
    for (const int side : {0, 1}) {
      all.messages[side] = link_.receive_buffer(0) + side * words_;
      all.done[side] = link_.numbers() + static_cast<std::size_t>(side) * numbers_;
      all.messages_there[side] = to.message[side];
      all.done_there[side] = to.number[side];
    }
    return all;
  }
  /// Receives the last messages of such sweeps, of one parity, when all numbers are `number`, in the order of a stream.
  void receive_last(const PlaneMemory& memory, std::uint32_t parity, std::uint32_t number,
                    const CudaStream& stream) const {
    start_waiting(link_.numbers(), 2 * numbers_, number, stream);
    start_scattering(memory, parity, link_.receive_buffer(parity), stream);
  }

  /// Sends the outer planes, of one parity unless messages have both, and receives those of the neighbours in the ghost
  /// planes, in the order of a stream.
  void exchange(const PlaneMemory& memory, std::uint32_t parity, const CudaStream& stream) {
    const std::uint32_t number = ++numbered_, buffer = number & 1u;
    if (is_long())
      start_copying(memory, parity, link_.direct(buffer), number, stream);
    else
      start_sending(memory, parity, link_.direct(buffer), number, finished_.data(), stream);
    start_waiting(link_.numbers(), 2 * numbers_, number, stream);
    if (is_long())
      start_storing(memory, parity, link_.receive_buffer(buffer), stream);
    else
      start_scattering(memory, parity, link_.receive_buffer(buffer), stream);
  }

  /// Starts to send the outer planes, in a stream.
  void start(const PlaneMemory& memory, std::uint32_t buffer, const CudaStream& stream) {
    if (outgoing_.size() == 0) outgoing_ = DeviceArray<std::uint32_t>(2 * words_);
    start_gathering(memory, buffer, outgoing_.data(), stream);
    for (const int side : {0, 1}) copy(link_.out(buffer, side), outgoing_.data() + side * words_, stream);
    done_.set(stream);
  }
  /// Waits until they are in the send buffer of the ranks or in the neighbours' memory.
  void wait() const { done_.wait(); }

  /// Copies the neighbours' planes to the ghosts in the same stream, so that the next wait() also waits for this copy.
  /// The neighbours and the ranks reuse the memory two messages later, after they have received the message that
  /// follows that wait.
  void accept(const PlaneMemory& memory, std::uint32_t buffer, const CudaStream& stream) {
    std::uint32_t* arrived = link_.receive_buffer(buffer);
    for (const int side : {0, 1})
      if (!link_.is_direct(side)) copy(arrived + side * words_, link_.in(buffer, side), stream);
    start_scattering(memory, buffer, arrived, stream);
  }

 private:
  /// A kernel that writes longer messages into another GPU keeps multiprocessors from the sweeps, and copies do not:
  /// ea3d of 128 samples on two GPUs, 128 planes each, takes 2 % longer with messages of 2 MiB from a kernel, and 5 %
  /// longer with the sweeps of neighbours().
  static constexpr std::size_t most_words_of_a_kernel = std::size_t{1} << 18;

  void copy(std::uint32_t* to, const std::uint32_t* from, const CudaStream& stream) const {
    check(cudaMemcpyAsync(to, from, 4 * words_, cudaMemcpyDefault, stream), "planes");
  }

  std::size_t words_;
  std::uint32_t numbers_;
  PeerLink link_;
  DeviceArray<std::uint32_t> outgoing_;  ///< [side][word]; allocated by start()
  DeviceArray<std::uint32_t> finished_;  ///< thread blocks of start_sending(); zero between its launches
  bool is_direct_ = false;
  std::uint32_t numbered_ = 0;  ///< messages of exchange()
  CudaEvent done_;
};

}  // namespace psflip::cuda
