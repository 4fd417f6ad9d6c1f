#include "analysis/ensemble/own_numbers.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "engine/models/model.hpp"
#include "engine/random/system_tag.hpp"
#include "tests/unit/temporary_folder.hpp"

// Which systems share random numbers: those whose tags of 24 bits are equal (docs/randomness.md).
namespace psflip::analysis {
namespace {

io::LabelledFile reduced(const std::string& name, const std::string& model, std::int64_t L, std::vector<double> T) {
  io::LabelledFile file;
  file.path = name;
  file.attributes = {{"model", model}, {"L", L}, {"seed", std::int64_t{1}}};
  std::vector<double> betas;
  for (const double t : T) betas.push_back(1 / t);
  file.axes = {{"temperature", T, "", ""}};
  file.datasets = {{"beta", {"temperature"}, betas, "", ""}};
  return file;
}

io::LabelledFile tempered(const std::string& name, double h, std::vector<double> T) {
  io::LabelledFile file = reduced(name, "rfim3d", 8, std::move(T));
  file.attributes["J"] = 1.0;
  file.attributes["h"] = h;
  return file;
}

TEST(OwnNumbers, files_of_one_system_and_of_systems_with_other_tags_are_accepted) {
  const auto square = reduced("a", "ising2d", 32, {0.998}), other = reduced("b", "ising2d", 32, {2.1841});
  EXPECT_NO_THROW(require_own_numbers({square, square, other, reduced("c", "ising2d", 64, {2.184})}));
  EXPECT_NO_THROW(
      require_own_numbers({tempered("a", 1, {3.5, 4}), tempered("b", 1, {3.5, 4, 5}), tempered("a", 2, {3.5, 4})}));
}

TEST(OwnNumbers, two_temperatures_with_one_tag_are_refused_unless_their_seeds_differ) {
  const auto square = reduced("a", "ising2d", 32, {0.998});
  auto other = reduced("b", "ising2d", 32, {2.0, 2.184});
  const std::string why = test::refusal([&] { require_own_numbers({square, other}); });
  EXPECT_NE(why.find("a (ising2d, L = 32, T = 0.998) and b (ising2d, L = 32, T = 2.184)"), std::string::npos) << why;
  EXPECT_TRUE(test::is_one_sentence(why)) << why;
  other.attributes["seed"] = std::int64_t{2};
  EXPECT_NO_THROW(require_own_numbers({square, other}));
}

TEST(OwnNumbers, two_grids_with_one_tag_are_refused) {
  const double one = 4 + 1842 / 1000.0, other = 4 + 4374 / 1000.0;
  EXPECT_NE(test::refusal([&] {
              require_own_numbers({tempered("a", 1, {3.5, one}), tempered("b", 1, {3.5, other})});
            }).find("a (rfim3d, L = 8) and b (rfim3d, L = 8)"),
            std::string::npos);
}

TEST(OwnNumbers, temperatures_in_a_field_that_do_not_exchange_have_tags_of_their_own) {
  const auto fixed = [](const std::string& name, std::vector<double> T) {
    io::LabelledFile file = tempered(name, 1, std::move(T));
    file.attributes["method"] = std::string("relaxation");
    return file;
  };
  // Each is a grid of one temperature: the same file may hold it alone or with others.
  EXPECT_NO_THROW(require_own_numbers({fixed("a", {3.5, 4}), fixed("b", {4, 5}), tempered("c", 1, {3.5, 4})}));
  const auto tag = [](double T) { return system_tag(2, 8, grid_hash(1, 1, 0.5, std::vector{1 / T})); };
  std::map<std::uint32_t, double> seen;
  for (double T = 3.0;; T += 1.0 / 1024) {
    const auto [other, is_new] = seen.try_emplace(tag(T), T);
    if (is_new) continue;
    EXPECT_NE(test::refusal([&] {
                require_own_numbers({fixed("a", {other->second}), fixed("b", {T})});
              }).find("a (rfim3d, L = 8, T = "),
              std::string::npos);
    break;
  }
}

TEST(OwnNumbers, the_disorder_of_all_models_and_sizes_has_tags_of_its_own) {
  std::set<std::uint32_t> tags;
  std::size_t count = 0;
  for (const Preset& preset : presets)
    for (std::uint32_t L = 4; L <= 256; L += 2, ++count)
      tags.insert(system_tag(static_cast<std::uint32_t>(preset.model), L, 0));
  EXPECT_EQ(tags.size(), count);
}

}  // namespace
}  // namespace psflip::analysis
