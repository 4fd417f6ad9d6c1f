#include "analysis/ensemble/own_numbers.hpp"

#include <fmt/format.h>

#include <bit>
#include <map>

#include "analysis/ensemble/ensemble.hpp"
#include "engine/io/error.hpp"
#include "engine/random/system_tag.hpp"

namespace psflip::analysis {

namespace {

/// The inputs of the tag of a system.
struct TaggedSystem {
  Model model;
  std::int64_t L;
  std::uint64_t bits;  ///< of beta, or the hash of J, h, p and all temperatures that exchange
  std::string text;    ///< for a message

  std::uint32_t tag() const {
    return system_tag(static_cast<std::uint32_t>(model), static_cast<std::uint32_t>(L), bits);
  }
  bool operator==(const TaggedSystem& other) const {
    return model == other.model && L == other.L && bits == other.bits;
  }
};

std::vector<TaggedSystem> systems_of(const io::LabelledFile& file) {
  const Model model = model_named(file.text("model")).value();
  const std::int64_t L = file.integer("L");
  const auto& betas = file.values<double>("beta");
  const std::string text = fmt::format("{} ({}, L = {}", file.path.string(), file.text("model"), L);
  const auto real_or = [&](const char* name, double otherwise) {
    return file.attributes.contains(name) ? file.real(name) : otherwise;
  };
  const double J = real_or("J", 1), h = real_or("h", 0), p = real_or("p", 0.5);
  if (method_of(file) == Method::tempering && betas.size() > 1)
    return {{model, L, grid_hash(J, h, p, betas), fmt::format("{})", text)}};
  const bool plain = !preset_of(model).has_random_field() && h == 0 && p == 0.5;
  std::vector<TaggedSystem> systems;
  for (std::size_t t = 0; t < betas.size(); ++t)
    systems.push_back({model, L,
                       plain ? std::bit_cast<std::uint64_t>(betas[t]) : grid_hash(J, h, p, std::vector{betas[t]}),
                       fmt::format("{}, T = {})", text, file.values<double>("temperature").at(t))});
  return systems;
}

}  // namespace

void require_own_numbers(const std::vector<io::LabelledFile>& files) {
  std::map<std::pair<std::int64_t, std::uint32_t>, TaggedSystem> by_key;
  for (const io::LabelledFile& file : files)
    for (const TaggedSystem& system : systems_of(file)) {
      const auto [other, is_new] = by_key.try_emplace({file.integer("seed"), system.tag()}, system);
      if (!is_new && !(other->second == system))
        throw UserError(
            fmt::format("Cannot combine {} and {}: both have used the same random numbers (their 24-bit "
                        "tags are equal); simulate one of them at another temperature or with another "
                        "seed.",
                        other->second.text, system.text));
    }
}

}  // namespace psflip::analysis
