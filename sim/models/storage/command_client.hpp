// Who has commands done by a drive, or by a device on remote memory.
#pragma once

#include "core/quantity.hpp"

namespace doorbell::model {

class CommandClient {
 public:
  virtual ~CommandClient() = default;

  /// A core can see from `visible` on that a command is done.
  virtual void command_done(void* tag, Time visible) = 0;
};

}  // namespace doorbell::model
