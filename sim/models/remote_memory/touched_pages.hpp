// Which pages the operations of an application touch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/random.hpp"
#include "models/remote_memory/page_table.hpp"

namespace doorbell::model {

struct Touch {
  PageTable::Page page = 0;
  bool modify = false;
};

class TouchedPages {
 public:
  virtual ~TouchedPages() = default;

  [[nodiscard]] virtual std::int64_t pages() const = 0;
  /// Names of the kinds of operations; none where all are alike.
  [[nodiscard]] virtual std::span<const std::string_view> kinds() const { return {}; }
  /// What the next operation of a thread touches, in order, and of which kind it is.
  [[nodiscard]] virtual std::size_t next(int thread, core::RandomStream& random, std::vector<Touch>& touches) = 0;

  /// How many operations fill the pages before any other; with 0 they have always been there.
  [[nodiscard]] virtual std::int64_t inserts() const { return 0; }
  /// What the insert of this number, of 0 to inserts(), touches.
  virtual void insert(std::int64_t /*number*/, std::vector<Touch>& /*touches*/) const {}
};

}  // namespace doorbell::model
