// Texts that are no scenario: syntax, keys, types, ranges and units.
#include "bad_input.hpp"

namespace doorbell::scenario::testing {
namespace {

using enum ErrorCode;

const std::string third_step = worker + "/loop/2/post";
const std::string its_payload = third_step + "/payload";
const std::string per_item = worker + "/loop/0/collect/per_item";

TEST_P(BadInputs, AreRefusedAtTheirPlace) { expect_complaint(GetParam()); }

BadInput bad_threads(const std::string& name, const std::string& value, ErrorCode code) {
  return {name, R"("threads": 6)", R"("threads": @)" + value, code, threads};
}
BadInput bad_payload(const std::string& name, const std::string& value, ErrorCode code, const std::string& says) {
  return {name, R"("payload": "8 B", "batch")", R"("payload": @)" + value + R"(, "batch")", code, its_payload, says};
}
BadInput bad_time(const std::string& name, const std::string& value, ErrorCode code, const std::string& says) {
  return {name, R"("per_item": "5 ns")", R"("per_item": @)" + value, code, per_item, says};
}

INSTANTIATE_TEST_SUITE_P(
    Syntax, BadInputs,
    ::testing::Values(
        BadInput{"EmptyFile", "", "@", syntax, ""}, BadInput{"OnlyAComment", "", "// nothing@", syntax, ""},
        BadInput{"TrailingGarbage", "", good_scenario + " @garbage", syntax, ""},
        BadInput{"SecondDocument", "", good_scenario + "\n@{}", syntax, ""},
        BadInput{"GarbageAfterNul", "", good_scenario + "@" + std::string(1, '\0') + "garbage", syntax, ""},
        BadInput{"UnterminatedString", R"("title": "Sequencer",)", R"("title": "Sequencer,@)", syntax, ""},
        BadInput{"StringToTheEnd", "",
                 R"({"title": "Sequencer)"
                 "@",
                 syntax, ""},
        BadInput{"HalfAFile", "", good_scenario.substr(0, good_scenario.find("\n      \"loop\"")) + "@\n", syntax, ""},
        BadInput{"HalfALine", "", "{\n  \"title\": \"x\"@\n\n", syntax, ""},
        BadInput{"Utf16", "", "@\xFF\xFE{" + std::string(1, '\0') + "}", encoding, "", "found UTF-16"},
        BadInput{"MissingComma", R"("client": {"hardware": "hardware.json", "count": 5})",
                 R"("client": {"hardware": "hardware.json" "count@": 5})", syntax, ""},
        BadInput{"TrailingComma", R"("count": 5})", R"("count": 5, @})", syntax, ""},
        BadInput{"NotANumber", R"("threads": 6)", R"("threads": @NaN)", syntax, ""},
        BadInput{"HexadecimalNumber", R"("threads": 6)", R"("threads": 0@x6)", syntax, ""},
        BadInput{"UnterminatedComment", "", good_scenario + "/* no end@", syntax, ""},
        BadInput{"LoneSurrogate", "Sequencer", R"(\ud800@")", syntax, ""},
        BadInput{"InvalidUtf8", "Sequencer", "Seq\xC3@\x28uencer", encoding, ""},
        BadInput{"Overflow", R"("threads": 6)", R"("threads": @1e999)", number_range, threads},
        BadInput{"DuplicateKey", R"("threads": 6,)", R"("threads": 6, @"threads": 7,)", duplicate_key, threads},
        BadInput{"DuplicateProgram", R"(    "client": {
      "machine")",
                 R"(    @"worker": {
      "machine")",
                 duplicate_key, worker},
        BadInput{"DeepNesting", R"("Sequencer")", std::string(63, '[') + "@[]" + std::string(63, ']'), too_deep,
                 "/title" +
                     [] {
                       std::string zeros;
                       for (int i = 0; i < 63; ++i) zeros += "/0";
                       return zeros;
                     }()},
        BadInput{"AnArray", "", "@[]", wrong_type, ""}, BadInput{"ANumber", "", "  @6", wrong_type, ""}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Keys, BadInputs,
    ::testing::Values(
        BadInput{"UnknownAtTheTop", R"("fabric")", R"(@"fabrics")", unknown_key, "/fabrics", R"(mean "fabric"?)"},
        BadInput{"UnknownLikeAKeyOfFiles", R"("fabric")", R"(@"swep")", unknown_key, "/swep", R"(mean "sweep"?)"},
        BadInput{"UnknownInMachine", R"("count": 5)", R"(@"cuont": 5)", unknown_key, "/machines/client/cuont",
                 R"(mean "count"?)"},
        BadInput{"UnknownInStep", R"("batch": 32)", R"(@"batches": 32)", unknown_key, third_step + "/batches",
                 R"(mean "batch"?)"},
        BadInput{"UnknownInQueuePairs", R"("count": 3)", R"(@"cout": 3)", unknown_key,
                 worker + "/queue_pairs/responses/cout", R"(mean "count"?)"},
        BadInput{"UnknownLikeNothing", R"("count": 3)", R"(@"colour": 3)", unknown_key,
                 worker + "/queue_pairs/responses/colour", R"(found "colour")"},
        BadInput{"KeyWithLineBreak", R"("count": 3)", R"(@"co\nunt": 3)", control_character,
                 worker + "/queue_pairs/responses/co\nunt"},
        BadInput{"NoMachines", good_scenario, R"(@{"programs": {}, "measure": {"program": "x"}})", missing_key, "",
                 "\"machines\""},
        BadInput{"NoHardware", R"({"hardware": "hardware.json", "count": 5})", R"(@{"count": 5})", missing_key,
                 "/machines/client", "\"hardware\""},
        BadInput{"NoMachineOfProgram", R"("worker": {
      "machine": "server", )",
                 R"("worker": @{
      )",
                 missing_key, worker, "\"machine\""},
        BadInput{"NoTransport", R"({"transport": "UC"})", "@{}", missing_key, "/programs/client/queue_pairs/requests",
                 "\"transport\""},
        BadInput{"NoVerb", R"({"verb": "SEND", )", "@{", missing_key, third_step, "\"verb\""},
        BadInput{"NoMeasuredProgram", R"({"program": "client", )", "@{", missing_key, "/measure", "\"program\""},
        BadInput{"EmptyMachineName", R"("client": {"hardware")", R"(@"": {"hardware")", empty_name, "/machines"},
        BadInput{"EmptyProgramName", R"("worker": {)", R"(@"": {)", empty_name, "/programs"},
        BadInput{"EmptyLineName", R"("line": "counter")", R"("line": @"")", empty_name,
                 worker + "/loop/1/increment/line"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Types, BadInputs,
    ::testing::Values(
        bad_threads("TextForCount", R"("six")", wrong_type), bad_threads("TrueForCount", "true", wrong_type),
        bad_threads("NullForCount", "null", wrong_type), bad_threads("ArrayForCount", "[6]", wrong_type),
        bad_threads("ObjectForCount", R"({"six": 6})", wrong_type), bad_threads("Fraction", "2.5", not_whole),
        BadInput{"NumberForTitle", R"("Sequencer")", "@5", wrong_type, "/title"},
        BadInput{"ArrayForMachines", R"({"switch_latency": "200 ns"})", "@[]", wrong_type, "/fabric"},
        BadInput{"NumberForChoice", R"("UC")", "@3", wrong_type, "/programs/client/queue_pairs/requests/transport"},
        BadInput{"UnknownTransport", R"("UC")", R"(@"UX")", unknown_choice,
                 "/programs/client/queue_pairs/requests/transport", "mean"},
        BadInput{"LowerCaseVerb", R"("SEND")", R"(@"send")", unknown_choice, third_step + "/verb", R"(mean "SEND"?)"},
        BadInput{"TextForFlag", R"("batch": 32)", R"("inline": @"yes")", wrong_type, third_step + "/inline",
                 "true or false"},
        BadInput{"NumberForHardware", R"("hardware.json", "count")", R"(@7, "count")", wrong_type,
                 "/machines/client/hardware"},
        BadInput{"StepIsText", R"({"await": {"at_least": 0}})", R"(@"await")", step_form, "/programs/client/loop/1"},
        BadInput{"StepIsEmpty", R"({"await": {"at_least": 0}})", "@{}", step_form, "/programs/client/loop/1"},
        BadInput{"StepOfTwoKinds", R"({"await": {"at_least": 0}})", R"(@{"await": {}, "compute": {}})", step_form,
                 "/programs/client/loop/1", "found 2 keys"},
        BadInput{"UnknownStep", R"({"await": {"at_least": 0}})", R"({@"wait": {"at_least": 0}})", unknown_step,
                 "/programs/client/loop/1/wait", R"(mean "await"?)"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Values, BadInputs,
    ::testing::Values(
        bad_threads("NoThreads", "0", out_of_range), bad_threads("NegativeThreads", "-6", out_of_range),
        bad_threads("TooManyThreads", "5000", out_of_range), bad_threads("AbsurdThreads", "1e300", out_of_range),
        BadInput{"NoMachineInGroup", R"("count": 5)", R"("count": @0)", out_of_range, "/machines/client/count"},
        BadInput{"NoQueuePairs", R"("count": 3)", R"("count": @0)", out_of_range,
                 worker + "/queue_pairs/responses/count"},
        BadInput{"NoDuration", R"("500 us")", R"(@"0 s")", out_of_range, "/measure/duration"},
        BadInput{"NegativeWarmup", R"("50 us")", R"(@"-50 us")", out_of_range, "/measure/warmup"},
        BadInput{"NegativeSeed", R"("title")", R"("seed": @-1, "title")", out_of_range, "/seed"},
        BadInput{"WideInterval", R"("50 us")", R"("50 us", "relative_ci": @0.9)", out_of_range, "/measure/relative_ci"},
        bad_payload("NegativePayload", R"("-8 B")", out_of_range, "from 0 B"),
        bad_payload("AbsurdPayload", R"("999999999999999 TB")", out_of_range, "found"),
        bad_payload("OverflowingPayload", R"("1e900 B")", out_of_range, "found"),
        bad_payload("PayloadWithoutUnit", "8", missing_unit, "KiB"),
        bad_payload("PayloadAsTextWithoutUnit", R"("8")", missing_unit, "KiB"),
        bad_payload("PayloadInNanoseconds", R"("8 ns")", wrong_dimension, "KiB"),
        bad_payload("PayloadInWords", R"("8 bytes")", unknown_unit, "mean \"B\"?"),
        bad_payload("PayloadInMisspeltUnit", R"("8 kib")", unknown_unit, "mean \"KiB\"?"),
        bad_payload("PayloadIsNoNumber", R"("eight B")", malformed_quantity, "eight"),
        bad_payload("PayloadIsEmpty", R"("")", malformed_quantity, "\"\""),
        bad_payload("HalfAByte", R"("0.5 B")", too_fine, "whole bytes"),
        bad_time("TimeIsNan", R"("nan ns")", malformed_quantity, "nan"),
        bad_time("TimeIsInfinite", R"("inf s")", malformed_quantity, "inf"),
        bad_time("TimeIsTooFine", R"("0.1 ps")", too_fine, "1 ps"),
        bad_time("TimeUnderflows", R"("1e-900 s")", too_fine, "1 ps"),
        bad_time("TimeUnderflowsInDigits", "\"0." + std::string(400, '0') + "1 s\"", too_fine, "1 ps"),
        bad_time("TimeInBytes", R"("5 B")", wrong_dimension, "ns"),
        bad_time("TimeTooLong", R"("5 s")", out_of_range, "to 1 ms"),
        bad_time("TimeInWords", R"("5 microseconds")", unknown_unit, "mean \"us\"?"),
        bad_time("TimeInBytesInWords", R"("5 bytes")", unknown_unit, "found \"5 bytes\""),
        bad_time("TimeWithTwoUnits", R"("5 ns ns")", unknown_unit, "ns ns"),
        bad_time("HalfProvenance", R"({"value": "5 ns", "provenance": "fitted"})", no_provenance, "source")),
    name_of);

}  // namespace
}  // namespace doorbell::scenario::testing
