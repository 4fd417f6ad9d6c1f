#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <ctime>
#include <exception>
#include <fstream>
#include <new>
#include <optional>

#include "engine/io/error.hpp"
#include "engine/io/labelled_file.hpp"
#include "mutations.hpp"
#include "valid_files.hpp"

// Mutates valid files, makes their checksums right again and uses them as psflip does. Every use must end with results
// or with one sentence: no wrong number, no crash outside the child process that reads, no other exception, no hang. A
// mutation is a function of the seed and its number.
namespace psflip::fuzz {
namespace {

using Clock = std::chrono::steady_clock;

double now() { return std::chrono::duration<double>(Clock::now().time_since_epoch()).count(); }

struct Options {
  std::uint64_t mutations = 1000, seed = 1, first = 0;
  std::string output;
  int processes = 2;
  double seconds = 0;  ///< 0: no limit
};

constexpr double hang = 5;  // seconds for one mutation
// A mutation over the limit on the clock is tried again: a hang comes back, a busy machine does not.
constexpr int most_tries = 5;

/// Counts of one process, in memory that it shares with its parent.
struct Counts {
  std::uint64_t next, done, same, other, refused, reader_died, wrong, bad, tried_again;
  double started, slowest, most_processor_time;
  std::uint64_t slowest_number;
};

/// Of this process and its children that have ended, in seconds.
double processor_time() {
  double seconds = 0;
  for (const __rusage_who who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    ::getrusage(who, &usage);
    for (const timeval& time : {usage.ru_utime, usage.ru_stime})
      seconds += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  }
  return seconds;
}

/// Of another process, in seconds.
double processor_time_of(pid_t id) {
  clockid_t clock{};
  timespec time{};
  if (::clock_getcpuclockid(id, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

bool is_one_sentence(const std::string& text) {
  return !text.empty() && text.back() == '.' && text.find('\n') == std::string::npos && text.size() < 2000;
}

/// A valid file as it is used, and what it gives.
struct Reference {
  const ValidFile& file;
  io::Bytes image;
  std::string result;
  io::LabelledFile content;  ///< as it is read
};

/// The file of a mutation, and what it states if its content was changed.
struct Mutated {
  io::Bytes image;
  std::optional<io::LabelledFile> content;
};

Mutated mutated(const Reference& valid, std::uint64_t number, const Options& options) {
  std::seed_seq seeds{options.seed, number};
  Random random(seeds);
  if (random() % 4 > 0) return {with_changed_bytes(valid.image, random), std::nullopt};
  ValidFile changed = valid.file;
  changed.content = with_changed_content(valid.file.content, random);
  return {changed.image(), std::move(changed.content)};
}

void write_file(const std::filesystem::path& path, io::Bytes bytes, bool is_sealed) {
  if (is_sealed) io::seal(bytes);
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr || std::fwrite(bytes.data(), 1, bytes.size(), file) != bytes.size() || std::fclose(file) != 0)
    throw std::runtime_error("the folder of temporary files cannot be written");
}

/// What is wrong with a file that is used and gives other results than the valid one; empty if nothing.
std::string fault_of(const Reference& valid, const Mutated& file, const std::filesystem::path& path) {
  if (!valid.file.is_sealed) return file.content ? std::string() : "the signs of the bonds";
  const io::LabelledFile read = io::read(path, "");
  return file.content ? wrong_content(read, *file.content) : wrong_number(read, valid.content);
}

void use_one(const Reference& valid, const Mutated& file, const std::filesystem::path& path, std::uint64_t number,
             Counts& counts) {
  const auto complain = [&](const std::string& what) {
    ++counts.bad;
    fmt::print(stderr, "FAULT: mutation {} of a {}: {}\n", number, valid.file.name, what);
  };
  try {
    const std::string result = valid.file.use(path);
    ++(result == valid.result ? counts.same : counts.other);
    if (result == valid.result) return;
    if (const std::string wrong = fault_of(valid, file, path); !wrong.empty()) {
      ++counts.wrong;
      complain("is used with a wrong number: " + wrong);
    }
  } catch (const UserError& error) {
    ++counts.refused;
    const std::string text = error.what();
    if (text.find("the process that reads it") != std::string::npos) ++counts.reader_died;
    if (!is_one_sentence(text)) complain("is refused with other than one sentence: " + text);
  } catch (const std::exception& error) {
    complain(std::string("ends with an exception: ") + error.what());
  }
}

std::vector<Reference> references(const std::vector<ValidFile>& files, const std::filesystem::path& path) {
  std::vector<Reference> all;
  for (const ValidFile& file : files) {
    all.push_back({file, file.image(), {}, {}});
    write_file(path, all.back().image, file.is_sealed);
    all.back().result = file.use(path);
    if (file.is_sealed) all.back().content = io::read(path, "");
  }
  return all;
}

/// Mutations number next, next + step, ...
void work(const std::vector<ValidFile>& files, const Options& options, std::uint64_t step,
          const std::filesystem::path& folder, double deadline, Counts& counts) {
  const std::filesystem::path path = folder / fmt::format("{}.h5", ::getpid());
  const std::vector<Reference> valid = references(files, path);
  const std::uint64_t end = options.first + options.mutations;
  for (; counts.next < end && (options.seconds == 0 || now() < deadline); counts.next += step) {
    const std::uint64_t number = counts.next;
    const Reference& own = valid[number % valid.size()];
    const Mutated file = mutated(own, number, options);
    write_file(path, file.image, own.file.is_sealed);
    const double processor_before = processor_time();
    counts.started = now();
    use_one(own, file, path, number, counts);
    const double seconds = now() - counts.started, processor_seconds = processor_time() - processor_before;
    counts.started = 0;
    ++counts.done;
    if (seconds > counts.slowest) counts.slowest = seconds, counts.slowest_number = number;
    counts.most_processor_time = std::max(counts.most_processor_time, processor_seconds);
    if (processor_seconds < hang) continue;
    ++counts.bad;
    fmt::print(stderr, "FAULT: mutation {} took {:.1f} s of processor time\n", number, processor_seconds);
  }
  std::filesystem::remove(path);
}

struct Worker {
  pid_t id;
  Counts* counts;
  std::uint64_t number = 0;   ///< that was last seen
  double processor_time = 0;  ///< when it was first seen
  int tries = 1;              ///< of it

  /// Whether it takes too long for one mutation, on the clock.
  bool hangs() {
    const volatile Counts& now_counts = *counts;
    const double started = now_counts.started;  // once: it is set to 0 meanwhile
    if (now_counts.next != number || started == 0) {
      if (now_counts.next != number) tries = 1;
      number = now_counts.next;
      processor_time = processor_time_of(id);
      return false;
    }
    return now() - started > hang;
  }

  /// Whether one that took too long is to be tried again.
  bool may_be_busy_machine() const { return processor_time_of(id) - processor_time < hang && tries < most_tries; }
};

/// Waits for all workers; kills one that hangs and starts it again behind the mutation that ended it.
std::uint64_t supervise(std::vector<Worker> workers, const std::function<pid_t(Counts&)>& start, std::uint64_t step) {
  constexpr std::uint64_t most_crashes = 20;
  std::uint64_t crashes = 0;
  while (!workers.empty()) {
    ::usleep(20000);
    for (std::size_t w = 0; w < workers.size(); ++w) {
      Counts& counts = *workers[w].counts;
      int status = 0;
      if (workers[w].hangs()) {
        const bool again = workers[w].may_be_busy_machine();
        ::kill(workers[w].id, SIGKILL);
        if (again) {
          ::waitpid(workers[w].id, &status, 0);
          ++workers[w].tries;
          ++counts.tried_again;
          counts.started = 0;
          workers[w].id = start(counts);
          continue;
        }
      }
      if (::waitpid(workers[w].id, &status, WNOHANG) != workers[w].id) continue;
      if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        workers.erase(workers.begin() + static_cast<std::ptrdiff_t>(w--));
        continue;
      }
      ++crashes;
      fmt::print(stderr, "FAULT: mutation {} ended the process (status {})\n", counts.next, status);
      counts.next += step;
      counts.started = 0;
      if (crashes < most_crashes)
        workers[w].id = start(counts);
      else
        workers.erase(workers.begin() + static_cast<std::ptrdiff_t>(w--));
    }
  }
  return crashes;
}

std::string json(const Counts& all, std::size_t files, std::uint64_t crashes, double seconds, const Options& options) {
  const std::pair<const char*, std::string> entries[] = {
      {"mutations", fmt::format("{}", all.done)},
      {"valid files", fmt::format("{}", files)},
      {"seed", fmt::format("{}", options.seed)},
      {"seconds", fmt::format("{:.0f}", seconds)},
      {"processes", fmt::format("{}", options.processes)},
      {"results as of the valid file", fmt::format("{}", all.same)},
      {"results of what the file states otherwise", fmt::format("{}", all.other - all.wrong)},
      {"refused", fmt::format("{}", all.refused)},
      {"refused because HDF5 died in the child process", fmt::format("{}", all.reader_died)},
      {"wrong numbers", fmt::format("{}", all.wrong)},
      {"crashes or hangs outside the child process", fmt::format("{}", crashes)},
      {"other faults", fmt::format("{}", all.bad - all.wrong)},
      {"tried again because the clock passed 5 s", fmt::format("{}", all.tried_again)},
      {"longest processor time of a file in seconds", fmt::format("{:.2f}", all.most_processor_time)},
      {"longest time of a file in seconds", fmt::format("{:.2f}", all.slowest)},
      {"number of the slowest file", fmt::format("{}", all.slowest_number)}};
  std::string text;
  for (const auto& [name, value] : entries)
    text += fmt::format("{}  \"{}\": {}", text.empty() ? "{\n" : ",\n", name, value);
  return text + "\n}\n";
}

int run(const Options& options) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("psflip-fuzz-{}", ::getpid());
  std::filesystem::create_directories(folder);
  const std::vector<ValidFile> files = valid_files(folder);
  const auto count = static_cast<std::size_t>(std::max(1, options.processes));
  auto* shared = static_cast<Counts*>(
      ::mmap(nullptr, count * sizeof(Counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  if (shared == MAP_FAILED) throw std::bad_alloc();
  const double begin = now(), deadline = begin + options.seconds;
  const auto start = [&](Counts& counts) {
    const pid_t id = ::fork();
    if (id != 0) return id;
    int code = 1;
    try {
      work(files, options, count, folder, deadline, counts);
      code = 0;
    } catch (const std::exception& error) {
      fmt::print(stderr, "FAULT: {}\n", error.what());
    }
    ::_exit(code);
  };
  std::vector<Worker> workers;
  for (std::size_t w = 0; w < count; ++w) {
    new (shared + w) Counts{};
    shared[w].next = options.first + w;
    workers.push_back({start(shared[w]), shared + w});
  }
  const std::uint64_t crashes = supervise(workers, start, count);
  Counts all{};
  for (std::size_t w = 0; w < count; ++w) {
    const Counts& one = shared[w];
    all.done += one.done, all.same += one.same, all.other += one.other, all.refused += one.refused;
    all.reader_died += one.reader_died, all.wrong += one.wrong, all.bad += one.bad, all.tried_again += one.tried_again;
    all.most_processor_time = std::max(all.most_processor_time, one.most_processor_time);
    if (one.slowest > all.slowest) all.slowest = one.slowest, all.slowest_number = one.slowest_number;
  }
  std::filesystem::remove_all(folder);
  const std::string summary = json(all, files.size(), crashes, now() - begin, options);
  fmt::print("{}", summary);
  if (!options.output.empty()) std::ofstream(options.output) << summary;
  const bool is_full = options.mutations < files.size() || (all.refused > 0 && all.same > 0);
  return crashes + all.bad == 0 && all.done > 0 && is_full ? 0 : 1;
}

}  // namespace
}  // namespace psflip::fuzz

int main(int argc, char** argv) {
  CLI::App app("Mutates files of psflip and reads them.");
  psflip::fuzz::Options options;
  app.add_option("--mutations", options.mutations, "mutations")->capture_default_str();
  app.add_option("--seconds", options.seconds, "stop after this time [0: no limit]");
  app.add_option("--seed", options.seed, "seed")->capture_default_str();
  app.add_option("--first", options.first, "number of the first mutation");
  app.add_option("--output", options.output, "JSON file of the counts");
  app.add_option("--processes", options.processes, "processes")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  return psflip::fuzz::run(options);
}
