// Where measurements are that are not part of Doorbell.
#pragma once

namespace doorbell::cli {

/// The folder where --data does not name one; empty: none. Chosen when Doorbell is built.
inline constexpr const char* default_external_data = DOORBELL_EXTERNAL_DATA;

}  // namespace doorbell::cli
