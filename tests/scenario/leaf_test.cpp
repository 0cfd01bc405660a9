// Values with their provenance: what a leaf of a profile must say.
#include "scenario/leaf.hpp"

#include "bad_input.hpp"

namespace doorbell::scenario::testing {
namespace {

using enum ErrorCode;

const std::string cores_key = R"("cores": {"value": 16, "provenance": "assumed", "source": "test"})";

BadInput bad_profile(const std::string& name, const std::string& to, ErrorCode code, const std::string& member,
                     const std::string& says = {}) {
  return {name, cores_key, to, code, "/machines/server/hardware/cpu/cores" + member, says, {}, "hardware.json"};
}

class BadLeaves : public BadInputs {};

TEST_P(BadLeaves, AreRefusedAtTheirPlace) { expect_complaint(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Profiles, BadLeaves,
    ::testing::Values(
        bad_profile("BareNumber", R"("cores": @16)", no_provenance, ""),
        bad_profile("NoProvenance", R"("cores": @{"value": 16, "source": "x"})", no_provenance, "", "\"datasheet\""),
        bad_profile("NoSource", R"("cores": @{"value": 16, "provenance": "assumed"})", no_provenance, "", "\"source\""),
        bad_profile("EmptySource", R"("cores": {"value": 16, "provenance": "assumed", "source": @""})", no_provenance,
                    "/source"),
        bad_profile("SourceIsNoText", R"("cores": {"value": 16, "provenance": "assumed", "source": @7})", wrong_type,
                    "/source"),
        bad_profile("UnknownProvenance", R"("cores": {"value": 16, "provenance": @"guessed", "source": "x"})",
                    unknown_choice, "/provenance", "\"assumed\""),
        bad_profile("NoValue", R"("cores": @{"provenance": "assumed", "source": "x"})", missing_key, "", "\"value\""),
        bad_profile("UnknownKeyOfLeaf", R"("cores": {"value": 16, @"provenence": "assumed", "source": "x"})",
                    unknown_key, "/provenence", R"(mean "provenance"?)"),
        bad_profile("NoCores", R"("cores": {"value": @0, "provenance": "assumed", "source": "x"})", out_of_range, ""),
        BadInput{"UnknownComponent",
                 R"("cpu": {)",
                 R"(@"gpu": {)",
                 unknown_key,
                 "/machines/server/hardware/gpu",
                 R"(mean "cpu"?)",
                 {},
                 "hardware.json"}),
    name_of);

}  // namespace
}  // namespace doorbell::scenario::testing
