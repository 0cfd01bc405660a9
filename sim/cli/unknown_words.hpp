// Options and subcommands that there are not, with the nearest names that there are.
#pragma once

namespace CLI {
class App;
}

namespace doorbell::cli {

/// Throws UsageError for the first word of the failed parse that nothing takes. CLI11 by itself complains of what is
/// missing before it complains of what is unknown, and tells no nearest name.
void refuse_unknown_words(const CLI::App& app);

}  // namespace doorbell::cli
