#include "models/memory/row_closing.hpp"

#include <algorithm>

namespace doorbell::model {

void RowClosing::line() {
  if (++lines_ < parameters_.window) return;
  if (early_ >= parameters_.mistakes) idle_ += parameters_.step;
  if (late_ >= parameters_.mistakes) idle_ = std::max(parameters_.step, idle_ - parameters_.step);
  lines_ = 0;
  early_ = 0;
  late_ = 0;
}

}  // namespace doorbell::model
