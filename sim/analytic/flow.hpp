// How often each program of a scenario does what, for one request of the measured program.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analytic/device_traffic.hpp"
#include "models/scenario.hpp"

namespace doorbell::analytic {

/// One kind of operation of a post step towards one program.
struct PostFlow {
  const model::PostStep* step = nullptr;     ///< Of the program, or with an operation that is mixed in.
  const model::PostStep* in_loop = nullptr;  ///< The program's step of which it is a kind.
  const model::QueuePairs* queue_pairs = nullptr;
  std::size_t to = 0;             ///< Index of the receiving program.
  double work_requests = 0;       ///< Per measured request.
  int batch = 1;                  ///< Work requests of a posting call when there is enough to do.
  bool completes_itself = false;  ///< One-sided: its own completion is its answer.
  bool by_device = false;         ///< For an access step, on the way through the device of its machine.
  bool follows = false;           ///< On another one, and is part of the same operation of its program.
};

struct ProgramFlow {
  std::string name;
  const model::Program* program = nullptr;
  const model::MachineGroup* machine = nullptr;
  model::HardwareProfile hardware;  ///< With software as slow as the clock makes it when all threads run.
  double stretch = 1;               ///< How much slower that is than on a single core.
  double operations = 0;            ///< As a run counts them for this program, per measured request.
  double passes = 0;                ///< Of its loop, per measured request.
  double items = 0;                 ///< Requests collected or answers awaited in a pass.
  std::vector<double> awaited;      ///< Of these answers, those of each await step, where it starts work.
  double write_share = 0;           ///< Of what it collects, where it accesses storage.
  std::vector<PostFlow> posts;
  std::optional<double> outstanding;  ///< Operations that all its threads together have in flight; none: no limit.
  std::optional<Rate> arrivals;       ///< At all its threads together, where it posts what arrives.

  /// Threads on all machines of the group.
  [[nodiscard]] double threads() const { return static_cast<double>(program->threads) * machine->count; }
  /// Completion queues from which they take requests.
  [[nodiscard]] double request_queues() const {
    const int shared = program->completion.shared_queues;
    return shared > 0 ? static_cast<double>(shared) * machine->count : threads();
  }
};

/// Follows work from the programs that start it (that have no collect step) to those that collect it and answer.
/// Passes find all the work they can take, so calls are as full as their batch allows: costs per call and per pass are
/// at their smallest and the bounds made of them hold from above. Programs that start work share in proportion to what
/// they keep in flight, or to what arrives; where there are both, only those of the measured one's kind count. What
/// each really gets is not known: with several of them, bounds are made of the flow of each. Programs that have nothing
/// to do with the measured one (see related_to_measured) start nothing here. Throws std::invalid_argument when a name
/// is missing. `scenario` must outlive the flow.
class Flow {
 public:
  /// `alone`: all programs but that one, by its index, start hardly any work. Calls and passes are as full as with it.
  explicit Flow(const model::Scenario& scenario, std::optional<std::size_t> alone = std::nullopt);
  Flow(const Flow&) = delete;
  Flow& operator=(const Flow&) = delete;

  [[nodiscard]] const model::Scenario& scenario() const { return *scenario_; }
  [[nodiscard]] const std::vector<ProgramFlow>& programs() const { return programs_; }
  /// The programs that start work: their operations per measured request are what circulates.
  [[nodiscard]] const std::vector<std::size_t>& sources() const { return sources_; }
  [[nodiscard]] std::size_t index_of(const std::string& program) const;
  /// Operations of all programs that may be under way; 0 where that has no limit.
  [[nodiscard]] double in_flight() const;
  /// CPU time of such a step of `program` for what it has at hand, on average.
  [[nodiscard]] Time mean_per_item(const ProgramFlow& program, const model::ComputeStep& step) const;
  /// Whether nothing holds the measured program up once its requests have been received: then what their receivers do
  /// with them is no part of its work.
  [[nodiscard]] bool floods() const { return floods_; }

 private:
  [[nodiscard]] static const model::QueuePairs& set_of(const model::Program& program, const std::string& name);
  [[nodiscard]] bool measured_floods() const;
  void add_programs();
  /// Finds its machine, and how slow that makes it.
  void place(ProgramFlow& flow) const;
  void start_sources(std::optional<std::size_t> alone);
  /// Passes of its loop, in each of which it posts so many work requests; calls are as full as a pass ever makes them.
  void add_posts(ProgramFlow& flow, double passes, int posted_in_pass);
  /// What steps that act for requests post.
  void relay(ProgramFlow& flow, double collected);
  void add_post(ProgramFlow& flow, const model::PostStep& step, PostFlow post);
  void collect();
  void answer(ProgramFlow& flow, double collected);
  /// What its device on remote memory posts.
  void use_device(ProgramFlow& flow);
  void add_device_posts(ProgramFlow& flow, const DeviceTraffic& traffic, double operations);
  [[nodiscard]] double items_per_pass(std::size_t receiver) const;
  /// Share of what a program collects whose posts fit.
  template <class Predicate> [[nodiscard]] double share_of_requests(std::size_t receiver, Predicate fits) const;
  [[nodiscard]] double write_share(std::size_t receiver) const;
  /// Whether what this collecting program posts of its own accord ends up in what is measured.
  [[nodiscard]] bool leads_to_measured(std::size_t program) const;
  void count_operations();
  void normalise();

  const model::Scenario* scenario_;
  std::vector<ProgramFlow> programs_;
  std::vector<std::size_t> sources_;
  bool floods_ = false;
  std::deque<model::PostStep> mixed_in_;                         // a deque, because flows point into it
  std::deque<model::Program> memories_;                          // that are lent
  std::map<std::string, std::size_t> lenders_;                   // programs that stand for memory lent, by machine
  std::map<std::string, model::QueuePairs> device_queue_pairs_;  // of a thread's share, by program
  std::deque<model::MachineGroup> answering_;                    // those of lenders that are not silent
};

/// Queue pairs of a set on one machine.
[[nodiscard]] int queue_pairs_of(const ProgramFlow& flow, const model::QueuePairs& set);

}  // namespace doorbell::analytic
