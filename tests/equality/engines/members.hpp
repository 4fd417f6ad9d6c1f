#pragma once
#include "systems.hpp"

namespace psflip::equality {

/// A member of the Ising family with a method, and small systems made from its traits alone.
struct Member {
  Preset preset;
  Method method;
};

/// The name of the preset, or the traits of a member without name, and the method: "ea3d_relaxation".
std::string name_of(const Member& member);
inline void PrintTo(const Member& member, std::ostream* stream) { *stream << name_of(member); }

/// Every preset of the registry and every member whose traits no preset has, with every method.
std::vector<Member> all_members();
/// The presets of the registry alone.
std::vector<Member> named_members();

/// Systems that the member allows: random numbers, packings, replicas, fields, integers, chosen packs. Relaxation:
/// random start, a round is a half sweep. Equilibrium: ordered start, a round is a sweep. Tempering: several slots.
std::vector<NamedSystem> systems_of(const Member& member);

}  // namespace psflip::equality
