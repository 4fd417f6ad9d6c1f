#include "analysis/app/tables/csv.hpp"

#include <fmt/format.h>

#include <cmath>

namespace psflip::app {

std::string number(double value) { return std::isnan(value) ? "nan" : fmt::format("{:.10g}", value); }

std::string number_or_empty(double value) { return std::isnan(value) ? "" : number(value); }

std::string flag_or_empty(const std::optional<bool>& flag) { return flag ? (*flag ? "1" : "0") : ""; }

std::string coordinate(double value) { return fmt::format("{}", value); }

std::string coordinate_or_empty(double value) { return std::isnan(value) ? "" : coordinate(value); }

std::string line(const std::vector<std::string>& fields) { return fmt::format("{}\n", fmt::join(fields, ",")); }

}  // namespace psflip::app
