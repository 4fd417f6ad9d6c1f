#include "engine/app/parse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "engine/app/nearest.hpp"
#include "engine/io/error.hpp"

namespace psflip::app {

int choice(const std::string& option, const std::string& value, const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (value == names[i]) return static_cast<int>(i);
  throw UserError(fmt::format("{} {}: unknown value, did you mean {}?", option, value, nearest(value, names)));
}

namespace {

std::uint64_t parse_number(const std::string& text, const std::string& whole) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty())
    throw UserError(
        fmt::format("--samples {}: expected FIRST:COUNT with two whole numbers, for example 0:512.", whole));
  return value;
}

}  // namespace

double parse_real(const std::string& option, const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size())
    throw UserError(fmt::format("{} \"{}\": expected a list of numbers with commas between them, for example 0.9,1.1.",
                                option, text));
  return value;
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

void parse_samples(const std::string& samples, System& system) {
  const std::size_t colon = std::min(samples.find(':'), samples.size());
  system.first_sample = parse_number(samples.substr(0, colon), samples);
  system.samples = parse_number(colon < samples.size() ? samples.substr(colon + 1) : "", samples);
}

}  // namespace psflip::app
