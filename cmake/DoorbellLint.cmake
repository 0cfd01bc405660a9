# Target `lint`: the tree is formatted and clang-tidy has nothing to say. A file that passed is looked at again only when
# it, a header or the rules have changed. Not where headers are precompiled: clang-tidy cannot read those of g++.
if(DOORBELL_PRECOMPILE)
  return()
endif()
find_program(DOORBELL_CLANG_FORMAT clang-format)
find_program(DOORBELL_CLANG_TIDY clang-tidy)
if(NOT DOORBELL_CLANG_FORMAT OR NOT DOORBELL_CLANG_TIDY)
  return()
endif()

file(GLOB_RECURSE headers CONFIGURE_DEPENDS sim/*.hpp tests/*.hpp bench/*.hpp)
file(GLOB_RECURSE sources CONFIGURE_DEPENDS sim/*.cpp)
file(GLOB_RECURSE other_sources CONFIGURE_DEPENDS tests/*.cpp bench/*.cpp)
set(stamps ${PROJECT_BINARY_DIR}/lint)

add_custom_command(
  OUTPUT ${stamps}/format.stamp
  COMMAND ${DOORBELL_CLANG_FORMAT} --dry-run -Werror ${headers} ${sources} ${other_sources}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${stamps}
  COMMAND ${CMAKE_COMMAND} -E touch ${stamps}/format.stamp
  DEPENDS ${headers} ${sources} ${other_sources} ${PROJECT_SOURCE_DIR}/.clang-format
  COMMENT "Checking the format of the sources")

set(tidied)
foreach(source IN LISTS sources)
  file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${source})
  string(REPLACE "/" "-" stamp ${name})
  set(stamp ${stamps}/${stamp}.stamp)
  # clang-tidy counts suppressed warnings on stderr; what it finds goes to stdout. Clang does not know all of g++'s flags.
  add_custom_command(
    OUTPUT ${stamp}
    COMMAND ${DOORBELL_CLANG_TIDY} -p ${PROJECT_BINARY_DIR} --quiet --extra-arg=-Wno-unknown-warning-option ${source}
            2> ${stamp}.stderr
    COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
    DEPENDS ${source} ${headers} ${PROJECT_SOURCE_DIR}/.clang-tidy ${stamps}/format.stamp
    COMMENT "clang-tidy ${name}")
  list(APPEND tidied ${stamp})
endforeach()
add_custom_target(lint DEPENDS ${stamps}/format.stamp ${tidied})
