#pragma once
#include "engine/cuda/device/assembly.cuh"
#include "engine/cuda/device/poll_backoff.hpp"
#include "engine/cuda/sweep/temporal/row_block_shape.hpp"

/// What the strips of a lattice send each other: the words of their first and last rows, updated.
namespace psflip::cuda {

inline constexpr std::uint32_t mail_row = streaming_threads / 2,  ///< letters of a row: a strip has two rows or more
    mail_planes = 4,                                              ///< kept for a reader that is late
    mail_stages = 3;                                              ///< half sweeps of a pass after which mail is sent

/// What a thread in the first or last row of a strip exchanges with the strip beyond. `mail_planes` suffice: a block
/// that has mail of plane p has read what it was sent up to plane p - 2, and nobody sends plane p + 2 before he has it.
template <int G>
struct StripMail {
  static constexpr std::uint32_t letters = (G + 1) / 2, of_plane = letters * mail_row,
                                 of_stage = mail_planes * of_plane, of_side = mail_stages * of_stage;
  bool here, in_warp;  ///< this thread has mail; a thread of its warp has
  int beyond;          ///< step to the row of the other strip
  uint4* to;
  const uint4* from;
  std::uint32_t first_event;  ///< of the first plane of the pass
  uint4 mail[letters];  ///< two words, each beside the event that made it (a number that grows from plane to plane)

  /// `all` are those of the pack: [strip][side][stage][plane mod mail_planes][two replicas][x].
  __device__ __forceinline__ StripMail(uint4* all, std::uint32_t first, std::uint32_t strip, std::uint32_t strips,
                                       std::uint32_t x, std::uint32_t half, bool low, bool high)
      : here(low || high),
        in_warp(__any_sync(~0u, here)),
        beyond(low ? -static_cast<int>(half) : static_cast<int>(half)),
        to(all + (2 * strip + !low) * of_side + x),
        from(all + (2 * ((strip + (low ? strips - 1 : 1)) % strips) + low) * of_side + x),
        first_event(first) {}

  __device__ __forceinline__ std::uint32_t place(std::uint32_t stage, std::uint32_t plane) const {
    return stage * of_stage + (first_event + plane) % mail_planes * of_plane;
  }
  __device__ __forceinline__ void ask(std::uint32_t stage, std::uint32_t plane) {
    if (!in_warp) return;
#pragma unroll
    for (int k = 0; k < static_cast<int>(letters); ++k)
      mail[k] = load_letter(from + place(stage, plane) + k * mail_row);
  }
  /// Waits for what was asked for, asks again until it is there, and puts it beyond the column, `mine` in a slot.
  __device__ __forceinline__ void receive(std::uint32_t stage, std::uint32_t plane, std::uint32_t* mine,
                                          std::uint32_t words) {
    if (!in_warp) return;
    while (true) {
      std::uint32_t differ = 0;
#pragma unroll
      for (int k = 0; k < static_cast<int>(letters); ++k)
        differ |= (mail[k].y ^ (first_event + plane)) | (mail[k].w ^ (first_event + plane));
      if (!__any_sync(~0u, here && differ != 0)) break;
      __nanosleep(patience);
      ask(stage, plane);
    }
#pragma unroll
    for (int r = 0; r < G; ++r)
      if (here) mine[static_cast<int>(r * words) + beyond] = r % 2 == 0 ? mail[r / 2].x : mail[r / 2].z;
  }
  __device__ __forceinline__ void send(std::uint32_t stage, std::uint32_t plane, const std::uint32_t (&spin)[G]) const {
    if (!here) return;
#pragma unroll
    for (int k = 0; k < static_cast<int>(letters); ++k)
      store_letter(to + place(stage, plane) + k * mail_row, spin[2 * k], spin[2 * k + 1 < G ? 2 * k + 1 : 2 * k],
                   first_event + plane);
  }
};

/// The mail of a launch.
struct StripPost {
  uint4* letters;       ///< [pack of the launch][strip][StripMail]
  std::uint32_t event;  ///< of the first plane; those of a launch are L + 8
};

}  // namespace psflip::cuda
