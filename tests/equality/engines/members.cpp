#include "members.hpp"

#include <algorithm>

namespace psflip::equality {
namespace {

struct Size {
  int L;
  std::uint64_t first_sample, samples;
  int replicas;
};

/// Couplings that are ordered and disordered in turn at these temperatures.
std::vector<double> betas_of(const Preset& preset, Method method) {
  const double warm = preset.dimension == 3 ? 0.24 : 0.45;
  if (method != Method::tempering) return {preset.has_random_bonds() ? 0.9 : warm};
  return {1.2 * warm, 1.1 * warm, warm, 0.85 * warm};
}

System system_of(const Member& member, const Size& size) {
  System s;
  s.model = member.preset.model;
  s.L = size.L;
  s.betas = betas_of(member.preset, member.method);
  s.first_sample = size.first_sample;
  s.samples = size.samples;
  s.replicas = member.preset.has_disorder() || member.method == Method::tempering ? size.replicas : 1;
  s.seed = 0xFFFFFFFF;
  s.start = member.method == Method::equilibrium ? Start::ordered : Start::random;
  s.couplings = member.preset.has_random_bonds() ? Couplings::bimodal : Couplings::ferromagnet;
  s.h = member.preset.has_field() ? 1 : 0;
  s.round.half_sweeps = member.method == Method::relaxation ? 1 : 2;
  if (member.method == Method::tempering && member.preset.has_random_bonds()) s.link_overlap_slots = {0, 2, 3};
  s.round.rounds_per_sum = member.method == Method::tempering ? 1 : 0;
  return s;
}

/// The same with one number for 32 samples, where that is allowed.
void add_random_modes(const std::string& name, System s, std::vector<NamedSystem>& all) {
  all.push_back({name, s});
  if (!s.preset().has_random_bonds() || s.preset().has_field()) return;
  s.random = Random::shared;
  all.push_back({name + "_shared", s});
}

/// Fields of every strength: none, weak, those which balance two, four and six bonds, beyond all bonds, no couplings.
void add_fields(const Member& member, const Size& size, std::vector<NamedSystem>& all) {
  if (!member.preset.has_field()) return;
  struct Energy {
    const char* name;
    double J, h;
  };
  for (const Energy& energy : {Energy{"no_field", 1, 0},
                               {"weak_field", 1, 0.37},
                               {"field_of_ties", 1, 2},
                               {"field_of_ties_of_four_bonds", 1, 4},
                               {"field_of_ties_of_six_bonds", 1, 6},
                               {"strong_field", 0.5, 6.5},
                               {"no_coupling", 0, 1}}) {
    System s = system_of(member, size);
    s.J = energy.J;
    s.h = energy.h;
    all.push_back({energy.name, s});
  }
}

/// Random bonds of which all, none or some are -1.
void add_fractions(const Member& member, const Size& size, std::vector<NamedSystem>& all) {
  if (!member.preset.has_random_bonds()) return;
  for (const auto& [name, p] : {std::pair{"p_0", 0.0}, {"p_0.11", 0.11}, {"p_0.75", 0.75}, {"p_1", 1.0}}) {
    System s = system_of(member, size);
    s.p = p;
    if (p > 0 && p < 1)
      add_random_modes(name, s, all);
    else
      all.push_back({name, s});
  }
}

/// Every integer that exists, measured or not by default.
System with_all_integers(System s) {
  for (const IntegerInfo& info : integer_table)
    if (info.integer != Integer::field_sum || s.preset().has_field()) s.also.add(info.integer);
  return s;
}

std::vector<NamedSystem> relaxation_systems(const Member& member) {
  std::vector<NamedSystem> all;
  add_random_modes("L4_many_samples", system_of(member, {4, 29, 550, 1}), all);  // more than the widest word has bits
  add_random_modes("L6", system_of(member, {6, 31, 70, 3}), all);
  add_random_modes("L10", system_of(member, {10, 7, 33, 2}), all);
  add_random_modes("L4_five_replicas", system_of(member, {4, (1ULL << 45) - 45, 45, 5}), all);
  all.push_back({"L6_all_integers", with_all_integers(system_of(member, {6, 5, 40, 3}))});
  add_fields(member, {4, 29, 70, 2}, all);
  add_fractions(member, {6, 29, 550, 2}, all);
  return all;
}

std::vector<NamedSystem> equilibrium_systems(const Member& member) {
  std::vector<NamedSystem> all;
  add_random_modes("L4", system_of(member, {4, (1ULL << 37) - 50, 97, 2}), all);
  add_random_modes("L8", system_of(member, {8, 63, 35, 2}), all);
  for (const double beta : {1e-20, 4.0, 1e3}) {  // thresholds of 2^32 - 1 and 0
    System s = system_of(member, {4, 3, 45, 2});
    s.betas = {beta};
    s.start = Start::random;
    add_random_modes(beta < 1 ? "hot" : beta < 100 ? "cold" : "frozen", s, all);
  }
  if (member.preset.field == ModelField::uniform && !member.preset.has_random_bonds()) {
    all.push_back({"L8_without_field", system_of(member, {8, 63, 35, 2})});
    all.back().system.h = 0;
  }
  if (!member.preset.packs_sites()) return all;
  for (const Start start : {Start::random, Start::ordered}) {
    for (const int L : {64, 128}) {
      System s = system_of(member, {L, 3, 3, 1});
      s.h = 0;
      s.packing = Packing::sites;
      s.start = start;
      all.push_back({"sites_L" + std::to_string(L), s});
    }
  }
  return all;
}

std::vector<NamedSystem> tempering_systems(const Member& member) {
  std::vector<NamedSystem> all;
  all.push_back({"L4_many_samples", system_of(member, {4, 29, 550, 2})});
  all.push_back({"L6", system_of(member, {6, 31, 40, 2})});
  System ordered = system_of(member, {4, 7, 33, 2});
  ordered.start = Start::ordered;
  ordered.betas.resize(2);
  if (!ordered.link_overlap_slots.empty()) ordered.link_overlap_slots = {1};
  ordered.round = {4, 2};
  all.push_back({"two_slots_every_second_round_summed", ordered});
  System chosen = system_of(member, {4, 0, 64, 2});
  chosen.packs = {3, 1ULL << 33};
  all.push_back({"chosen_packs", chosen});
  add_fields(member, {4, 29, 40, 2}, all);
  add_random_modes("four_replicas", system_of(member, {4, 29, 40, 4}), all);
  add_random_modes("L6_four_replicas", system_of(member, {6, 60, 40, 4}), all);
  add_random_modes("five_replicas", system_of(member, {4, 5, 40, 5}), all);
  add_fractions(member, {4, 29, 40, 4}, all);
  return all;
}

}  // namespace

std::string name_of(const Member& member) {
  const Preset& p = member.preset;
  std::string name(p.name);
  if (name.empty()) {
    name = std::to_string(p.dimension) + "d_";
    name.append(psflip::name_of(p.couplings)).append("_").append(psflip::name_of(p.field));
  }
  return name.append("_").append(psflip::name_of(member.method));
}

std::vector<Member> named_members() {
  std::vector<Member> all;
  for (const Preset& preset : presets)
    for (const Method method : {Method::relaxation, Method::equilibrium, Method::tempering})
      all.push_back({preset, method});
  return all;
}

std::vector<Member> all_members() {
  std::vector<Member> all = named_members();
  for (const Preset& unnamed : unnamed_presets) {
    const bool is_named = std::any_of(std::begin(presets), std::end(presets), [&](const Preset& p) {
      return p.dimension == unnamed.dimension && p.couplings == unnamed.couplings && p.field == unnamed.field;
    });
    if (is_named) continue;
    for (const Method method : {Method::relaxation, Method::equilibrium, Method::tempering})
      all.push_back({unnamed, method});
  }
  return all;
}

std::vector<NamedSystem> systems_of(const Member& member) {
  if (member.method == Method::relaxation) return relaxation_systems(member);
  return member.method == Method::equilibrium ? equilibrium_systems(member) : tempering_systems(member);
}

}  // namespace psflip::equality
