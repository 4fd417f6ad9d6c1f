#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/models/system.hpp"

/// Texts of the command line as values; everything throws UserError.
namespace psflip::app {

/// One of `names`, as its index; a UserError names the nearest otherwise, or all of them.
int choice(const std::string& option, const std::string& value, const std::vector<std::string>& names);

/// A text of a user as an error quotes it: a long one is cut.
std::string shortened(const std::string& text);

/// Refuses a text that is no decimal number or exceeds its type: 64 bits, or double precision. CLI11 alone would take
/// the nearest number that fits, or an octal one.
void require_number(const std::string& option, const std::string& text, bool is_whole);

/// Numbers with commas between them; an item may hold several.
std::vector<double> parse_reals(const std::string& option, const std::vector<std::string>& items);
/// A finite time in seconds, not negative.
void require_seconds(const std::string& option, double value);
std::uint64_t not_negative(const std::string& option, std::int64_t value);
std::uint32_t parse_seed(std::int64_t seed);

/// Two whole numbers with a colon between them; a UserError names their `form` and an example.
std::pair<std::uint64_t, std::uint64_t> parse_pair(const std::string& option, const std::string& text,
                                                   const std::string& form, const std::string& example);

/// Numbers of sweeps with commas between them, sorted, each once.
std::vector<std::uint64_t> parse_sweeps(const std::string& option, const std::string& text);

/// Numbers of temperature slots with commas between them, sorted; an item may hold several. Each stands there once.
std::vector<std::size_t> parse_slots(const std::string& option, const std::vector<std::string>& items);

/// FIRST:COUNT to the samples of `system`.
void parse_samples(const std::string& samples, System& system);

}  // namespace psflip::app
