#pragma once
#include "engine/io/child_process.hpp"
#include "engine/io/sealed_bytes.hpp"

/// The process that reads an ArrayFile, and how it is asked.
namespace psflip::io::array_reader {

/// A request, with the name of a dataset; its answer begins with one of the last two. To open: whether psflip wrote the
/// file. Has: whether it is there. Shape: the reason why it cannot be read, number of axes, lengths. Read (first row,
/// rows, bytes of a value): the values. Failure: the operation that HDF5 failed to do.
using Tag = char;
inline constexpr Tag has = 'h', shape = 's', read = 'r', done = '=', failure = 'f';

inline void request(Channel& to, Tag what, const std::string& name) {
  to.send(what);
  to.send(name);
}

/// Opens the file and answers until the other end is gone.
void serve(Bytes bytes, Channel& channel);

}  // namespace psflip::io::array_reader
