#include "models/shared_files/web_load.hpp"

#include <algorithm>

namespace doorbell::model {

void WebLoadGenerator::start() {
  for (int node = 0; node < system_.scenario.mount.nodes; ++node) {
    for (int i = 0; i < load_.processes; ++i) core::start(system_.calendar, run(node, node * load_.processes + i));
  }
}

core::Process WebLoadGenerator::run(int node, int process) {
  FileClient& client = system_.clients[static_cast<std::size_t>(node)];
  const FileSet& files = system_.scenario.files;
  for (;;) {
    const Time began = system_.calendar.now();
    const auto file = static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(files.count)));
    CachedDevice::Reader reader = client.open(process);
    for (Bytes position; position < files.size;) {
      const Bytes size = std::min(load_.record, files.size - position);
      co_await client.read(reader, system_.locks, file, position.count, size);
      position += size;
    }
    count(system_.calendar.now() - began, files.size);
  }
}

}  // namespace doorbell::model
