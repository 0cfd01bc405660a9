#include "models/shared_files/stream_load.hpp"

#include <algorithm>

namespace doorbell::model {

void StreamLoadGenerator::start() {
  for (int node = 0; node < system_.scenario.mount.nodes; ++node) {
    const Time begin = system_.calendar.now() + load_.stagger * node;
    for (int i = 0; i < load_.processes; ++i) {
      core::start(system_.calendar, run(node, node * load_.processes + i), begin);
    }
  }
}

core::Process StreamLoadGenerator::run(int node, int process) {
  FileClient& client = system_.clients[static_cast<std::size_t>(node)];
  const FileSet& files = system_.scenario.files;
  const std::int64_t file = process % files.count;
  CachedDevice::Reader reader = client.open(process);
  Bytes position;
  for (;;) {
    const Time began = system_.calendar.now();
    const Bytes size = std::min(load_.record, files.size - position);
    if (load_.operation == BlockOperation::read) {
      co_await client.read(reader, system_.locks, file, position.count, size);
    } else {
      co_await client.write(process, system_.locks, file, position.count, size);
    }
    count(system_.calendar.now() - began, size);
    position += size;
    if (position >= files.size) position = Bytes{0};
  }
}

}  // namespace doorbell::model
