#include "engine/driver/ranks.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace psflip {

namespace {

/// Sends the chunks of a file to all ranks, each with its length before it.
class Distribution {
 public:
  explicit Distribution(const Ranks& ranks) : ranks_(ranks) {}

  void operator()(std::size_t& n) const {
    auto value = static_cast<std::uint64_t>(n);
    ranks_.broadcast(&value, sizeof value);
    n = static_cast<std::size_t>(value);
  }
  void operator()(std::int64_t& value) const { ranks_.broadcast(&value, sizeof value); }
  void operator()(double& value) const { ranks_.broadcast(&value, sizeof value); }
  void operator()(std::string& text) const { elements(text); }
  template <class T>
  void operator()(std::vector<T>& values) const {
    elements(values);
  }
  void operator()(std::vector<std::string>& all) const {
    each(all, [&](std::string& text) { (*this)(text); });
  }
  template <class... T>
  void operator()(std::variant<T...>& value) const {
    std::size_t which = value.index();
    (*this)(which);
    std::size_t i = 0;
    ((which == i++ && which != value.index() ? void(value = T{}) : void()), ...);
    std::visit(*this, value);
  }

  template <class Entries, class Each>
  void each(Entries& entries, Each distribute) const {
    std::size_t n = entries.size();
    (*this)(n);
    entries.resize(n);
    for (auto& entry : entries) distribute(entry);
  }

 private:
  template <class Container>
  void elements(Container& values) const {
    std::size_t n = values.size();
    (*this)(n);
    values.resize(n);
    if (n > 0) ranks_.broadcast(values.data(), n * sizeof(values[0]));
  }

  const Ranks& ranks_;
};

}  // namespace

int Ranks::fail(const std::string& message, int exit_code) const {
  const std::string line = fmt::format("psflip: {}\n", message);
  std::fwrite(line.data(), 1, line.size(), stderr);  // unlike fmt::print this ignores a full log disk
  return exit_code;
}

bool Ranks::any(bool mine) const {
  std::vector<std::int64_t> sum = {mine ? 1 : 0};
  add_up(sum);
  return sum[0] != 0;
}

double Ranks::of_first(double value) const {
  broadcast(&value, sizeof value);
  return value;
}

void Ranks::broadcast(io::LabelledFile& file) const {
  const Distribution distribute(*this);
  std::vector<std::pair<std::string, io::Attribute>> attributes(file.attributes.begin(), file.attributes.end());
  distribute.each(attributes, [&](auto& attribute) {
    distribute(attribute.first);
    distribute(attribute.second);
  });
  file.attributes = {attributes.begin(), attributes.end()};
  const auto arrays = [&](auto& entry) {
    distribute(entry.name);
    distribute(entry.values);
    distribute(entry.units);
    distribute(entry.description);
  };
  distribute.each(file.axes, arrays);
  distribute.each(file.datasets, [&](io::Dataset& dataset) {
    arrays(dataset);
    distribute(dataset.axes);
  });
  std::string path = file.path.string();
  distribute(path);
  file.path = path;
}

Ranks& single_process() {
  static Ranks alone;
  return alone;
}

}  // namespace psflip
