#pragma once
#include <fmt/format.h>

#include "engine/io/error.hpp"
#include "engine/io/labelled_file.hpp"

namespace psflip::analysis {

/// Throws UserError unless the dataset is there and has these axes.
inline void require_axes(const io::LabelledFile& file, const std::string& name, const std::vector<std::string>& axes) {
  if (file.dataset(name).axes != axes)
    throw UserError(
        fmt::format("Cannot use {}: its dataset {} is not over the axes {}; simulate it again with this program.",
                    file.path.string(), name, fmt::join(axes, ", ")));
}

/// The values of a dataset; UserError when it is missing, or its type or axes are not these.
template <class T>
const std::vector<T>& field(const io::LabelledFile& file, const std::string& name,
                            const std::vector<std::string>& axes) {
  require_axes(file, name, axes);
  return file.values<T>(name);
}

}  // namespace psflip::analysis
