#pragma once
#include <cstdint>
#include <vector>

#include "engine/driver/neighbours.hpp"
#include "engine/laboratory/layouts/glass.hpp"
#include "engine/laboratory/layouts/sliced_part.hpp"

namespace psflip::laboratory {

/// Throws UserError unless the ranks can share the L / 2 pairs of slices equally. L is even and positive.
void require_equal_shares(int L, const Ranks& ranks);

/// A System of glass_system() in the layout sliced, spread over ranks: the one-directional exchange of Lulli,
/// Bernaschi, Parisi (arXiv:1411.0127), section V. After a half sweep of even sites each rank sends its lowermost slice
/// downwards, after one of odd sites its uppermost slice upwards: one message of L^2 sites instead of two of L^2 / 2.
/// All ranks do everything together.
class SlicedRanks {
 public:
  /// require_equal_shares() holds.
  SlicedRanks(const System& system, Ranks& ranks);

  /// The half sweep after those done so far, with addressed numbers; the inner slices while the message is sent.
  void half_sweep();
  /// All spins at rank 0, at other ranks the spins at the start.
  Glass<Sliced> gathered();

 private:
  template <int PARITY>
  void half_sweep();
  void start_receive(int parity);
  void start_send(int parity);
  void finish(int parity);
  std::vector<std::uint32_t> own_words();  ///< [parity][pack][replica][own site]

  System system_;
  Ranks& ranks_;
  Neighbours neighbours_;
  Glass<SlicedPart> glass_;
  Thresholds thresholds_;
  std::vector<std::uint32_t> sent_, received_;  ///< [pack][replica][site of a slice]
  std::uint32_t half_sweeps_ = 0;
};

}  // namespace psflip::laboratory
