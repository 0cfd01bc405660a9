// The table of errors: the one list behind the messages' codes and docs/errors.md.
#include <fmt/format.h>

#include "scenario/error.hpp"

namespace doorbell::scenario {
namespace {

using enum ErrorCode;

constexpr std::array kinds{
    ErrorKind{file_not_found, "file-not-found", "The file does not exist.",
              "Check the path. In a file, paths are relative to the file that names them; after `--set`, to the "
              "current folder."},
    ErrorKind{not_a_file, "not-a-file", "The path is a folder or a device, or may not be read.",
              "Name a regular, readable file."},
    ErrorKind{syntax, "syntax", "The text is not JSON (with comments as in C++, which are allowed).",
              "Correct the text at the place given; the mistake is there or just before it."},
    ErrorKind{duplicate_key, "duplicate-key", "An object has the same key twice.", "Keep one of the two."},
    ErrorKind{too_deep, "too-deep", "Objects and arrays are nested deeper than any scenario needs.",
              "Remove the nesting."},
    ErrorKind{encoding, "encoding", "The text is not UTF-8.", "Save the file as UTF-8."},
    ErrorKind{number_range, "number-range", "A number is too large for any parameter.", "Write a smaller number."},
    ErrorKind{extends_cycle, "extends-cycle", "Files inherit from one another in a circle.", "Remove one `extends`."},
    ErrorKind{file_too_large, "file-too-large", "The file is far larger than a scenario.",
              "Check that it is the right file."},
    ErrorKind{control_character, "control-character",
              "A text or a name has a control character, such as a line break or the beginning of an escape sequence, "
              "which would reach the terminal.",
              "Remove it."},

    ErrorKind{unknown_key, "unknown-key", "No parameter has this name here.",
              "Use the name suggested, or see docs/reference.md."},
    ErrorKind{missing_key, "missing-key", "A parameter without default is not given.", "Add it."},
    ErrorKind{wrong_type, "wrong-type", "The value is of another kind: a number where text belongs, and so on.",
              "Write the kind of value that the message asks for."},
    ErrorKind{unknown_choice, "unknown-choice", "The word is not one of the choices.", "Use one of the words listed."},
    ErrorKind{out_of_range, "out-of-range", "The value lies outside the sensible range.",
              "Check the unit and the power of ten; the range is in the message."},
    ErrorKind{not_whole, "not-whole", "A count has a fraction.", "Write a whole number."},
    ErrorKind{step_form, "step-form", "A step of a loop is not an object with exactly one key.",
              "Write for example {\"collect\": {\"at_most\": 32}}."},
    ErrorKind{unknown_step, "unknown-step", "There is no step of this kind.", "Use one of the kinds listed."},
    ErrorKind{no_provenance, "no-provenance", "A parameter of a profile does not say where its number comes from.",
              "Write {\"value\": ..., \"provenance\": \"datasheet\", \"source\": \"where\"}."},
    ErrorKind{empty_name, "empty-name", "A machine, program or queue-pair set has an empty name.", "Give it a name."},
    ErrorKind{
        wrong_file, "wrong-file",
        "The file describes something else than what belongs here: a scenario, a profile, a figure, a calibration, or "
        "results of other figures.",
        "Name a file of the kind that the message asks for; `doorbell list` shows the scenarios and profiles that "
        "come with Doorbell."},

    ErrorKind{missing_unit, "missing-unit", "A quantity has no unit.",
              "Write text with a unit, for example \"450 ns\"."},
    ErrorKind{unknown_unit, "unknown-unit", "No such unit.",
              "Use one of the units listed. KiB is 1024 B, kB is 1000 B."},
    ErrorKind{wrong_dimension, "wrong-dimension",
              "The unit measures something else, for example bytes where a time belongs.",
              "Use one of the units listed."},
    ErrorKind{malformed_quantity, "malformed-quantity", "The text is not a number followed by a unit.",
              "Write for example \"984.6 MB/s\"."},
    ErrorKind{too_fine, "too-fine", "A part of a byte, or a time that is not zero but rounds to 0 ps.",
              "Write whole bytes; times have a resolution of 1 ps."},

    ErrorKind{override_form, "override-form", "An override is not path=value.",
              "Write --set programs.worker.threads=6 or --set /programs/worker/threads=6."},
    ErrorKind{path_not_found, "path-not-found", "A path leads through something that is not there.",
              "Correct the path."},
    ErrorKind{sweep_form, "sweep-form", "A sweep is not a list of axes, each {path, values} or {paths, values}.",
              "Write [{\"path\": \"/programs/worker/threads\", \"values\": [1, 2, 4]}]."},
    ErrorKind{sweep_row, "sweep-row", "A row of a zipped axis has not one value for each of its paths.",
              "Give each row as many values as there are paths."},
    ErrorKind{sweep_empty, "sweep-empty", "An axis has no values.", "Give it values, or remove it."},
    ErrorKind{sweep_too_large, "sweep-too-large", "The axes multiply to too many points.",
              "Shorten the axes, or split the sweep."},
    ErrorKind{sweep_repeated, "sweep-repeated", "Two axes vary the same parameter.", "Keep one of them."},

    ErrorKind{unknown_machine, "unknown-machine", "A program runs on a machine that does not exist.",
              "Name a machine of the scenario."},
    ErrorKind{unknown_program, "unknown-program", "No program has this name.", "Name a program of the scenario."},
    ErrorKind{unknown_queue_pairs, "unknown-queue-pairs", "The program has no queue-pair set of this name.",
              "Name one of the program's `queue_pairs`."},
    ErrorKind{too_many_threads, "too-many-threads",
              "A machine has more threads than its cores have hardware threads; each thread takes one.",
              "Use fewer threads, or a machine with more cores."},
    ErrorKind{mmio_batch, "mmio-batch", "A batch cannot be posted by MMIO: the CPU writes one work request at a time.",
              "Use the method \"doorbell\" or \"automatic\", or a batch of 1."},
    ErrorKind{inline_too_big, "inline-too-big", "The payload does not fit into the work request.",
              "Post with \"inline\": false, send less, or raise the queue pairs' `max_inline`."},
    ErrorKind{verb_transport, "verb-transport",
              "The transport does not support the verb: READ and atomics need RC, WRITE needs RC or UC.",
              "Change the queue pairs' transport or the verb."},
    ErrorKind{window_blocks, "window-blocks", "More operations would be outstanding than the send queues hold.",
              "Lower the window or batch, or use deeper or more queue pairs."},
    ErrorKind{origin_without_collect, "origin-without-collect",
              "A step answers requests, but no step before it collects any.",
              "Put a `collect` step before it, or choose another destination."},
    ErrorKind{await_without_post, "await-without-post",
              "A step waits for answers, but the program starts no operation.",
              "Add a `post` step, or remove the `await`."},
    ErrorKind{collect_without_requests, "collect-without-requests",
              "A step collects requests that no program sends this way.",
              "Let a program WRITE (for \"memory\") or SEND (for \"completion_queue\") to it."},
    ErrorKind{unused_machine, "unused-machine", "Nothing runs on a machine, so nothing reaches it.",
              "Run a program on it, or remove it."},
    ErrorKind{no_route, "no-route", "There is no way through the switch from one program to the other.",
              "Put them on different machines: a machine does not send to itself, and within a group the destination "
              "\"fixed\" would make each do so."},
    ErrorKind{nothing_measured, "nothing-measured",
              "The measured program neither posts nor collects, so nothing would be counted.",
              "Measure a program that posts or collects."},
    ErrorKind{signal_beyond_depth, "signal-beyond-depth",
              "The send queue is full before a work request is signaled, so its slots never come back.",
              "Lower `signal_every` or deepen the queue."},
    ErrorKind{
        region_does_not_fit, "region-does-not-fit",
        "The accessed word lies outside its object, the region is larger than any memory, or its pages have a size "
        "that no processor has.",
        "Correct `offset`, `stride`, `count`, `page` or the payload."},
    ErrorKind{region_misplaced, "region-misplaced", "A SEND carries no remote address.",
              "Remove the region, or use another verb."},
    ErrorKind{no_destination, "no-destination",
              "An operation needs exactly one destination: a program, or the origin of what was collected.",
              "Give `to`, or \"destination\": \"origin\" without `to`."},
    ErrorKind{atomic_payload, "atomic-payload", "An atomic works on 8 bytes.",
              "Leave `payload` out, or write \"8 B\"."},
    ErrorKind{datagram_too_big, "datagram-too-big", "A UD message must fit into one packet.",
              "Send less, or use another transport."},
    ErrorKind{await_never_ends, "await-never-ends", "More answers are awaited than operations can be outstanding.",
              "Lower `at_least` or raise the window."},
    ErrorKind{nothing_to_run, "nothing-to-run", "The scenario has no machine or no program.", "Add one."},
    ErrorKind{impossible_hardware, "impossible-hardware", "Parameters of a profile contradict one another.",
              "Correct one of them."},
    ErrorKind{mix_shares, "mix-shares", "What is mixed into a step has shares above 1 together.",
              "Lower a share; what is left of 1 is the step's own operation."},
    ErrorKind{no_inline_receive, "no-inline-receive", "RECVs ask for inline receive and the NIC does not have it.",
              "Leave inline_receive out, or choose another NIC."},
    ErrorKind{buffer_too_small, "buffer-too-small", "A request does not fit the memory that it passes through.",
              "Ask for less at a time, or take another path."},
    ErrorKind{synchronized_elsewhere, "synchronized-elsewhere",
              "A synchronized send needs data that the NIC can watch arriving.",
              "Read through the NIC's memory, or send when the data is complete."},
    ErrorKind{cache_elsewhere, "cache-elsewhere", "The page cache is in memory, and the path does not pass there.",
              "Choose the path ram."},
    ErrorKind{no_programs, "no-programs",
              "The command has nothing to say of this kind of scenario: `path` is about verbs.",
              "Use `doorbell run`, `analyze` or `graph`, or another scenario."},
    ErrorKind{one_load, "one-load",
              "A scenario about remote memory or shared files needs exactly one load that is measured, and one in each "
              "entry of `beside`.",
              "Give one of `block`, `paging`, `records` and `files`, or of `stream`, `web`, `tiles` and `trace`."},
    ErrorKind{too_few_peers, "too-few-peers",
              "More replicas are wanted, or more peers unreachable, than machines lend memory.",
              "Lower `replicas` or `unreachable`, or add peers."},
    ErrorKind{unknown_resource, "unknown-resource",
              "A route names a resource, or `measure` a stream, that the scenario does not have.",
              "Use one of its names."},
    ErrorKind{nothing_to_cross, "nothing-to-cross", "A stream without stages, or a route without resources.",
              "Name what the data crosses."},
    ErrorKind{bad_trace, "bad-trace", "A line of a trace is not what its format says, or the trace has no requests.",
              "Record it anew: fio --write_iolog, or blkparse."},
    ErrorKind{mmio_too_long, "mmio-too-long", "A work request is longer than what the driver writes by MMIO.",
              "Use the method \"doorbell\" or \"automatic\", or a smaller payload."},
    ErrorKind{order_of_answers, "order-of-answers",
              "Answers are to be taken in the order of posting, but programs answer in an order of their own.",
              "Let the other program collect nothing, or take what comes: \"order\": \"completion\"."},
    ErrorKind{await_unanswered, "await-unanswered",
              "A step waits for requests that the other program collects and does not answer.",
              "Let the other program answer them, or not collect them: then they complete by themselves."},
    ErrorKind{window_without_await, "window-without-await",
              "A step keeps a window of operations in flight, but the program awaits none of them.",
              "Add an `await` step, or leave out `window`."},
    ErrorKind{window_too_small, "window-too-small",
              "The window of a DMA scenario, or a file, has no room for one request.",
              "Widen `window` or `file`, or make `size`, `offset` or `record` smaller."},
    ErrorKind{no_drives, "no-drives", "A step accesses drives, and the machine of its program has none.",
              "Give the machine `drives`: {\"hardware\": \"../hardware/pm9a3.json\", \"count\": 8}."},
    ErrorKind{
        access_misplaced, "access-misplaced",
        "A step accesses storage for requests, or keeps them, but none are at hand there, or they are answered "
        "before; or one acknowledges what no step has written or kept.",
        "Put the step that accesses, or keeps, behind the `collect` step and before the one that answers; one access "
        "step is enough."},
    ErrorKind{
        relay_misplaced, "relay-misplaced",
        "A step relays requests, but none are at hand there, or they are answered before; or it mixes what cannot "
        "be told apart.",
        "Put the relay behind the `collect` step and before the one that answers, with queue pairs of its own."},
    ErrorKind{relay_copies, "relay-copies",
              "A request is relayed to more machines than there are, or waits for more than it has.",
              "Let `copies` be at most the machines of the other program, and `at_least` at most `copies`."},
    ErrorKind{relay_circle, "relay-circle", "Programs relay requests to one another in a circle, so that none ends.",
              "Let one program of the circle answer by itself, or collect nothing."},
    ErrorKind{arrivals_misplaced, "arrivals-misplaced",
              "A step posts what arrives, in a program that waits for something else as well.",
              "Let the program consist of that post step and an `await` step of one answer; other work is for other "
              "programs."},
    ErrorKind{skew_in_order, "skew-in-order",
              "Objects that are taken in their order cannot be more popular than others.",
              "Leave out `skew`, or take \"pattern\": \"random\"."},
    ErrorKind{never_posts, "never-posts",
              "A step never posts: the windows before it are never less than full, or all requests are answered before "
              "it.",
              "Widen its window, put an `await` step before it, or remove it."},
    ErrorKind{immediate_misplaced, "immediate-misplaced", "Only SENDs and WRITEs carry immediate data.",
              "Leave `immediate` out, or use another verb."},
    ErrorKind{reads_only, "reads-only", "How data goes this way in the other direction is not modelled.",
              "Read, or choose the path ram for writes."},
    ErrorKind{no_disk, "no-disk", "Blocks go to the disk of a host whose profile has none.",
              "Give the hardware profile a `disk`, or leave `copy_on_disk` out and a replica reachable."},
    ErrorKind{
        no_software, "no-software",
        "A program sleeps until an interrupt, copies or registers on a machine without a software profile.",
        "Give the machine one (`\"software\": \"../hardware/linux_3_13.json\"`), or let the program poll and leave "
        "out `data`."},
    ErrorKind{never_interrupted, "never-interrupted", "A program sleeps, and waits for what raises no interrupt.",
              "Let it poll (completion mode busy), or leave this to another program."},
    ErrorKind{data_misplaced, "data-misplaced", "A step copies or registers payloads that it does not have.",
              "Leave `data` out, or post payloads of one kind that are not inline."},
    ErrorKind{unfit_scale, "unfit-scale", "A store would be simulated by too few records, or by too many pages.",
              "Lower `scale` in the first case, raise it in the second."},
    ErrorKind{shared_queues, "shared-queues", "Threads would share completion queues from which they take no requests.",
              "Use as many as threads at most, in a program with a `collect` step via \"completion_queue\"; 0 gives "
              "each thread its own."},
    ErrorKind{reserved_name, "reserved-name", "Something beside remote memory has a name that is taken.",
              "Choose another name. Programs run on \"host\" and \"peer\" without more."},
    ErrorKind{
        no_remote_device, "no-remote-device",
        "A step or a memory needs a device on remote memory that its machine does not have, or that has no room; or "
        "a step says of drives what only such a device has, or the other way round.",
        "Give the machine a `remote_device`: {\"peers\": \"NAME OF OTHER MACHINES\"}, or a larger `extent`."},
    ErrorKind{
        memory_misplaced, "memory-misplaced",
        "A program touches memory that it does not have, or has memory that it does not touch.",
        "Give the program a `memory` with `pages` or `records`, and its loop a `touch` step, for requests at hand or "
        "`per_pass`."},
    ErrorKind{
        unconnected, "unconnected",
        "A step posts to several machines over RC or UC, or sends to several threads or answers them, but has not "
        "one queue pair for each.",
        "Give `queue_pairs` a `count` of at least as many, answer over UD, or let who asks post with "
        "\"destination\": \"fixed\"."},
    ErrorKind{without_effect, "without-effect",
              "Drives, a device, queue pairs, a relay, a factor or a setting are described, but nothing uses them.",
              "Let something use what is described, or remove it."},
    ErrorKind{not_awaited, "not-awaited",
              "A step posts for the requests at hand, and yet has a window, or polls as its operations are awaited.",
              "Leave out `window` and `poll`; how much is posted is up to who asks."},
    ErrorKind{inline_misplaced, "inline-misplaced",
              "Only SENDs and WRITEs have payloads that a work request can carry.",
              "Leave `inline` out, or use another verb."},
    ErrorKind{signal_beyond_window, "signal-beyond-window",
              "All that a thread may have in flight can be waiting for a CQE, and none of it is signaled.",
              "Lower `signal_every` or `at_least`, or widen the window; signal every WQE where the oldest operation is "
              "awaited first."},
    ErrorKind{nobody_starts, "nobody-starts",
              "A step waits for requests or answers of programs that wait for this one in turn.",
              "Let one of them post, or answer, before it waits."},
    ErrorKind{broken_sector, "broken-sector",
              "Drives and other block devices read and write whole sectors, and so does direct I/O.",
              "Use a multiple of 512 B for `size`, `record`, `sieve`, the row of a tile, or a request of a trace."},
    ErrorKind{two_peers, "two-peers",
              "Two steps post on the same RC or UC queue pairs, but to other peers, or deal them out in another way; a "
              "connected queue pair leads to one for good.",
              "Give each of the steps `queue_pairs` of its own, or post over UD."},
    ErrorKind{atomic_unaligned, "atomic-unaligned", "Atomics work on words whose addresses are multiples of 8 B.",
              "Use multiples of 8 B for `offset` and `stride`."},
    ErrorKind{
        follow_up_misplaced, "follow-up-misplaced",
        "An operation cannot follow on another one whose end the program does not see, or of which there is no limit.",
        "Put `then` into a step that starts work up to a `window`, or as it arrives, and an `await` step into the "
        "loop."},
    ErrorKind{refused_by_model, "refused-by-model", "The models refuse the scenario for another reason.",
              "See the message."},

    ErrorKind{no_such_point, "no-such-point", "A calibration file names a point that its figure's reference lacks.",
              "Name a series and an x of the reference."},
    ErrorKind{not_for_fitting, "not-for-fitting", "A calibration file names a point that is not in the fit set.",
              "Fit to other points; to fit to validation points would leave nothing to validate with."},
    ErrorKind{bad_expression, "bad-expression",
              "The expression of a claim cannot be read, or calculates with what is no number.",
              "Correct it; sim/figures/claim.hpp lists the functions."},
    ErrorKind{wrong_id, "wrong-id", "The id of a figure is not its path below `plots`.",
              "Rename the file or change the id."},
    ErrorKind{two_references, "two-references", "A figure has two sources of measured points.",
              "Keep one of `reference` and `external`."},
    ErrorKind{
        named_twice, "named-twice",
        "Two panels or claims of a figure, or two stages of a calibration file, have the same name; two series of a "
        "figure have the same point, or two stages find the same parameter; or what is written for two figures or "
        "panels is the same file.",
        "Give one of them another; a parameter is for one stage to find."},
    ErrorKind{not_swept, "not-swept",
              "A series stands on an axis or at a point that its scenario's sweep does not have, or has another number "
              "of positions.",
              "Name an axis of that sweep, or give a position for each of its points."},
    ErrorKind{not_simulated, "not-simulated",
              "A bar, a claim, a row of a reference or a calibration file names a point that its series does not have.",
              "Name an x at which the series stands, and a metric that it has there."},
    ErrorKind{malformed_table, "malformed-table",
              "A table of measured points lacks a column or rows that are needed, or one of its lines has another "
              "number of cells, or a quote that does not end.",
              "Write a cell for each column of the first line, and a cell with a comma in it in quotes."},
    ErrorKind{other_unit, "other-unit", "A point was measured in another unit than it is simulated in.",
              "Convert value and uncertainty to the unit of the message."},
    ErrorKind{mixed_units, "mixed-units", "A series stands on an axis whose values are in several units.",
              "Write all values of that axis of the scenario's sweep in one unit."},
    ErrorKind{not_predicted, "not-predicted", "A calibration file fits to a point that its method does not predict.",
              "Use the method \"simulation\", or fit to other points."},
    ErrorKind{other_hardware, "other-hardware",
              "The scenario of a point to fit to does not use the profile that is calibrated, or has values of its own "
              "for what is sought.",
              "Let the scenario name that profile, or fit to other points."},
    ErrorKind{not_at_hand, "not-at-hand",
              "A series, a claim or a panel of a figure asks for what its runs turn out not to have: a counter, say, a "
              "latency, a point, or numbers to draw lines at; or a calibration file fits to measurements of others, "
              "which are not in the repository.",
              "Ask for something that the message names, or say by `--data` in which folder the measurements are."},

    ErrorKind{bad_output, "bad-output",
              "Saved output of a measuring tool is incomplete or contradicts itself, or tells of a test that no "
              "scenario describes.",
              "Save all that the tool prints; docs/calibration.md says which tests can be imported."},
    ErrorKind{given_twice, "given-twice", "The same saved output is named twice, and would count as two measurements.",
              "Name it once."},

    ErrorKind{unknown_word, "unknown-word",
              "There is no such option or subcommand, or a word stands where it has no place.",
              "Use the name suggested, or see `doorbell --help`; options of a subcommand stand behind it."},
    ErrorKind{option_value, "option-value", "An option or argument has a value that it does not take.",
              "Use what the message expects."},
    ErrorKind{argument_count, "argument-count",
              "A subcommand, a required argument or the value of an option is missing.",
              "See the `--help` of the subcommand."},
    ErrorKind{options_together, "options-together",
              "Options exclude one another, need one another, or write the same file.",
              "Leave one out, add what is needed, or name another file."},
    ErrorKind{not_there, "not-there",
              "An option or argument names a point, a program, an operation or a figure that is not there.",
              "Use one that the message names."},
    ErrorKind{no_place, "no-place", "What an option asks for cannot be written there, or not be drawn.",
              "Name another place, or install what is missing."},
    ErrorKind{other_kind, "other-kind", "An option or a command says nothing about files of this kind.",
              "Use another file, or leave the option out."},
};

static_assert([] {
  for (std::size_t i = 1; i < kinds.size(); ++i) {
    if (!(kinds[i - 1].code < kinds[i].code)) return false;
  }
  return true;
}());

}  // namespace

std::span<const ErrorKind> error_kinds() { return kinds; }

std::string error_page() {
  std::string page =
      "# Errors\n\n"
      "Every mistake in an input gives one line and exit status 2:\n\n"
      "    scenarios/x.json:12:7: DB103 /programs/worker/threads: expected a count from 1 to 4096, found \"six\"\n\n"
      "that is: file, line, column, code, JSON pointer, what was expected and what was found, and the nearest valid "
      "name\n"
      "if there is one. For an override the file is `--set` and the line its number on the command line. Codes are\n"
      "stable: a code never changes its meaning. They are those of scenarios, profiles, figures and their\n"
      "references, targets, results, calibration files and the output that `import` reads, and from DB701 on of\n"
      "the command line. These have no place to tell, nor has what only runs show (DB514):\n\n"
      "    doorbell: DB702 --jobs: expected a whole number from 0 to 1024, found \"many\" (see doorbell --help)\n\n"
      "Exit status 1 means a failure of Doorbell itself, or of its output once it has begun: a full disk;\n"
      "`calibrate`, and `reproduce` with `--check` or `--baseline`, also give it when what they check does not "
      "hold.\n\n"
      "This page is printed by `doorbell reference --errors`.\n\n"
      "| Code | Name | Meaning | What to do |\n|---|---|---|---|\n";
  for (const ErrorKind& kind : kinds) {
    page += fmt::format("| {} | {} | {} | {} |\n", code_text(kind.code), kind.name, kind.meaning, kind.remedy);
  }
  return page;
}

}  // namespace doorbell::scenario
