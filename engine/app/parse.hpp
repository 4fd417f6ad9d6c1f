#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "engine/driver/engine.hpp"

/// Texts of the command line as values; everything throws UserError.
namespace psflip::app {

/// One of `names`, as its index; a UserError names the nearest otherwise.
int choice(const std::string& option, const std::string& value, const std::vector<std::string>& names);

double parse_real(const std::string& option, const std::string& text);
std::uint64_t not_negative(const std::string& option, std::int64_t value);
std::uint32_t parse_seed(std::int64_t seed);

/// FIRST:COUNT to the samples of `system`.
void parse_samples(const std::string& samples, System& system);

}  // namespace psflip::app
