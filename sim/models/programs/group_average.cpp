#include "models/programs/group_average.hpp"

#include "models/common/bottleneck.hpp"
#include "models/common/resource_name.hpp"

namespace doorbell::model {

void GroupAverage::report(const std::string& resource, Limit limit, std::vector<Utilisation>& rows) const {
  rows.push_back({resource, value(), limit});
  constexpr double worth_telling = 0.5;
  const double even = most_ >= saturated ? 0.9 : 0.5;
  if (most_ < worth_telling || value() >= even * most_) return;
  Utilisation busiest{busiest_machine_of(resource), most_, limit};
  busiest.remark =
      "; on average over the machines of the group it is " + percent(value()) + ", so that others of them have room";
  rows.push_back(std::move(busiest));
}

}  // namespace doorbell::model
