#include "engine/cuda/sweep/cubic_launch.cuh"

namespace psflip::cuda {

/// Large jobs consist of groups of four replicas: every size has a specialized kernel.
template <>
struct KnownSizes<SharedDecision<4>> : NoKnownSizes {
  using persistent = std::integer_sequence<int, 4, 6, 8, 10, 12, 14, 16, 18, 20>;
  // L, thread blocks, segments of a column, threads, directions whose couplings are in shared memory: the fastest of
  // several on an H200 (notebook of the benchmark).
  static constexpr SpinLoads early = SpinLoads::early, late = SpinLoads::late;
  static constexpr PacketAddresses kept = PacketAddresses::kept;
  using plane_blocks = std::tuple<
      PlaneBlocks<22, 2, 1, 256, 3, early>, PlaneBlocks<24, 1, 4, 384, 0, early>, PlaneBlocks<26, 2, 1, 352, 2, early>,
      PlaneBlocks<28, 4, 1, 416, 3, late, kept>, PlaneBlocks<30, 3, 1, 480, 2>, PlaneBlocks<32, 4, 1, 512, 3>,
      PlaneBlocks<34, 5, 1, 352, 3, late, kept>, PlaneBlocks<36, 6, 1, 352, 3, early>, PlaneBlocks<38, 8, 1, 384, 3>,
      PlaneBlocks<40, 8, 1, 416, 3>, PlaneBlocks<42, 6, 1, 448, 0, late, kept>,
      PlaneBlocks<44, 11, 1, 512, 3, late, kept>, PlaneBlocks<46, 10, 1, 384, 1, late, kept>,
      PlaneBlocks<48, 8, 1, 384, 0>, PlaneBlocks<50, 10, 1, 448, 0, late, kept>, PlaneBlocks<52, 13, 1, 384, 1>,
      PlaneBlocks<54, 18, 1, 512, 2, late, kept>, PlaneBlocks<56, 14, 1, 352, 0, late, kept>>;
  // L, blocks along y and along z. All have blocks of at most 16 rows of 8 planes and take as long as L = 64.
  using sublattice_blocks = std::tuple<SublatticeBlocks<58, 4, 8>, SublatticeBlocks<60, 4, 8>,
                                       SublatticeBlocks<62, 4, 8>, SublatticeBlocks<64, 4, 8>>;
  using temporal = std::integer_sequence<int, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62, 64, 66, 80, 96, 128>;
  // Other sizes were slower, equal or not measured (notebook of the benchmark). Plane blocks and sublattice blocks have
  // one too.
  using cold = std::integer_sequence<int, 14, 16, 18, 20, 66, 96, 128>;
};

template bool advance_cubic(const SharedDecision<1>&, const PackJob&);
template bool advance_cubic(const SharedDecision<2>&, const PackJob&);
template bool advance_cubic(const SharedDecision<3>&, const PackJob&);
template bool advance_cubic(const SharedDecision<4>&, const PackJob&);

}  // namespace psflip::cuda
