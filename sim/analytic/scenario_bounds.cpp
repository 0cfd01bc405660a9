#include "analytic/scenario_bounds.hpp"

#include <type_traits>
#include <variant>

#include "analytic/analysis.hpp"
#include "analytic/dma_analysis.hpp"
#include "analytic/remote_memory_analysis.hpp"
#include "analytic/shared_files_analysis.hpp"
#include "analytic/storage_analysis.hpp"
#include "analytic/transfer_analysis.hpp"

namespace doorbell::analytic {

Bounds scenario_bounds(const model::Scenario& scenario) {
  return std::visit(
      [&]<class About>(const About& about) -> Bounds {
        if constexpr (std::is_same_v<About, std::monostate>) {
          return analyze(scenario);
        } else {
          Bounds bounds = analyze(about);
          if (!scenario.programs.empty()) bounds.left_out.emplace_back("what programs beside the load take of it");
          if constexpr (std::is_same_v<About, model::RemoteMemoryScenario>) {
            if (!about.beside.empty()) bounds.left_out.emplace_back("what other loads on the same device take of it");
          }
          return bounds;
        }
      },
      scenario.instead);
}

}  // namespace doorbell::analytic
