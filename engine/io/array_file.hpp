#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace psflip::io {

/// Arrays of integers in an HDF5 file that psflip or another program wrote. Nothing outside of the file is opened:
/// links, virtual datasets and external storage are refused. HDF5 runs in a child process, which may crash on bytes
/// that it did not write. All members throw UserError naming the file.
class ArrayFile {
 public:
  /// Refuses a file that is no complete HDF5 file, one with a wrong seal, and one of psflip that has lost its seal.
  explicit ArrayFile(std::filesystem::path path);
  ~ArrayFile();

  bool has(const std::string& name) const;
  /// Number of values along each axis.
  std::vector<std::uint64_t> shape(const std::string& name) const;
  /// Values `first` ... `first + count - 1` of the first axis, row-major. Integers that the type does not have become
  /// the nearest one that it has.
  void read(const std::string& name, std::uint64_t first, std::uint64_t count, std::vector<std::int8_t>& values) const;
  void read(const std::string& name, std::uint64_t first, std::uint64_t count, std::vector<std::int64_t>& values) const;

 private:
  struct Reader;
  [[noreturn]] void refuse(const std::string& reason) const;
  template <class Send, class Receive>
  auto ask(Send send, Receive receive, const std::string& cause) const;
  template <class T>
  void read_values(const std::string& name, std::uint64_t first, std::uint64_t count, std::vector<T>& values) const;

  std::filesystem::path path_;
  std::unique_ptr<Reader> reader_;
};

}  // namespace psflip::io
