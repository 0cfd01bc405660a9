#include "models/memory/dram.hpp"

#include <algorithm>

#include "core/scatter.hpp"
#include "models/memory/cache_line.hpp"

namespace doorbell::model {
namespace {

/// Lines alternate between channels, shifted by higher address bits so that no stride meets one only, as controllers
/// do (with which bits, vendors do not publish). Each channel has one line of `channels` that follow each other.
std::int64_t channel_of(std::int64_t line, std::int64_t channels) {
  const std::int64_t turn = line / channels;
  return (line + ((turn >> 6) ^ (turn >> 12) ^ (turn >> 16))) % channels;
}

/// Rows that follow each other in a program's memory lie in pages scattered over the physical one, so that they meet
/// any bank.
std::int64_t bank_of(std::int64_t row, std::int64_t banks) {
  const std::uint64_t scattered = core::scatter(static_cast<std::uint64_t>(row));
  return static_cast<std::int64_t>(scattered % static_cast<std::uint64_t>(banks));
}

}  // namespace

Dram::Dram(core::Calendar& calendar, const DramParameters& parameters, core::Priority priority)
    : calendar_{calendar},
      parameters_{parameters},
      priority_{priority},
      channels_(static_cast<std::size_t>(parameters.channels)) {
  const auto banks = static_cast<std::size_t>(parameters_.banks);
  for (Channel& channel : channels_) {
    channel.banks.resize(banks);
    channel.seen.resize(banks);
    channel.next_refresh = parameters_.refresh_interval;
    if (parameters_.row_closing) channel.closing.emplace(*parameters_.row_closing);
  }
}

Dram::Place Dram::place_of(std::int64_t line, const Continuation& done) {
  const std::int64_t in_channel = line / parameters_.channels;
  const std::int64_t group = in_channel % parameters_.bank_groups;
  const std::int64_t banks = parameters_.banks / parameters_.bank_groups;
  // A row of each group, side by side; the number tells them apart.
  const std::int64_t rows = in_channel / parameters_.bank_groups / (parameters_.row.count / cache_line.count);
  const std::int64_t row = rows * parameters_.bank_groups + group;
  const auto bank = static_cast<int>(group * banks + bank_of(row, banks));
  return {channels_[static_cast<std::size_t>(channel_of(line, parameters_.channels))], {row, bank, done}};
}

void Dram::read(std::int64_t line, Continuation done) {
  const Place place = place_of(line, done);
  place.channel.reads.push_back(place.request);
  count_backlog(place.channel);
  wake(place.channel);
}

void Dram::write(std::int64_t line, Continuation taken) {
  const Place place = place_of(line, taken);
  if (static_cast<int>(place.channel.writes.size()) < parameters_.write_queue) {
    take(place.channel, place.request);
    count_writes(place.channel);
  } else {
    place.channel.waiting.push(place.request);
    count_backlog(place.channel);
  }
  wake(place.channel);
}

void Dram::take(Channel& channel, const Request& request) {
  channel.writes.push_back(request);
  // From an event of its own: whoever is told may write again.
  calendar_.at(calendar_.now(), priority_, request.done.handler, request.done.object, request.done.argument);
}

void Dram::count_writes(Channel& channel) const {
  const bool full = static_cast<int>(channel.writes.size()) >= parameters_.write_queue;
  channel.full.set(calendar_.now(), full ? 1 : 0);
}

void Dram::count_backlog(Channel& channel) const {
  const Time row = std::max(parameters_.row_cycle, parameters_.row_close + parameters_.row_open);
  const Time reads = parameters_.line * static_cast<std::int64_t>(channel.reads.size());
  channel.behind.set(calendar_.now(), !channel.waiting.empty() || reads > row ? 1 : 0);
}

void Dram::wake(Channel& channel) {
  if (channel.awake) return;
  channel.awake = true;
  channel.working.set(calendar_.now(), 1);
  sleep(channel, calendar_.now());
}

void Dram::sleep(Channel& channel, Time until) {
  calendar_.at<&Dram::step>(until, priority_, *this, static_cast<std::uint64_t>(&channel - channels_.data()));
}

bool Dram::turn(Channel& channel) const {
  const int writes = static_cast<int>(channel.writes.size());
  const bool reads = !channel.reads.empty();
  const bool served = channel.batch && *channel.batch <= 0;
  if (!channel.writing) {
    if (!channel.batch && writes >= parameters_.drain_at) channel.batch = static_cast<int>(channel.reads.size());
    // Without reads it writes all there is, if that is more than what is kept for a burst.
    if (!served && (reads || writes <= parameters_.drain_to)) return false;
    channel.writing = true;
    channel.batch = writes;
    return true;
  }
  const bool enough = writes <= parameters_.drain_to || served;
  if (writes > 0 && !(enough && reads)) return false;
  channel.writing = false;
  channel.batch.reset();
  return true;
}

int Dram::choose(Channel& channel, const std::vector<Request>& queue, Time& ready) {
  const Time now = calendar_.now();
  const auto window = static_cast<int>(std::min(queue.size(), static_cast<std::size_t>(parameters_.window)));
  ++decisions_;
  const Request* first = passed(channel) < parameters_.window ? nullptr : &queue.front();
  int best = -1;
  // Rows that are open, or being opened, for one of the oldest requests stay so.
  for (int i = 0; i < window; ++i) {
    const Request& request = queue[static_cast<std::size_t>(i)];
    const auto number = static_cast<std::size_t>(request.bank);
    Bank& bank = channel.banks[number];
    close_if_idle(channel, bank);
    if (bank.row != request.row) continue;
    if (first != nullptr && request.bank == first->bank && request.row != first->row) continue;
    channel.seen[number] = decisions_;
    if (bank.ready > now) {
      ready = std::min(ready, bank.ready);
    } else if (best < 0) {
      best = i;
    }
  }
  for (int i = 0; i < window; ++i) {
    const Request& request = queue[static_cast<std::size_t>(i)];
    const auto number = static_cast<std::size_t>(request.bank);
    if (channel.seen[number] == decisions_) continue;
    channel.seen[number] = decisions_;
    ready = std::min(ready, open(channel, request));
  }
  return best;
}

void Dram::close_if_idle(Channel& channel, Bank& bank) const {
  if (!channel.closing || bank.row < 0 || bank.awaited) return;
  const Time begin = std::max(bank.used + channel.closing->idle(), bank.recovered);
  if (begin > calendar_.now()) return;
  bank = {.before = bank.row, .ready = begin + parameters_.row_close, .next_open = bank.next_open};
}

Time Dram::open(Channel& channel, const Request& request) {
  Bank& bank = channel.banks[static_cast<std::size_t>(request.bank)];
  Time begin = std::max(calendar_.now(), bank.ready);
  if (bank.row >= 0) {
    begin = std::max(begin, bank.recovered) + parameters_.row_close;
    if (channel.closing) channel.closing->too_late();
  } else if (bank.before == request.row) {
    channel.closing->too_early();
  }
  begin = std::max(begin, bank.next_open);
  const Time ready = begin + parameters_.row_open;
  bank = {
      .row = request.row, .ready = ready, .used = ready, .next_open = begin + parameters_.row_cycle, .awaited = true};
  ++rows_opened_;
  if (!channel.writing) ++rows_opened_to_read_;
  return ready;
}

void Dram::serve(Channel& channel, std::vector<Request>& queue, int index) {
  const Request request = queue[static_cast<std::size_t>(index)];
  queue.erase(queue.begin() + index);
  passed(channel) = index == 0 ? 0 : passed(channel) + 1;
  const Time end = calendar_.now() + parameters_.line;
  Bank& bank = channel.banks[static_cast<std::size_t>(request.bank)];
  bank.used = end;
  bank.awaited = false;
  if (channel.batch) --*channel.batch;
  if (channel.closing) channel.closing->line();
  if (!channel.writing) {
    ++lines_read_;
    count_backlog(channel);
    calendar_.at(end, priority_, request.done.handler, request.done.object, request.done.argument);
    return;
  }
  bank.recovered = end + parameters_.write_recovery;
  ++lines_written_;
  if (!channel.waiting.empty()) take(channel, channel.waiting.pop());
  count_writes(channel);
  count_backlog(channel);
}

void Dram::step(std::uint64_t number) {
  Channel& channel = channels_[number];
  const Time now = calendar_.now();
  if (parameters_.refresh_interval > Time{0} && now >= channel.next_refresh) {
    Time done = now;
    while (channel.next_refresh <= now) {
      done = channel.next_refresh + parameters_.refresh;
      channel.next_refresh += parameters_.refresh_interval;
    }
    // A channel without requests has refreshed itself meanwhile.
    for (Bank& bank : channel.banks) bank = {.ready = std::max(bank.ready, done)};
    if (done > now) {
      sleep(channel, done);
      return;
    }
  }
  if (turn(channel)) {
    sleep(channel, now + parameters_.turnaround);
    return;
  }
  std::vector<Request>& queue = channel.writing ? channel.writes : channel.reads;
  if (queue.empty()) {
    channel.awake = false;
    channel.working.set(now, 0);
    return;
  }
  Time ready = Time::max();
  const int index = choose(channel, queue, ready);
  if (index < 0) {
    sleep(channel, ready);
    return;
  }
  serve(channel, queue, index);
  sleep(channel, now + parameters_.line);
}

double Dram::moving(Time now) const {
  const double lines = static_cast<double>(lines_read_ + lines_written_) / static_cast<double>(channels_.size());
  return now > from_ ? lines * to_seconds(parameters_.line) / to_seconds(now - from_) : 0;
}

double Dram::working(Time now) const {
  double sum = 0;
  for (const Channel& channel : channels_) sum += channel.working.mean(now);
  return sum / static_cast<double>(channels_.size());
}

double Dram::behind(Time now) const {
  double sum = 0;
  for (const Channel& channel : channels_) sum += channel.behind.mean(now);
  return sum / static_cast<double>(channels_.size());
}

double Dram::full(Time now) const {
  double sum = 0;
  for (const Channel& channel : channels_) sum += channel.full.mean(now);
  return sum / static_cast<double>(channels_.size());
}

void Dram::measure(Time now) {
  for (Channel& channel : channels_) {
    channel.working.reset(now);
    channel.behind.reset(now);
    channel.full.reset(now);
  }
  from_ = now;
  lines_read_ = 0;
  lines_written_ = 0;
  rows_opened_ = 0;
  rows_opened_to_read_ = 0;
}

}  // namespace doorbell::model
