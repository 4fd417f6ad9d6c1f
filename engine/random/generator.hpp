#pragma once
#include <concepts>
#include <cstdint>

#include "engine/random/address.hpp"

/// Requirements of an engine on a source of random numbers. Its objects are made for one stream and one half sweep (one
/// round of exchanges, one parity of the disorder); a call names the site and the replica. docs/randomness.md says
/// which numbers psflip uses.
namespace psflip {

/// Numbers for a word W, which holds one site (or 32 neighbouring sites) of several packs.
///
/// words(site, group): four words. Bit by bit they are fair random bits: couplings in direction mu, the field (word 0),
/// initial spins of replicas 4 group ... 4 group + 3. Each 32-bit chunk is a number as well: u of these four replicas
/// in shared mode and, with a lane instead of the site, of the exchange of two slots.
///
/// planes(site, replica, plane): plane[j] holds bits 31 - j of the numbers u of all lanes, for a decision of every lane
/// of its own. start_planes(site, replica) are the same calls in parts (engine/cpu/words/numbers.hpp).
template <class G, class W>
concept WordGenerator = requires(const G& generator, std::uint32_t site, std::uint32_t index, W (&plane)[plane_count]) {
  { generator.words(site, index) } -> std::same_as<Four<W>>;
  generator.planes(site, index, plane);
  generator.start_planes(site, index).finish(plane);
};

/// The lower bits of u for single lanes that the planes leave undecided, N lanes at once. A lane is bit number lane[i]
/// of a chunk; address[i] and tag[i] identify the chunk for the caller. number[i] holds bits 23 to
/// 0 of u in its upper 24 bits.
template <class G, int N>
concept LaneGenerator = requires(const G& generator, const std::uint32_t (&in)[N], std::uint32_t (&number)[N]) {
  generator.residuals(in, in, in, number);
};

}  // namespace psflip
