#include "engine/io/array_file.hpp"

#include <fmt/format.h>

#include "engine/io/array_reader.hpp"
#include "engine/io/child_process.hpp"
#include "engine/io/error.hpp"
#include "engine/io/hdf5.hpp"

namespace psflip::io {

/// The process that reads the file.
struct ArrayFile::Reader : ChildProcess {
  explicit Reader(Bytes& bytes)
      : ChildProcess(bytes.size(), [&](Channel& channel) { array_reader::serve(std::move(bytes), channel); }) {}
};

/// What `receive` returns from the answer of the reader to what `send` sends. `cause` follows a failure of HDF5.
template <class Send, class Receive>
auto ArrayFile::ask(Send send, Receive receive, const std::string& cause) const {
  try {
    send(reader_->channel());
    if (reader_->channel().receive<array_reader::Tag>() == array_reader::done) return receive(reader_->channel());
    refuse(fmt::format("HDF5 failed to {}, so {}; make the file again", reader_->channel().receive_text(), cause));
  } catch (const Disconnected&) {
    refuse(fmt::format("the process that reads it {}, so it is corrupted; make the file again", reader_->death()));
  }
}

ArrayFile::ArrayFile(std::filesystem::path path) : path_(std::move(path)) {
  Bytes bytes = read_bytes(path_);
  const Seal seal = check_seal(bytes);
  if (seal == Seal::broken) refuse("its checksum is wrong, so it is corrupted; make the file again");
  if (seal == Seal::whole) remove_seal(bytes);
  {
    const auto lock = hdf5::quiet();
    reader_ = std::make_unique<Reader>(bytes);
  }
  Bytes().swap(bytes);
  const bool of_psflip =
      ask([](Channel&) {}, [](Channel& from) { return from.receive<bool>(); }, "it is truncated or no HDF5 file");
  if (seal == Seal::missing && of_psflip)
    refuse(
        "it is of psflip but the seal at its end is missing, so it is truncated or was changed; make it again, or "
        "write "
        "your arrays to a new file");
}

ArrayFile::~ArrayFile() = default;

void ArrayFile::refuse(const std::string& reason) const {
  throw UserError(fmt::format("Cannot use {}: {}.", path_.string(), reason));
}

bool ArrayFile::has(const std::string& name) const {
  const auto send = [&](Channel& to) { array_reader::request(to, array_reader::has, name); };
  return ask(
      send, [](Channel& from) { return from.receive<bool>(); }, "it is corrupted");
}

std::vector<std::uint64_t> ArrayFile::shape(const std::string& name) const {
  const auto send = [&](Channel& to) { array_reader::request(to, array_reader::shape, name); };
  std::string problem;
  const auto receive = [&](Channel& from) {
    problem = from.receive_text();
    std::vector<std::uint64_t> lengths(from.receive<std::uint8_t>());
    for (std::uint64_t& length : lengths) length = from.receive<std::uint64_t>();
    return lengths;
  };
  std::vector<std::uint64_t> shape = ask(send, receive, "it is corrupted");
  if (!problem.empty()) refuse(problem);
  return shape;
}

template <class T>
void ArrayFile::read_values(const std::string& name, std::uint64_t first, std::uint64_t count,
                            std::vector<T>& values) const {
  std::vector<std::uint64_t> extent = shape(name);
  extent.at(0) = count;
  std::size_t size = 1;
  for (const std::uint64_t length : extent) size *= length;
  values.resize(size);
  const auto send = [&](Channel& to) {
    array_reader::request(to, array_reader::read, name);
    to.send(first);
    to.send(count);
    to.send(static_cast<std::uint8_t>(sizeof(T)));
  };
  const auto receive = [&](Channel& from) {
    from.receive(values.data(), values.size() * sizeof(T));
    return true;
  };
  ask(send, receive,
      "it is corrupted or has a filter that psflip does not have, such as another compression than gzip");
}

void ArrayFile::read(const std::string& name, std::uint64_t first, std::uint64_t count,
                     std::vector<std::int8_t>& values) const {
  read_values(name, first, count, values);
}

void ArrayFile::read(const std::string& name, std::uint64_t first, std::uint64_t count,
                     std::vector<std::int64_t>& values) const {
  read_values(name, first, count, values);
}

}  // namespace psflip::io
