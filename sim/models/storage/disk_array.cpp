#include "models/storage/disk_array.hpp"

#include <algorithm>

namespace doorbell::model {

Bytes Stripe::size() const {
  Bytes total;
  for (const Piece& piece : pieces) total += piece.size;
  return total;
}

DiskArray::DiskArray(const DiskArrayParameters& parameters)
    : parameters_{&parameters},
      ahead_{transfer_time(parameters.read_ahead, parameters.media)},
      read_until_(static_cast<std::size_t>(parameters.disks)) {}

std::vector<Stripe> DiskArray::next(Bytes size) {
  const std::int64_t chunk = parameters_->chunk.count;
  std::vector<Stripe> stripes;
  Bytes done;
  while (done < size) {
    const std::int64_t within = position_ % chunk;
    const int disk = static_cast<int>(position_ / chunk % parameters_->disks);
    const Bytes piece{std::min(chunk - within, (size - done).count)};
    const auto found =
        std::find_if(stripes.begin(), stripes.end(), [disk](const Stripe& stripe) { return stripe.disk == disk; });
    Stripe& stripe = found == stripes.end() ? stripes.emplace_back(Stripe{disk, {}}) : *found;
    stripe.pieces.push_back({done, piece});
    position_ += piece.count;
    done += piece;
  }
  return stripes;
}

Time DiskArray::media_ready(int disk, Bytes size, Time now) {
  Time& read_until = read_until_[static_cast<std::size_t>(disk)];
  read_until = std::max(read_until, now - ahead_) + transfer_time(size, parameters_->media);
  return std::max(read_until, now);
}

}  // namespace doorbell::model
