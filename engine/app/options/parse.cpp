#include "engine/app/options/parse.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

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
  const std::string meant = nearest(value, names);
  if (edit_distance(value, meant) > value.size() / 2)  // nothing like it
    throw UserError(
        fmt::format("{} {}: unknown value, give one of {}.", option, shortened(value), fmt::join(names, ", ")));
  throw UserError(fmt::format("{} {}: unknown value, did you mean {}?", option, shortened(value), meant));
}

std::string shortened(const std::string& text) {
  constexpr std::size_t longest = 60;
  return text.size() <= longest ? text : fmt::format("{}... ({} characters)", text.substr(0, 20), text.size());
}

namespace {

/// False if the text is no number of the type; throws UserError if it is one that exceeds the type.
template <class T>
bool read_number(const std::string& option, const std::string& text, const char* type, T& value) {
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error == std::errc::result_out_of_range && end == last)
    throw UserError(
        fmt::format("{} {}: the number exceeds the range of {}, give one within it.", option, shortened(text), type));
  return error == std::errc{} && end == last;
}

/// `whole` is the text of the user.
double parse_real(const std::string& option, const std::string& text, const std::string& whole) {
  double value = 0;
  if (!read_number(option, text, "double precision", value))
    throw UserError(fmt::format("{} \"{}\": expected a list of numbers with commas between them, for example 0.9,1.1.",
                                option, shortened(whole)));
  return value;
}

/// 010 and 0x10 have another meaning in some languages.
bool is_decimal(const std::string& text) {
  const std::size_t first = text.find_first_not_of('-');
  return first != std::string::npos && (text[first] != '0' || first + 1 == text.size());
}

}  // namespace

void require_number(const std::string& option, const std::string& text, bool is_whole) {
  double real = 0;
  std::int64_t integer = 0;
  if (is_whole && !(read_number(option, text, "64 bits", integer) && is_decimal(text)))
    throw UserError(
        fmt::format("{} {}: a whole number in decimal digits is needed, for example 8.", option, shortened(text)));
  if (!is_whole && !read_number(option, text, "double precision", real))
    throw UserError(fmt::format("{} {}: a number is needed, for example 0.5.", option, shortened(text)));
}

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
  const std::size_t colon = text.find(':');
  if (colon != std::string::npos && read_number(option, text.substr(0, colon), "64 bits", first) &&
      read_number(option, text.substr(colon + 1), "64 bits", second))
    return {first, second};
  throw UserError(fmt::format("{} {}: expected {} with two whole numbers, for example {}.", option, shortened(text),
                              form, example));
}

std::vector<std::uint64_t> parse_sweeps(const std::string& option, const std::string& text) {
  std::set<std::uint64_t> sweeps;
  for (std::size_t begin = 0, comma = 0; comma != std::string::npos; begin = comma + 1) {
    comma = text.find(',', begin);
    std::uint64_t value = 0;
    if (!read_number(option, text.substr(begin, comma - begin), "64 bits", value))
      throw UserError(
          fmt::format("{} {}: expected last, or numbers of sweeps with commas between them, for example 1,8,64.",
                      option, shortened(text)));
    sweeps.insert(value);
  }
  return {sweeps.begin(), sweeps.end()};
}

std::vector<std::size_t> parse_slots(const std::string& option, const std::vector<std::string>& items) {
  const std::string text = fmt::format("{}", fmt::join(items, ","));
  std::set<std::size_t> slots;
  for (std::size_t begin = 0, comma = 0; comma != std::string::npos; begin = comma + 1) {
    comma = text.find(',', begin);
    std::size_t slot = 0;
    if (!read_number(option, text.substr(begin, comma - begin), "64 bits", slot))
      throw UserError(fmt::format("{} {}: expected numbers of slots with commas between them, for example 0,5.", option,
                                  shortened(text)));
    if (!slots.insert(slot).second)
      throw UserError(fmt::format("{} {}: names slot {} twice, name it once.", option, shortened(text), slot));
  }
  return {slots.begin(), slots.end()};
}

void parse_samples(const std::string& samples, System& system) {
  std::tie(system.first_sample, system.samples) = parse_pair("--samples", samples, "FIRST:COUNT", "0:512");
}

}  // namespace psflip::app
