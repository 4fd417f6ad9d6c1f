#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/models/model.hpp"

/// The integers that engines measure of a configuration or of a pair of replicas.
namespace psflip {

/// In the order in which files list them.
enum class Integer : std::size_t {
  bond_sum,
  field_sum,
  magnetization,
  magnetization_k2,
  overlap,
  overlap_k2,
  link_overlap
};
inline constexpr std::size_t integer_count = 7;

enum class Scope { replica, pair };
enum class Kind { sum, fourier };  ///< of values +-1; k2 of docs/file-format.md of the same field
enum class Over { sites, bonds };

struct IntegerInfo {
  Integer integer;
  std::string_view name;  ///< of the dataset
  Scope scope;
  Kind kind;
  Over over;
  std::string_view description;
};

inline constexpr std::array<IntegerInfo, integer_count> integer_table = {
    {{Integer::bond_sum, "bond_sum", Scope::replica, Kind::sum, Over::bonds, "sum over bonds of J s s"},
     {Integer::field_sum, "field_sum", Scope::replica, Kind::sum, Over::sites, "sum of h_i s_i"},
     {Integer::magnetization, "magnetization", Scope::replica, Kind::sum, Over::sites, "sum of s"},
     {Integer::magnetization_k2, "magnetization_k2", Scope::replica, Kind::fourier, Over::sites,
      "1024 x squared modulus of the Fourier component of s at 2 pi / L, summed over axes"},
     {Integer::overlap, "overlap", Scope::pair, Kind::sum, Over::sites, "sum of s^a s^b"},
     {Integer::overlap_k2, "overlap_k2", Scope::pair, Kind::fourier, Over::sites,
      "1024 x squared modulus of the Fourier component of s^a s^b at 2 pi / L, summed over axes"},
     {Integer::link_overlap, "link_overlap", Scope::pair, Kind::sum, Over::bonds,
      "sum over bonds of the product of s s of replica a and of replica b"}}};

constexpr const IntegerInfo& info_of(Integer integer) { return integer_table[static_cast<std::size_t>(integer)]; }

/// Whether every job of the model measures the integer. The lists of the presets of 0.1 are part of the file format.
constexpr bool is_measured_of(Integer integer, const Preset& preset) {
  switch (integer) {
    case Integer::bond_sum:
    case Integer::magnetization:
      return true;
    case Integer::field_sum:
      return preset.has_random_field();
    case Integer::magnetization_k2:
      return !preset.has_random_bonds();
    case Integer::overlap:
    case Integer::overlap_k2:
      return preset.has_disorder();
    case Integer::link_overlap:
      return false;
  }
  return false;
}

/// Whether a job of the model may measure the integer in addition, which it does not by default.
constexpr bool is_optional_of(Integer integer, const Preset& preset) {
  switch (integer) {
    case Integer::magnetization_k2:
    case Integer::link_overlap:
      return preset.has_random_bonds();
    default:
      return false;
  }
}

/// A set of integers.
struct IntegerSet {
  std::uint32_t bits = 0;
  constexpr bool has(Integer integer) const { return (bits >> static_cast<std::size_t>(integer)) & 1u; }
  constexpr void add(Integer integer) { bits |= 1u << static_cast<std::size_t>(integer); }
};

constexpr IntegerSet optional_integers_of(const Preset& preset) {
  IntegerSet all;
  for (const IntegerInfo& info : integer_table)
    if (is_optional_of(info.integer, preset)) all.add(info.integer);
  return all;
}

}  // namespace psflip
