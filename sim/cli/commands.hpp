// The subcommands. Each lives in a file of its own name and registers itself on the application:
//
//     void add_NAME(CLI::App& app, Session& session) {
//       auto* command = app.add_subcommand("NAME", "What it does.");
//       ...                                     // options, bound to variables that a shared_ptr keeps alive
//       command->callback([=, &session] { ... });
//     }
//
// A callback throws scenario::ScenarioError or UsageError for what the user can mend (main() prints one line and exits
// with 2), any other exception for what is wrong with Doorbell itself (one line, exit status 1), or sets
// session.status. A new subcommand needs its file, a declaration here and its name in CMakeLists.txt.
#pragma once

namespace CLI {
class App;
}

namespace doorbell::cli {

struct Session;

void add_run(CLI::App& app, Session& session);
void add_sensitivity(CLI::App& app, Session& session);
void add_check(CLI::App& app, Session& session);
void add_list(CLI::App& app, Session& session);
void add_explain(CLI::App& app, Session& session);
void add_analyze(CLI::App& app, Session& session);
void add_path(CLI::App& app, Session& session);
void add_graph(CLI::App& app, Session& session);
void add_reproduce(CLI::App& app, Session& session);
void add_import(CLI::App& app, Session& session);
void add_calibrate(CLI::App& app, Session& session);
void add_schema(CLI::App& app, Session& session);
void add_reference(CLI::App& app, Session& session);

/// All subcommands, in the order of the help text.
void add_commands(CLI::App& app, Session& session);

}  // namespace doorbell::cli
