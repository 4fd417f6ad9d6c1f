#include "engine/io/content.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "engine/io/chunks.hpp"
#include "engine/io/error.hpp"

namespace psflip::io::content {
namespace {

struct Receiver {
  Channel& from;
  const std::filesystem::path& path;
  LabelledFile file;
  std::map<std::string, std::uint64_t> lengths;    ///< of the axes
  std::vector<std::vector<std::uint64_t>> shapes;  ///< of the datasets

  [[noreturn]] void refuse(const std::string& reason) const {
    throw UserError(fmt::format("Cannot use {}: {}; make the file again with psflip.", path.string(), reason));
  }
  [[noreturn]] void refuse_failure() {
    throw UserError(
        fmt::format("Cannot use {}: HDF5 failed to {}, so psflip did not write it; give a file that psflip "
                    "wrote.",
                    path.string(), from.receive_text()));
  }

  void receive_attribute();
  void receive_entry(bool is_axis);
  Values receive_values(std::uint8_t type, const std::vector<std::uint64_t>& shape);
  void require_fitting_axes() const;
};

template <std::size_t i = 0>
Values empty_values(std::uint8_t index) {
  if constexpr (i + 1 < std::variant_size_v<Values>)
    if (index != i) return empty_values<i + 1>(index);
  return std::variant_alternative_t<i, Values>();
}

void Receiver::receive_attribute() {
  const std::string name = from.receive_text();
  Attribute value;
  switch (from.receive<std::uint8_t>()) {
    case 0:
      value = from.receive<std::int64_t>();
      break;
    case 1:
      value = from.receive<double>();
      break;
    default:
      value = from.receive_text();
  }
  if (const double* real = std::get_if<double>(&value); real != nullptr && !std::isfinite(*real))
    refuse(fmt::format("its attribute {} is {}, which is no finite number", name, *real));
  file.attributes.emplace(name, std::move(value));
}

Values Receiver::receive_values(std::uint8_t type, const std::vector<std::uint64_t>& shape) {
  Values values = empty_values(type);
  std::visit(
      [&]<class T>(std::vector<T>& all) {
        if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return;
        const std::vector<std::size_t> array(shape.begin(), shape.end());
        const Chunking pieces(array.empty() ? std::vector<std::size_t>{1} : array, sizeof(T));
        std::size_t count = 1;
        for (const std::size_t length : array) count *= length;
        all.resize(count);
        const auto bytes = std::as_bytes(std::span(all));
        for (std::size_t k = 0; k < pieces.count(); ++k) {
          const Tag tag = from.receive<Tag>();
          if (tag == failure) refuse_failure();
          if (tag != content::values) throw Disconnected();
          const auto part = pieces.part(bytes, k);
          from.receive(const_cast<std::byte*>(part.data()), part.size());
        }
      },
      values);
  return values;
}

void Receiver::receive_entry(bool is_axis) {
  const std::string name = from.receive_text(), units = from.receive_text(), description = from.receive_text();
  const auto type = from.receive<std::uint8_t>();
  std::vector<std::string> axes(from.receive<std::uint8_t>());
  std::vector<std::uint64_t> shape;
  for (std::string& one : axes) {
    one = from.receive_text();
    shape.push_back(from.receive<std::uint64_t>());
  }
  Values values = receive_values(type, shape);
  if (is_axis && axes.size() != 1) refuse(fmt::format("its axis {} is not a list", name));
  if (is_axis) {
    lengths[name] = shape[0];
    const auto* reals = std::get_if<std::vector<double>>(&values);
    if (reals != nullptr && !std::all_of(reals->begin(), reals->end(), [](double x) { return std::isfinite(x); }))
      refuse(fmt::format("its axis {} has values that are no finite numbers", name));
    file.axes.push_back({name, std::move(values), units, description});
    return;
  }
  shapes.push_back(std::move(shape));
  file.datasets.push_back({name, std::move(axes), std::move(values), units, description});
}

void Receiver::require_fitting_axes() const {
  for (std::size_t i = 0; i < file.datasets.size(); ++i)
    for (std::size_t d = 0; d < shapes[i].size(); ++d) {
      const std::string& axis = file.datasets[i].axes[d];
      const auto found = lengths.find(axis);
      if (found == lengths.end())
        refuse(fmt::format("its dataset {} lies over an axis {} that it does not have", file.datasets[i].name, axis));
      if (found->second != shapes[i][d])
        refuse(fmt::format("its dataset {} has {} values along {}, whose length is {}", file.datasets[i].name,
                           shapes[i][d], axis, found->second));
    }
}

}  // namespace

LabelledFile receive(Channel& from, const std::filesystem::path& path) {
  Receiver receiver{from, path, {}, {}, {}};
  for (Tag tag = from.receive<Tag>(); tag != end; tag = from.receive<Tag>()) {
    if (tag == failure) receiver.refuse_failure();
    if (tag == attribute)
      receiver.receive_attribute();
    else if (tag == axis || tag == dataset)
      receiver.receive_entry(tag == axis);
    else
      throw Disconnected();
  }
  receiver.require_fitting_axes();
  return std::move(receiver.file);
}

}  // namespace psflip::io::content
