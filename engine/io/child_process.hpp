#pragma once
#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

/// HDF5 may crash on bytes that it did not write, so files are read in a process that may die: SECURITY.md.
namespace psflip::io {

/// The other end of a Channel is gone: its process has died.
class Disconnected : public std::runtime_error {
 public:
  Disconnected() : std::runtime_error("the other process has ended") {}
};

/// One end of a connection between two processes of this program. Few large messages: what is sent waits until there is
/// enough of it, or this end receives or flushes.
class Channel {
 public:
  /// `each_second` is called after every second in which receive() waited for a byte; it may throw.
  explicit Channel(int descriptor, std::function<void()> each_second = {});
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;
  ~Channel() { close(); }
  void close();
  /// Tells the other end that nothing more comes, and waits until it is gone; what it sends meanwhile is lost.
  void finish();

  /// Throw Disconnected.
  void send(const void* data, std::size_t bytes);
  void flush();
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
  std::size_t receive_some(void* data, std::size_t most);

  int descriptor_;
  std::function<void()> each_second_;
  std::vector<std::byte> unsent_, received_;
  std::size_t taken_ = 0;  ///< of received_
};

/// A copy of this process that does one thing with its end of a channel and ends. It has a limit on its memory and its
/// processor time, prints nothing and leaves no core file. Exceptions of `work` end it as a crash does. It is killed if
/// this process waits for it and it sleeps for 5 s. A child that waits for a processor or a disk is not: a busy machine
/// is no reason to refuse a file.
class ChildProcess {
 public:
  /// `input_bytes` is the size of the file that it reads, in proportion to which it may take processor time and memory.
  /// Throws UserError if no process can be made.
  ChildProcess(std::size_t input_bytes, const std::function<void(Channel&)>& work);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();  ///< waits for its end

  Channel& channel() { return channel_; }
  /// Of a child that has disconnected: how it ended, for a message ("crashed (signal 11)").
  std::string death();

 private:
  ChildProcess(const std::array<int, 2>& ends, std::size_t input_bytes, const std::function<void(Channel&)>& work);
  void look();
  int wait();

  Channel channel_;
  pid_t id_ = -1;
  std::int64_t processor_time_ = -1;  ///< ns, when look() was last called
  int seconds_asleep_ = 0;
  bool was_killed_ = false;
};

}  // namespace psflip::io
