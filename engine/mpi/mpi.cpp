#include "engine/mpi/mpi.hpp"

#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>

namespace psflip::mpi {

namespace {

/// MPI counts in int, so longer messages are sent in chunks.
constexpr std::size_t largest_piece = std::size_t{1} << 30;

template <class Byte, class F>
void in_pieces(Byte* data, std::size_t bytes, F f) {
  for (std::size_t done = 0; done < bytes; done += largest_piece)
    f(data + done, static_cast<int>(std::min(largest_piece, bytes - done)));
}

/// Errors of MPI end all ranks inside the library (MPI_ERRORS_ARE_FATAL, its default), so no call returns one.
class MpiRanks final : public Ranks {
 public:
  MpiRanks(int& argc, char**& argv) {
    int threads = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &threads);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &count_);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &machine_);
    MPI_Comm_rank(machine_, &rank_on_machine_);
  }
  MpiRanks(const MpiRanks&) = delete;
  MpiRanks& operator=(const MpiRanks&) = delete;
  ~MpiRanks() override {
    MPI_Comm_free(&machine_);
    MPI_Finalize();
  }

  int rank() const override { return rank_; }
  int count() const override { return count_; }
  int rank_on_machine() const override { return rank_on_machine_; }
  double sum_on_machine(double value) const override {
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, machine_);
    return value;
  }

  using Ranks::broadcast;
  void add_up(std::vector<std::int64_t>& values) const override {
    in_pieces(values.data(), values.size(), [](std::int64_t* piece, int count) {
      MPI_Allreduce(MPI_IN_PLACE, piece, count, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    });
  }
  void broadcast(void* data, std::size_t bytes) const override {
    in_pieces(static_cast<char*>(data), bytes,
              [](char* piece, int count) { MPI_Bcast(piece, count, MPI_BYTE, 0, MPI_COMM_WORLD); });
  }

  void start_send(int to, int tag, const void* data, std::size_t bytes) override {
    in_pieces(static_cast<const char*>(data), bytes, [&](const char* piece, int count) {
      MPI_Isend(piece, count, MPI_BYTE, to, tag, MPI_COMM_WORLD, &requests_.emplace_back());
    });
  }
  void start_receive(int from, int tag, void* data, std::size_t bytes) override {
    in_pieces(static_cast<char*>(data), bytes, [&](char* piece, int count) {
      MPI_Irecv(piece, count, MPI_BYTE, from, tag, MPI_COMM_WORLD, &requests_.emplace_back());
    });
  }
  void poll() override {
    int done = 0;
    MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done, MPI_STATUSES_IGNORE);
  }
  void wait() override {
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    requests_.clear();
  }

  /// An error of the job occurs on all ranks; rank 0 prints it and ends the others. An error of a single rank is
  /// printed by that rank, once it is clear that rank 0 prints none.
  int fail(const std::string& message, int exit_code) const override {
    if (rank_ != 0) sleep(2);
    Ranks::fail(rank_ == 0 ? message : fmt::format("rank {}: {}", rank_, message), exit_code);
    MPI_Abort(MPI_COMM_WORLD, exit_code);
    return exit_code;
  }

 private:
  int rank_ = 0, count_ = 1, rank_on_machine_ = 0;
  MPI_Comm machine_ = MPI_COMM_NULL;  ///< the ranks of this machine
  std::vector<MPI_Request> requests_;
};

}  // namespace

std::unique_ptr<Ranks> join(int& argc, char**& argv) { return std::make_unique<MpiRanks>(argc, argv); }

std::string version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(text, &length);
  const std::string whole(text, static_cast<std::size_t>(length));
  return whole.substr(0, whole.find_first_of(",\n"));
}

}  // namespace psflip::mpi
