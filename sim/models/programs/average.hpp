// How busy parts of one kind are on average.
#pragma once

namespace doorbell::model {

/// Mean over machines, and over parts of a machine, of how busy they are.
class Average {
 public:
  void add(double busy) {
    sum_ += busy;
    ++count_;
  }
  [[nodiscard]] double value() const { return count_ == 0 ? 0 : sum_ / count_; }

 private:
  double sum_ = 0;
  int count_ = 0;
};

}  // namespace doorbell::model
