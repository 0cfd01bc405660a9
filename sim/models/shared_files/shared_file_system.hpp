// What the loads of a shared file system use: its machines and their locks.
#pragma once

#include <deque>

#include "core/calendar.hpp"
#include "models/shared_files/file_client.hpp"
#include "models/shared_files/lock_manager.hpp"
#include "models/shared_files/shared_files.hpp"

namespace doorbell::model {

struct SharedFileSystem {
  core::Calendar& calendar;
  const SharedFilesScenario& scenario;
  std::deque<FileClient>& clients;
  LockManager& locks;
};

}  // namespace doorbell::model
