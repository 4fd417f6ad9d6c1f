#pragma once
#include <string>
#include <vector>

namespace psflip::app {

/// A number of a table: 10 digits; "nan" for what the data do not determine.
std::string number(double value);
/// The same, but an empty field for NaN.
std::string number_or_empty(double value);
/// A coordinate (L, T, t, an option), in full precision.
std::string coordinate(double value);

/// One line of fields, ended by a newline. The fields need no quotes: they are numbers and names.
std::string line(const std::vector<std::string>& fields);

}  // namespace psflip::app
