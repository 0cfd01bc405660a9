#include "models/isolated_run.hpp"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace doorbell::model {
namespace {

/// Writes or reads the members of a result, in one order for both.
template <class Archive> void transfer(Archive& archive, RunResult& result) {
  archive(result.throughput.per_second);
  archive(result.throughput_ci95.per_second);
  archive(result.bandwidth.bytes_per_second);
  archive(result.latency);
  archive(result.kinds, [&](KindSummary& kind) {
    archive(kind.kind);
    archive(kind.throughput.per_second);
    archive(kind.latency);
  });
  archive(result.utilisations, [&](Utilisation& use) {
    auto& [resource, busy, limit, held_for, of_most, remark, as_full, elastic, shares_work, reaches] = use;
    archive(resource);
    archive(busy);
    archive(limit);
    archive(held_for, [&](HeldFor& held) {
      archive(held.resource);
      archive(held.limit);
      archive(held.share);
      archive(held.busy);
      archive(held.gain);
    });
    archive(of_most);
    archive(remark);
    archive(as_full);
    archive(elastic);
    archive(shares_work);
    archive(reaches, [&](std::string& group) { archive(group); });
  });
  archive(result.counters, [&](CounterReading& counter) {
    archive(counter.name);
    archive(counter.count);
    archive(counter.rate);
  });
  archive(result.programs, [&](ProgramSummary& done) {
    archive(done.program);
    archive(done.mean_batch);
    archive(done.work_requests.per_second);
    archive(done.payload.bytes_per_second);
  });
  archive(result.levels, [&](Level& level) {
    archive(level.name);
    archive(level.value);
    archive(level.position);
  });
  archive(result.requests, [&](ServedRequest& request) { archive(request); });
  archive(result.bottleneck.resource);
  archive(result.bottleneck.limit);
  archive(result.bottleneck.busy);
  archive(result.bottleneck.saturated);
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
  template <class T, class Each> void operator()(std::optional<T>& item, Each each) {
    bool is_there = item.has_value();
    (*this)(is_there);
    if (is_there) each(*item);
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
  template <class T, class Each> void operator()(std::optional<T>& item, Each each) {
    bool is_there = false;
    (*this)(is_there);
    if (is_there) each(item.emplace());
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
constexpr char refused = 'i';
constexpr char failed = 'x';

std::string outcome_of(const std::function<RunResult()>& work) {
  try {
    RunResult result = work();
    Writer writer;
    transfer(writer, result);
    return succeeded + writer.bytes();
  } catch (const std::invalid_argument& error) {
    return refused + std::string{error.what()};
  } catch (const std::exception& error) {
    return failed + std::string{error.what()};
  } catch (...) {
    return failed + std::string{"an unknown exception"};  // beyond here is the parent's code
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

/// Nobody wants a result whose parent was ended.
void end_with(pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);  // it was ended before it could be asked for
}

/// Work that goes on in a child process.
class Child {
 public:
  Child(std::size_t number, const std::function<RunResult(std::size_t)>& work) : number_{number} {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) throw std::runtime_error("no pipe for an isolated run");
    std::fflush(nullptr);  // or a library of the child would write once more what is in the buffers
    const pid_t parent = ::getpid();
    process_ = ::fork();
    if (process_ < 0) {
      for (const int end : ends) ::close(end);
      throw std::runtime_error("no process for an isolated run");
    }
    if (process_ == 0) {
      end_with(parent);
      write_all(ends[1], outcome_of([&] { return work(number); }));
      ::_exit(0);  // neither destructors nor buffers of the parent's copy
    }
    ::close(ends[1]);
    pipe_ = ends[0];
  }

  [[nodiscard]] std::size_t number() const { return number_; }
  [[nodiscard]] int pipe() const { return pipe_; }

  /// Takes what is there. False: the child has written all.
  [[nodiscard]] bool read() {
    std::array<char, 65536> buffer{};
    const ssize_t got = ::read(pipe_, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) return true;
    if (got > 0) bytes_.append(buffer.data(), static_cast<std::size_t>(got));
    return got > 0;
  }

  /// What it has written, after read() has returned false.
  [[nodiscard]] RunResult result() {
    ::close(pipe_);
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {}
    if (bytes_.empty()) throw std::runtime_error("an isolated run died without a result");
    const std::string body = bytes_.substr(1);
    if (bytes_.front() == refused) throw std::invalid_argument(body);
    if (bytes_.front() == failed) throw std::runtime_error(body);
    Reader reader{body};
    RunResult result;
    transfer(reader, result);
    return result;
  }

 private:
  std::size_t number_;
  pid_t process_ = -1;
  int pipe_ = -1;
  std::string bytes_;
};

/// Waits until a child has written all.
std::vector<Child>::iterator first_to_end(std::vector<Child>& children) {
  for (;;) {
    std::vector<pollfd> pipes;
    pipes.reserve(children.size());
    for (const Child& child : children) pipes.push_back({child.pipe(), POLLIN, 0});
    if (::poll(pipes.data(), pipes.size(), -1) < 0 && errno != EINTR)
      throw std::runtime_error("no word of isolated runs");
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (pipes[i].revents != 0 && !children[i].read()) return children.begin() + static_cast<std::ptrdiff_t>(i);
    }
  }
}

}  // namespace

RunResult run_isolated(const std::function<RunResult()>& work) {
  RunResult only;
  run_isolated(
      1, 1, [&](std::size_t) { return work(); }, [&](std::size_t, RunResult result) { only = std::move(result); });
  return only;
}

void run_isolated(std::size_t count, int jobs, const std::function<RunResult(std::size_t)>& work,
                  const std::function<void(std::size_t, RunResult)>& done) {
  std::vector<std::exception_ptr> failures(count);
  std::vector<Child> children;
  std::size_t next = 0;
  while (next < count || !children.empty()) {
    try {
      for (; next < count && children.size() < static_cast<std::size_t>(std::max(jobs, 1)); ++next) {
        children.emplace_back(next, work);
      }
    } catch (...) {
      // Where the system grants no more processes, fewer go on at a time.
      if (children.empty()) {
        failures[next] = std::current_exception();
        break;
      }
    }
    const auto ended = first_to_end(children);
    Child child = std::move(*ended);
    children.erase(ended);
    try {
      done(child.number(), child.result());
    } catch (...) {
      failures[child.number()] = std::current_exception();
    }
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace doorbell::model
