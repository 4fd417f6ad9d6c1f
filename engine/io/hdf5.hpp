#pragma once
#include <hdf5.h>
#include <hdf5_hl.h>

#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>

#include "engine/io/child_process.hpp"
#include "engine/io/labelled_file.hpp"
#include "engine/io/sealed_bytes.hpp"

/// A thin layer over the C API of HDF5, private to engine/io: handles that close themselves, failures that throw.
namespace psflip::io::hdf5 {

/// HDF5 reported a failure; the message names the operation.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Passes a status or an id on, or throws Failure when it is negative.
template <class Status>
Status check(Status status, const std::string& attempt) {
  if (status < 0) throw Failure(attempt);
  return status;
}

/// An HDF5 identifier of any class; closing drops the reference.
class Handle {
 public:
  Handle(hid_t id, const std::string& attempt) : id_(check(id, attempt)) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)) {}
  Handle& operator=(Handle&&) = delete;
  ~Handle() {
    if (id_ >= 0) H5Idec_ref(id_);
  }
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
};

/// To be held during calls: HDF5 as Debian builds it is not thread-safe, and by default it prints its own errors.
inline std::unique_lock<std::mutex> quiet() {
  static std::mutex mutex;
  std::unique_lock lock(mutex);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  return lock;
}

/// Files live in memory while HDF5 works on them, so that every disk error is met by plain system calls. The lower
/// bound is the earliest one because H5Fget_file_image spoils the checksum of newer superblocks (HDF5 1.10).
inline Handle memory_access() {
  constexpr std::size_t growth = std::size_t{1} << 22;
  Handle access(H5Pcreate(H5P_FILE_ACCESS), "prepare file access");
  check(H5Pset_fapl_core(access, growth, false), "keep the file in memory");
  check(H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_V110), "choose the format version");
  return access;
}

/// HDF5 looks on disk for the name of a file in memory before it opens it, so the name is one that no file can have.
inline constexpr const char* memory_file = "/dev/null/psflip";

/// Attribute of a dataset without chunks in a checkpoint: the CRC-32 of its values. Chunks have checksums of their own.
inline constexpr const char* checksum_name = "crc32";

/// HDF5 type in memory that belongs to one alternative of Values.
template <class T>
hid_t native_type() {
  if constexpr (std::is_same_v<T, std::int8_t>) return H5T_NATIVE_INT8;
  if constexpr (std::is_same_v<T, std::int32_t>) return H5T_NATIVE_INT32;
  if constexpr (std::is_same_v<T, std::uint32_t>) return H5T_NATIVE_UINT32;
  if constexpr (std::is_same_v<T, std::int64_t>) return H5T_NATIVE_INT64;
  if constexpr (std::is_same_v<T, double>) return H5T_NATIVE_DOUBLE;
}

/// The HDF5 file of `file`, with `attributes` instead of its own and `complete` after everything else, as bytes.
/// Space for the seal is reserved behind them. Throws Failure, or std::logic_error for shapes that do not fit together.
Bytes to_image(const LabelledFile& file, const Attributes& attributes, const Writing& how = {});

/// An HDF5 file given as bytes. Throws Failure.
Handle open_image(Bytes bytes);

/// Sends the content of an HDF5 file, or the reason why it is none of labelled arrays: engine/io/content.hpp.
void send_content(Bytes bytes, Channel& to);

}  // namespace psflip::io::hdf5
