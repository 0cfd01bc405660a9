# Shorter builds: headers of other libraries precompiled once, and no time spent on optimising what does not simulate.
# The presets dev and tsan do without, so that a file that forgets an include is found there: by clang-tidy, too.
option(DOORBELL_PRECOMPILE "Precompile the headers of other libraries" OFF)

set(doorbell_standard_headers
  <algorithm> <array> <chrono> <cmath> <coroutine> <cstdint> <deque> <functional> <map> <memory> <optional> <set>
  <span> <stdexcept> <string> <string_view> <tuple> <utility> <variant> <vector>)

# Behind a precompiled header g++ 12 takes the standard library for ours, and warns of overlong copies inside std::string
# where there are none (GCC bugs 105651, 105329). Builds without precompiled headers warn as always.
function(doorbell_allow_precompiled target)
  target_compile_options(${target} PRIVATE
    $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds> $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>)
endfunction()

# Several files at a time (CMAKE_UNITY_BUILD, in the presets that precompile): g++ then takes what is local to a file for
# the contents of a header, and warns of coroutines whose frames hold it.
if(CMAKE_UNITY_BUILD)
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endif()

# doorbell_precompile(TARGET HEADER...): beside those of the standard library.
function(doorbell_precompile target)
  if(DOORBELL_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE ${doorbell_standard_headers} ${ARGN})
    doorbell_allow_precompiled(${target})
  endif()
endfunction()

# doorbell_precompile_as(TARGET OTHER): the same headers, compiled for OTHER already, with the same options.
function(doorbell_precompile_as target other)
  if(DOORBELL_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM ${other})
    doorbell_allow_precompiled(${target})
  endif()
endfunction()

# doorbell_optimise_lightly(TARGET): for what runs once per scenario or per test rather than once per event.
function(doorbell_optimise_lightly target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()
