// What limits machines that share files, in closed form.
#pragma once

#include "analytic/bounds.hpp"
#include "models/shared_files/shared_files.hpp"

namespace doorbell::analytic {

/// Asymptotic bounds of a scenario of shared files, per operation of its load (see file_traffic): cores, buses, links
/// and disks by the bytes that cross them, the server's processor, workers and buffers and the machines' requests in
/// flight by the time of a request alone, a process by what it cannot do while it reads ahead. A run comes near the
/// tightest from below.
///
/// Left out: what the order of requests costs, that is seeks between streams, idle waits of the scheduler and reading
/// ahead in vain, and messages and write-back for locks.
[[nodiscard]] Bounds analyze(const model::SharedFilesScenario& scenario);

}  // namespace doorbell::analytic
