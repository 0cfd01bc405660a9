#include "models/isolated_run.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace doorbell::model {
namespace {

/// Writes or reads the members of a result, in one order for both.
template <class Archive> void transfer(Archive& archive, RunResult& result) {
  archive(result.throughput.per_second);
  archive(result.throughput_ci95.per_second);
  archive(result.bandwidth.bytes_per_second);
  archive(result.latency);
  archive(result.utilisations, [&](Utilisation& use) {
    archive(use.resource);
    archive(use.busy);
    archive(use.limit);
  });
  archive(result.counters, [&](CounterReading& counter) {
    archive(counter.name);
    archive(counter.count);
    archive(counter.rate);
  });
  archive(result.batches, [&](BatchSummary& batch) {
    archive(batch.program);
    archive(batch.mean);
  });
  archive(result.levels, [&](Level& level) {
    archive(level.name);
    archive(level.mean);
  });
  archive(result.requests, [&](ServedRequest& request) { archive(request); });
  archive(result.bottleneck.resource);
  archive(result.bottleneck.limit);
  archive(result.bottleneck.busy);
  archive(result.bottleneck.next_resource);
  archive(result.bottleneck.next_busy);
  archive(result.bottleneck.sentence);
  archive(result.warnings, [&](std::string& warning) { archive(warning); });
  archive(result.simulated);
  archive(result.events);
  archive(result.operations);
}

class Writer {
 public:
  template <class T> void operator()(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void operator()(std::string& text) {
    std::size_t size = text.size();
    (*this)(size);
    bytes_ += text;
  }
  template <class T, class Each> void operator()(std::vector<T>& items, Each each) {
    std::size_t size = items.size();
    (*this)(size);
    for (T& item : items) each(item);
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

class Reader {
 public:
  explicit Reader(const std::string& bytes) : bytes_{bytes} {}

  template <class T> void operator()(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::memcpy(&value, take(sizeof value), sizeof value);
  }
  void operator()(std::string& text) {
    std::size_t size = 0;
    (*this)(size);
    text.assign(take(size), size);
  }
  template <class T, class Each> void operator()(std::vector<T>& items, Each each) {
    std::size_t size = 0;
    (*this)(size);
    items.resize(size);
    for (T& item : items) each(item);
  }

 private:
  const char* take(std::size_t size) {
    if (size > bytes_.size() - at_) throw std::runtime_error("the isolated run ended before its result was complete");
    const char* found = bytes_.data() + at_;
    at_ += size;
    return found;
  }
  const std::string& bytes_;
  std::size_t at_ = 0;
};

constexpr char succeeded = 'r';
constexpr char failed = 'x';

std::string outcome_of(const std::function<RunResult()>& work) {
  try {
    RunResult result = work();
    Writer writer;
    transfer(writer, result);
    return succeeded + writer.bytes();
  } catch (const std::exception& error) {
    return failed + std::string{error.what()};
  }
}

void write_all(int pipe, const std::string& bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t written = ::write(pipe, bytes.data() + done, bytes.size() - done);
    if (written < 0 && errno != EINTR) ::_exit(1);
    if (written > 0) done += static_cast<std::size_t>(written);
  }
}

std::string read_all(int pipe) {
  std::string bytes;
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t got = ::read(pipe, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return bytes;
    bytes.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace

RunResult run_isolated(const std::function<RunResult()>& work) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) throw std::runtime_error("no pipe for an isolated run");
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("no process for an isolated run");
  if (child == 0) {
    ::close(ends[0]);
    write_all(ends[1], outcome_of(work));
    ::_exit(0);  // neither destructors nor buffers of the parent's copy
  }
  ::close(ends[1]);
  const std::string bytes = read_all(ends[0]);
  ::close(ends[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  if (bytes.empty()) throw std::runtime_error("an isolated run died without a result");
  if (bytes.front() == failed) throw std::runtime_error(bytes.substr(1));
  const std::string body = bytes.substr(1);
  Reader reader{body};
  RunResult result;
  transfer(reader, result);
  return result;
}

}  // namespace doorbell::model
