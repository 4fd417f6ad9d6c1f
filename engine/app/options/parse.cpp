#include "engine/app/options/parse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <tuple>

#include "engine/app/options/nearest.hpp"
#include "engine/io/error.hpp"

namespace psflip::app {

int choice(const std::string& option, const std::string& value, const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (value == names[i]) return static_cast<int>(i);
  throw UserError(fmt::format("{} {}: unknown value, did you mean {}?", option, value, nearest(value, names)));
}

namespace {

/// `whole` is the text of the user.
double parse_real(const std::string& option, const std::string& text, const std::string& whole) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size())
    throw UserError(fmt::format("{} \"{}\": expected a list of numbers with commas between them, for example 0.9,1.1.",
                                option, whole));
  return value;
}

}  // namespace

std::vector<double> parse_reals(const std::string& option, const std::vector<std::string>& items) {
  std::vector<double> values;
  for (const std::string& item : items)
    for (std::size_t begin = 0, comma = 0; comma != std::string::npos; begin = comma + 1) {
      comma = item.find(',', begin);
      values.push_back(parse_real(option, item.substr(begin, comma - begin), item));
    }
  return values;
}

void require_seconds(const std::string& option, double value) {
  if (std::isfinite(value) && value >= 0) return;
  throw UserError(
      fmt::format("{} {}: a time is a finite number of seconds that is not negative, for example 600.", option, value));
}

std::uint64_t not_negative(const std::string& option, std::int64_t value) {
  if (value < 0)
    throw UserError(fmt::format("{} {}: must not be negative, see psflip --help for its meaning.", option, value));
  return static_cast<std::uint64_t>(value);
}

std::uint32_t parse_seed(std::int64_t seed) {
  if (seed < 0 || seed > 0xffffffff)
    throw UserError(fmt::format("--seed {}: a seed is a whole number from 0 to 4294967295.", seed));
  return static_cast<std::uint32_t>(seed);
}

std::pair<std::uint64_t, std::uint64_t> parse_pair(const std::string& option, const std::string& text,
                                                   const std::string& form, const std::string& example) {
  std::uint64_t first = 0, second = 0;
  const char* const last = text.data() + text.size();
  const auto [colon, error] = std::from_chars(text.data(), last, first);
  const bool parted = error == std::errc{} && colon != last && *colon == ':';
  if (parted) {
    const auto [end, wrong] = std::from_chars(colon + 1, last, second);
    if (wrong == std::errc{} && end == last) return {first, second};
  }
  throw UserError(
      fmt::format("{} {}: expected {} with two whole numbers, for example {}.", option, text, form, example));
}

std::vector<std::uint64_t> parse_sweeps(const std::string& option, const std::string& text) {
  std::set<std::uint64_t> sweeps;
  for (const char *from = text.data(), *const last = from + text.size();; ++from) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(from, last, value);
    if (error != std::errc{} || (end != last && *end != ','))
      throw UserError(fmt::format(
          "{} {}: expected last, or numbers of sweeps with commas between them, for example 1,8,64.", option, text));
    sweeps.insert(value);
    if (end == last) return {sweeps.begin(), sweeps.end()};
    from = end;
  }
}

void parse_samples(const std::string& samples, System& system) {
  std::tie(system.first_sample, system.samples) = parse_pair("--samples", samples, "FIRST:COUNT", "0:512");
}

}  // namespace psflip::app
