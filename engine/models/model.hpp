#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace psflip {

/// The values are part of the randomness contract (docs/randomness.md).
enum class Model : std::uint32_t { ea3d = 0, ising2d = 1, rfim3d = 2 };

/// Names on command lines and in files, in the order of the values.
inline constexpr std::array<std::string_view, 3> model_names = {"ea3d", "ising2d", "rfim3d"};

inline constexpr std::string_view model_name(Model model) { return model_names[static_cast<std::size_t>(model)]; }

inline constexpr std::optional<Model> model_named(std::string_view name) {
  for (std::size_t i = 0; i < model_names.size(); ++i)
    if (model_names[i] == name) return static_cast<Model>(i);
  return std::nullopt;
}

}  // namespace psflip
