#pragma once
#include "engine/cuda/device/check.hpp"

/// Owners of streams and events.
namespace psflip::cuda {

/// Work in order of submission, concurrent with other streams.
class CudaStream {
 public:
  /// `high_priority`: waiting thread blocks start before those of other streams. Kind cudaStreamDefault: this stream
  /// and the default stream wait for each other.
  explicit CudaStream(bool high_priority, unsigned kind = cudaStreamNonBlocking) {
    int least = 0, greatest = 0;
    check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "stream");
    check(cudaStreamCreateWithPriority(&stream_, kind, high_priority ? greatest : least), "stream");
  }
  CudaStream(const CudaStream&) = delete;
  CudaStream& operator=(const CudaStream&) = delete;
  ~CudaStream() { cudaStreamDestroy(stream_); }

  operator cudaStream_t() const { return stream_; }
  void wait() const { check(cudaStreamSynchronize(stream_), "update"); }

 private:
  cudaStream_t stream_ = nullptr;
};

/// A point in a stream. It counts as reached until it is set for the first time.
class CudaEvent {
 public:
  CudaEvent() { check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "event"); }
  CudaEvent(const CudaEvent&) = delete;
  CudaEvent& operator=(const CudaEvent&) = delete;
  ~CudaEvent() { cudaEventDestroy(event_); }

  void set(cudaStream_t stream) const { check(cudaEventRecord(event_, stream), "event"); }
  void hold(cudaStream_t stream) const { check(cudaStreamWaitEvent(stream, event_), "event"); }
  void wait() const { check(cudaEventSynchronize(event_), "update"); }

 private:
  cudaEvent_t event_ = nullptr;
};

/// A time stamp of the default stream, to measure durations.
class TimedEvent {
 public:
  TimedEvent() { check(cudaEventCreate(&event_), "event"); }
  TimedEvent(const TimedEvent&) = delete;
  TimedEvent& operator=(const TimedEvent&) = delete;
  ~TimedEvent() { cudaEventDestroy(event_); }

  void record() const { check(cudaEventRecord(event_), "event"); }
  void wait() const { check(cudaEventSynchronize(event_), "work on the GPU"); }
  /// Waits for both time stamps.
  double seconds_since(const TimedEvent& start) const {
    float milliseconds = 0;
    wait();
    check(cudaEventElapsedTime(&milliseconds, start.event_, event_), "event");
    return 1e-3 * milliseconds;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace psflip::cuda
