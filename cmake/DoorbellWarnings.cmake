# Flags that all targets of the tree compile with: link PRIVATE to doorbell_warnings.
# -ffp-contract=off, because a fused multiply-add in one build and not in another changes the last bit of a result.
add_library(doorbell_warnings INTERFACE)
target_compile_options(doorbell_warnings INTERFACE
  $<BUILD_INTERFACE:-Wall> $<BUILD_INTERFACE:-Wextra> $<BUILD_INTERFACE:-Wpedantic> $<BUILD_INTERFACE:-Wshadow>
  $<BUILD_INTERFACE:-Wconversion> $<BUILD_INTERFACE:-Werror> $<BUILD_INTERFACE:-ffp-contract=off>)

# g++ 12 at -O3 warns of overlapping copies inside std::string's operator+ (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(doorbell_warnings INTERFACE $<BUILD_INTERFACE:-Wno-restrict>)
endif()

# The thread sanitizer does not know fences, which SimGrid's headers use within its one thread.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND DOORBELL_SANITIZE MATCHES "thread")
  target_compile_options(doorbell_warnings INTERFACE $<BUILD_INTERFACE:-Wno-tsan>)
endif()

if(DOORBELL_SANITIZE)
  add_compile_options(-fsanitize=${DOORBELL_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # A third of the code would be checks for null and alignment. What follows a null pointer, the address sanitizer finds.
  if(DOORBELL_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize=null,alignment)
  endif()
  add_link_options(-fsanitize=${DOORBELL_SANITIZE})
endif()
