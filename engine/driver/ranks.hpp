#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/io/labelled_file.hpp"

namespace psflip {

/// The processes that run one job together. Rank 0 reads, writes, decides and speaks. This class is a process on its
/// own; engine/mpi derives from it. All members but start_*, poll, wait and fail are called by all ranks together.
class Ranks {
 public:
  virtual ~Ranks() = default;
  virtual int rank() const { return 0; }
  virtual int count() const { return 1; }
  bool is_first() const { return rank() == 0; }
  /// Number among the ranks of the same machine.
  virtual int rank_on_machine() const { return 0; }
  /// The sum over the ranks of the same machine; called by all ranks together.
  virtual double sum_on_machine(double value) const { return value; }

  /// Replaces every value by its sum over the ranks.
  virtual void add_up(std::vector<std::int64_t>&) const {}
  /// All ranks get the data of rank 0.
  virtual void broadcast(void*, std::size_t /*bytes*/) const {}

  /// Messages on their way: the memory stays untouched until wait() returns. Messages between two ranks with the same
  /// tag arrive in the order in which they were sent.
  virtual void start_send(int /*to*/, int /*tag*/, const void*, std::size_t /*bytes*/) {}
  virtual void start_receive(int /*from*/, int /*tag*/, void*, std::size_t /*bytes*/) {}
  virtual void poll() {}  ///< helps messages along
  virtual void wait() {}  ///< until all have arrived

  /// Says on stderr why the program ends and ends it on all ranks. Returns the exit code where no other rank is left.
  virtual int fail(const std::string& message, int exit_code) const;

  bool any(bool mine) const;
  double of_first(double value) const;
  void broadcast(io::LabelledFile& file) const;
};

/// One process on its own.
Ranks& single_process();

}  // namespace psflip
