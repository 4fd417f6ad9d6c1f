#pragma once
#include <cstdint>
#include <type_traits>

/// Distributions of lattices of a size that is known at compile time over the thread blocks of a cluster.
namespace psflip::cuda {

/// As in member_shape.hpp a plane is a layer of sites perpendicular to the last axis: in two dimensions a row. Every
/// block has `planes` planes, every thread updates `length` sites of each parity of a column. A multiprocessor has
/// registers for THREADS threads.
template <int D_, std::uint32_t L_, std::uint32_t BLOCKS, std::uint32_t LENGTH, std::uint32_t THREADS = 512>
struct KnownMember {
  static constexpr int D = D_;
  static constexpr std::uint32_t L = L_, blocks = BLOCKS, length = LENGTH;
  static constexpr std::uint32_t plane = (D == 3 ? L : 1) * L / 2;  ///< sites of a parity
  static constexpr std::uint32_t planes = L / blocks, segments = planes / length;
  static constexpr std::uint32_t sites = plane * planes, threads = plane * segments;
  static_assert(L % blocks == 0 && planes % length == 0 && threads % 32 == 0);
  static constexpr std::uint32_t resident = threads < THREADS ? THREADS / threads : 1;  ///< blocks on a multiprocessor
};

template <class... Shapes>
struct KnownMembers {};

/// Distributions of common sizes. Few: for few replicas at one temperature, whose short columns keep more threads busy.
/// Many: for so many that long columns occupy all multiprocessors; then there is more work between two barriers. Slots:
/// for the slots of exchange Monte Carlo, in a field or without.
template <int D>
struct CommonMembers;
template <>
struct CommonMembers<2> {
  using Few = KnownMembers<KnownMember<2, 32, 1, 4, 768>, KnownMember<2, 64, 2, 4>, KnownMember<2, 96, 2, 4, 576>,
                           KnownMember<2, 128, 8, 4>>;
  using Many = KnownMembers<KnownMember<2, 32, 1, 8>, KnownMember<2, 64, 1, 8>, KnownMember<2, 96, 1, 8, 576>,
                            KnownMember<2, 128, 2, 8>>;
  /// Each thread has the tables of its slot in registers. With those of a field, too few are left for long columns.
  template <bool FIELD>
  using Slots = std::conditional_t<!FIELD, Many,
                                   KnownMembers<KnownMember<2, 32, 1, 4, 768>, KnownMember<2, 64, 2, 4, 768>,
                                                KnownMember<2, 96, 1, 8, 576>, KnownMember<2, 128, 2, 8>>>;
};
template <>
struct CommonMembers<3> {
  using Few = KnownMembers<KnownMember<3, 8, 1, 2>, KnownMember<3, 12, 1, 3>, KnownMember<3, 16, 2, 4, 640>,
                           KnownMember<3, 24, 3, 4>, KnownMember<3, 32, 8, 4>>;
  using Many = KnownMembers<KnownMember<3, 8, 1, 4>, KnownMember<3, 12, 1, 3, 864>, KnownMember<3, 16, 1, 8>,
                            KnownMember<3, 32, 4, 8>>;
  template <bool FIELD>
  using Slots = KnownMembers<KnownMember<3, 8, 1, 4>, KnownMember<3, 12, 1, 3, 864>, KnownMember<3, 16, 2, 4, 768>,
                             KnownMember<3, 24, 3, 4>,
                             std::conditional_t<FIELD, KnownMember<3, 32, 8, 4>, KnownMember<3, 32, 4, 8>>>;
};

}  // namespace psflip::cuda
