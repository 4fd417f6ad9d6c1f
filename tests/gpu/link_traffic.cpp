// Copies 33.6 MB, about a message of rfim3d with L = 64 and 512 samples, both ways between GPUs 0 and 1, about every
// 27 ms. Jobs that run at the same time show what such messages cost besides their own time.
//   link_traffic gpu|host SECONDS        from GPU to GPU, or through host memory
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>
#include <thread>

#include "engine/cuda/device/array.hpp"
#include "engine/cuda/device/streams.hpp"

using namespace psflip::cuda;

namespace {

constexpr std::size_t words = 8400000;
constexpr auto pause = std::chrono::milliseconds(26);
using Clock = std::chrono::steady_clock;

/// One GPU with its messages.
struct Gpu {
  explicit Gpu(int number) {
    check(cudaSetDevice(number), "choice of a GPU");
    sent = DeviceArray<std::uint32_t>(words);
    received = DeviceArray<std::uint32_t>(words);
    host = PinnedArray<std::uint32_t>(words);
    stream = std::make_unique<CudaStream>(false);
  }
  void copy(std::uint32_t* to, const std::uint32_t* from) const {
    check(cudaMemcpyAsync(to, from, sizeof(std::uint32_t) * words, cudaMemcpyDefault, *stream), "copy");
  }

  DeviceArray<std::uint32_t> sent, received;
  PinnedArray<std::uint32_t> host;
  std::unique_ptr<CudaStream> stream;
};

void exchange(Gpu (&gpus)[2], bool through_host) {
  const auto wait = [&] {
    for (const Gpu& gpu : gpus) gpu.stream->wait();
  };
  for (const int i : {0, 1})
    gpus[i].copy(through_host ? gpus[i].host.data() : gpus[1 - i].received.data(), gpus[i].sent.data());
  wait();
  if (!through_host) return;
  for (const int i : {0, 1}) gpus[i].copy(gpus[i].received.data(), gpus[1 - i].host.data());
  wait();
}

int run(bool through_host, double seconds) {
  Gpu gpus[2] = {Gpu(0), Gpu(1)};
  for (const int i : {0, 1}) {
    check(cudaSetDevice(i), "choice of a GPU");
    if (!through_host) check(cudaDeviceEnablePeerAccess(1 - i, 0), "access to another GPU");
  }
  int exchanges = 0;
  for (const auto start = Clock::now(); std::chrono::duration<double>(Clock::now() - start).count() < seconds;
       ++exchanges) {
    exchange(gpus, through_host);
    std::this_thread::sleep_for(pause);
  }
  std::printf("%d exchanges\n", exchanges);
  return 0;
}

}  // namespace

int main(int count, char** words_of_line) {
  const std::string path = count == 3 ? words_of_line[1] : "";
  const double seconds = count == 3 ? std::atof(words_of_line[2]) : 0;
  if ((path != "gpu" && path != "host") || seconds <= 0) {
    std::fprintf(stderr, "link_traffic: give gpu or host and a positive number of seconds.\n");
    return 2;
  }
  try {
    return run(path == "host", seconds);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "link_traffic: %s\n", error.what());
    return 1;
  }
}
