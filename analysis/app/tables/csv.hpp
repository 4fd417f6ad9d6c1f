#pragma once
#include <optional>
#include <string>
#include <vector>

namespace psflip::app {

/// A number of a table: 10 digits; "nan" if the data do not determine it.
std::string number(double value);
/// The same, but an empty field for NaN.
std::string number_or_empty(double value);
/// 1, 0, or an empty field if unknown.
std::string flag_or_empty(const std::optional<bool>& flag);
/// A coordinate (L, T, t, an option), in full precision.
std::string coordinate(double value);
std::string coordinate_or_empty(double value);

/// One line of fields, ended by a newline. The fields need no quotes: they are numbers and names.
std::string line(const std::vector<std::string>& fields);

}  // namespace psflip::app
