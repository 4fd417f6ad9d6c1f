#pragma once
#include "engine/cuda/device.cuh"

namespace psflip::cuda {

/// A queue of work on the GPU. The default stream, which all that is not part of a round uses, waits for the work in
/// the others and they for its.
class WorkStream {
 public:
  enum class Priority { usual, high };

  explicit WorkStream(Priority priority) {
    int lowest = 0, highest = 0;
    check(cudaDeviceGetStreamPriorityRange(&lowest, &highest), "stream priorities");
    check(cudaEventCreateWithFlags(&reached_, cudaEventDisableTiming), "event");
    check(cudaStreamCreateWithPriority(&stream_, cudaStreamDefault, priority == Priority::high ? highest : lowest),
          "stream");
  }
  WorkStream(const WorkStream&) = delete;
  WorkStream& operator=(const WorkStream&) = delete;
  ~WorkStream() {
    cudaStreamDestroy(stream_);
    cudaEventDestroy(reached_);
  }

  cudaStream_t get() const { return stream_; }
  /// What comes next begins when what `other` has been given so far is done.
  void begin_after(const WorkStream& other) {
    check(cudaEventRecord(reached_, other.stream_), "event");
    check(cudaStreamWaitEvent(stream_, reached_, 0), "event");
  }
  /// Until all that it has been given is done.
  void wait() const { check(cudaStreamSynchronize(stream_), "stream"); }

 private:
  cudaEvent_t reached_ = nullptr;
  cudaStream_t stream_ = nullptr;
};

}  // namespace psflip::cuda
