#include "mutations.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <type_traits>

namespace psflip::fuzz {
namespace {

std::size_t below(std::size_t count, Random& random) { return random() % count; }

template <class T>
T extreme(Random& random) {
  const std::array<T, 6> values = {T(0), T(-1),      std::numeric_limits<T>::lowest(), std::numeric_limits<T>::max(),
                                   T(1), T(random())};
  return values[below(values.size(), random)];
}

template <>
double extreme<double>(Random& random) {
  using limits = std::numeric_limits<double>;
  const std::array<double, 8> values = {0,
                                        -1,
                                        limits::quiet_NaN(),
                                        limits::infinity(),
                                        limits::max(),
                                        limits::denorm_min(),
                                        -limits::infinity(),
                                        static_cast<double>(random())};
  return values[below(values.size(), random)];
}

void change_value(io::Values& values, Random& random) {
  std::visit(
      [&]<class T>(std::vector<T>& all) {
        if (!all.empty()) all[below(all.size(), random)] = extreme<T>(random);
      },
      values);
}

void change_type(io::Values& values, Random& random) {
  const auto as = [&]<class To>(To) {
    std::vector<To> converted;
    std::visit([&](const auto& all) { converted.assign(all.size(), To(1)); }, values);
    values = std::move(converted);
  };
  switch (below(4, random)) {
    case 0:
      return as(std::int8_t{});
    case 1:
      return as(std::int32_t{});
    case 2:
      return as(std::int64_t{});
    default:
      return as(double{});
  }
}

/// An axis of another length, and all its datasets with it.
void change_length(io::LabelledFile& file, Random& random) {
  io::Axis& axis = file.axes[below(file.axes.size(), random)];
  const std::size_t before = io::size(axis.values), after = below(2 * before + 2, random);
  std::visit([&](auto& all) { all.resize(after); }, axis.values);
  for (io::Dataset& dataset : file.datasets) {
    const auto times = std::count(dataset.axes.begin(), dataset.axes.end(), axis.name);
    if (times != 1) continue;
    std::size_t count = after;
    for (const std::string& other : dataset.axes)
      if (other != axis.name) count *= io::size(file.axis(other).values);
    std::visit([&](auto& all) { all.resize(count); }, dataset.values);
  }
}

void change_attribute(io::LabelledFile& file, Random& random) {
  if (file.attributes.empty()) return;
  const auto at =
      std::next(file.attributes.begin(), static_cast<std::ptrdiff_t>(below(file.attributes.size(), random)));
  switch (below(4, random)) {
    case 0:
      file.attributes.erase(at);
      return;
    case 1:
      at->second = extreme<std::int64_t>(random);
      return;
    case 2:
      at->second = extreme<double>(random);
      return;
    default:
      at->second = std::string(below(3, random) == 0 ? 3000 : 3, 'x');
  }
}

void change_dataset(io::LabelledFile& file, Random& random) {
  const std::size_t at = below(file.datasets.size(), random);
  io::Dataset& dataset = file.datasets[at];
  switch (below(4, random)) {
    case 0:
      file.datasets.erase(file.datasets.begin() + static_cast<std::ptrdiff_t>(at));
      return;
    case 1:
      dataset.name += "_renamed";
      return;
    case 2:
      return change_type(dataset.values, random);
    default:
      return change_value(dataset.values, random);
  }
}

/// Same type, length and values; NaN as well.
bool same_bytes(const io::Values& a, const io::Values& b) {
  if (a.index() != b.index() || io::size(a) != io::size(b)) return false;
  return std::visit(
      [&](const auto& one) {
        const auto first = std::as_bytes(std::span(one));
        const auto second = std::as_bytes(std::span(std::get<std::decay_t<decltype(one)>>(b)));
        return std::equal(first.begin(), first.end(), second.begin());
      },
      a);
}

template <class Entry>
const Entry* find(const std::vector<Entry>& entries, const std::string& name) {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.name == name; });
  return found == entries.end() ? nullptr : &*found;
}

}  // namespace

std::string wrong_number(const io::LabelledFile& read, const io::LabelledFile& valid) {
  for (const io::Axis& axis : read.axes) {
    const io::Axis* own = find(valid.axes, axis.name);
    if (own != nullptr && !same_bytes(axis.values, own->values)) return "axis " + axis.name;
  }
  for (const io::Dataset& dataset : read.datasets) {
    const io::Dataset* own = find(valid.datasets, dataset.name);
    if (own == nullptr) continue;
    if (dataset.axes != own->axes) return "axes of " + dataset.name;
    if (!same_bytes(dataset.values, own->values)) return "dataset " + dataset.name;
  }
  return {};
}

std::string wrong_content(const io::LabelledFile& read, const io::LabelledFile& stated) {
  for (const auto& [name, value] : stated.attributes)
    if (const auto found = read.attributes.find(name); found == read.attributes.end() || found->second != value)
      if (name != "complete") return "attribute " + name;
  if (read.axes.size() != stated.axes.size() || read.datasets.size() != stated.datasets.size()) return "its entries";
  return wrong_number(read, stated);
}

io::Bytes with_changed_bytes(io::Bytes image, Random& random) {
  const std::size_t changes = 1 + below(3, random);
  for (std::size_t i = 0; i < changes; ++i) {
    std::byte& byte = image[below(image.size(), random)];
    switch (below(4, random)) {
      case 0:
        byte = static_cast<std::byte>(random());
        break;
      case 1:
        byte = random() % 2 == 0 ? std::byte{0xff} : std::byte{0};
        break;
      case 2: {
        const std::size_t length = std::min<std::size_t>(1 + below(16, random), image.size() / 2);
        const std::size_t from = below(image.size() - length, random), to = below(image.size() - length, random);
        std::copy_n(image.begin() + static_cast<std::ptrdiff_t>(from), length,
                    image.begin() + static_cast<std::ptrdiff_t>(to));
        break;
      }
      default:
        byte ^= static_cast<std::byte>(1u << below(8, random));
    }
  }
  return image;
}

io::LabelledFile with_changed_content(io::LabelledFile file, Random& random) {
  switch (below(4, random)) {
    case 0:
      change_attribute(file, random);
      break;
    case 1:
      change_value(file.axes[below(file.axes.size(), random)].values, random);
      break;
    case 2:
      change_length(file, random);
      break;
    default:
      change_dataset(file, random);
  }
  return file;
}

}  // namespace psflip::fuzz
