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
  static constexpr Remainder sites = Remainder::sites, few = Remainder::sites_few_registers;
  using plane_blocks =
      std::tuple<PlaneBlocks<22, 2, 1, 256, 3, early>, PlaneBlocks<24, 1, 4, 384, 0, early>,
                 PlaneBlocks<26, 2, 1, 352, 2, early>, PlaneBlocks<28, 2, 1, 384, 1, late, kept, sites>,
                 PlaneBlocks<30, 3, 1, 384, 2, late, kept, sites>, PlaneBlocks<32, 4, 1, 512, 3>,
                 PlaneBlocks<34, 5, 1, 512, 3, late, kept, few>, PlaneBlocks<36, 6, 1, 512, 3, late, kept, sites>,
                 PlaneBlocks<38, 8, 1, 384, 3, late, kept>, PlaneBlocks<40, 8, 1, 384, 3, late, kept, sites>,
                 PlaneBlocks<42, 6, 1, 384, 0, late, kept, sites>, PlaneBlocks<44, 11, 1, 512, 3, late, kept>,
                 PlaneBlocks<46, 12, 1, 352, 2, late, kept, sites>, PlaneBlocks<48, 12, 1, 384, 2, late, kept>,
                 PlaneBlocks<50, 10, 1, 384, 0, late, kept, sites>, PlaneBlocks<52, 13, 1, 512, 1, late, kept, sites>,
                 PlaneBlocks<54, 18, 1, 512, 2, late, kept>, PlaneBlocks<56, 14, 1, 384, 0, late, kept, sites>,
                 PlaneBlocks<58, 20, 1, 512, 1, early, kept, few>, PlaneBlocks<66, 33, 1, 512, 2, late, kept, few>>;
  // L, blocks along y and along z. All have blocks of at most 16 rows of 8 planes and take as long as L = 64.
  using sublattice_blocks =
      std::tuple<SublatticeBlocks<60, 4, 8>, SublatticeBlocks<62, 4, 8>, SublatticeBlocks<64, 4, 8>>;
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
