#pragma once
#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <type_traits>

/// HDF5 may crash on bytes that it did not write, so files are read in a process that may die: SECURITY.md.
namespace psflip::io {

/// The other end of a Channel is gone: its process has died.
class Disconnected : public std::runtime_error {
 public:
  Disconnected() : std::runtime_error("the other process has ended") {}
};

/// One end of a connection between two processes of this program.
class Channel {
 public:
  explicit Channel(int descriptor) : descriptor_(descriptor) {}
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;
  ~Channel() { close(); }
  void close();

  /// Throw Disconnected.
  void send(const void* data, std::size_t bytes);
  void receive(void* data, std::size_t bytes);

  template <class T>
  void send(const T& value) {
    static_assert(std::is_arithmetic_v<T>);
    send(&value, sizeof value);
  }
  template <class T>
  T receive() {
    static_assert(std::is_arithmetic_v<T>);
    T value{};
    receive(&value, sizeof value);
    return value;
  }
  void send(const std::string& text);
  /// Throws Disconnected for a text longer than `longest` too: a sound process does not send it.
  std::string receive_text(std::size_t longest = std::size_t{1} << 24);

 private:
  int descriptor_;
};

/// A copy of this process that does one thing with its end of a channel and ends. It has a limit on its memory and its
/// time, prints nothing and leaves no core file. Exceptions of `work` end it as a crash does.
class ChildProcess {
 public:
  /// `input_bytes` is the size of the file that it reads, in proportion to which it may take time and memory. Throws
  /// UserError if no process can be made.
  ChildProcess(std::size_t input_bytes, const std::function<void(Channel&)>& work);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();  ///< waits for its end

  Channel& channel() { return channel_; }
  /// Of a child that has disconnected: how it ended, for a message ("crashed (signal 11)").
  std::string death();

 private:
  ChildProcess(const std::array<int, 2>& ends, std::size_t input_bytes, const std::function<void(Channel&)>& work);
  int wait();

  Channel channel_;
  pid_t id_ = -1;
};

}  // namespace psflip::io
