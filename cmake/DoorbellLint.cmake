# Target `lint`: the tree is formatted and clang-tidy has nothing to say. Neighbouring sources are looked at together, since
# most of the time goes into the headers that they share; those that passed are looked at again only when one of them, a header
# or the rules have changed.
find_program(DOORBELL_CLANG_FORMAT clang-format)
find_program(DOORBELL_CLANG_TIDY clang-tidy)
if(NOT DOORBELL_CLANG_FORMAT OR NOT DOORBELL_CLANG_TIDY)
  return()
endif()

file(GLOB_RECURSE headers CONFIGURE_DEPENDS sim/*.hpp tests/*.hpp bench/*.hpp)
file(GLOB_RECURSE sources CONFIGURE_DEPENDS sim/*.cpp)
file(GLOB_RECURSE other_sources CONFIGURE_DEPENDS tests/*.cpp bench/*.cpp)
set(lint ${PROJECT_BINARY_DIR}/lint)

add_custom_command(
  OUTPUT ${lint}/format.stamp
  COMMAND ${DOORBELL_CLANG_FORMAT} --dry-run -Werror ${headers} ${sources} ${other_sources}
  COMMAND ${CMAKE_COMMAND} -E touch ${lint}/format.stamp
  DEPENDS ${headers} ${sources} ${other_sources} ${PROJECT_SOURCE_DIR}/.clang-format
  COMMENT "Checking the format of the sources")

get_target_property(eigen Eigen3::Eigen INTERFACE_INCLUDE_DIRECTORIES)
list(TRANSFORM eigen PREPEND -isystem)
set(flags -std=c++20 -I${PROJECT_SOURCE_DIR}/sim ${eigen})
foreach(text VERSION EXTERNAL_DATA SOURCE_DIR INSTALL_DATADIR)
  list(APPEND flags "-DDOORBELL_${text}=\"\"")
endforeach()

# Looks at `part_sources` as one, under a name that begins with `area`.
set(tidied)
function(doorbell_tidy area part_sources)
  list(LENGTH tidied number)
  set(part ${lint}/${area}_${number}.cpp)
  list(TRANSFORM part_sources REPLACE "(.+)" "#include \"\\1\"  // NOLINT(bugprone-suspicious-include)\n" OUTPUT_VARIABLE lines)
  string(CONCAT text ${lines})
  file(CONFIGURE OUTPUT ${part} CONTENT "${text}" @ONLY)
  # clang-tidy counts suppressed warnings on stderr; what it finds goes to stdout.
  add_custom_command(
    OUTPUT ${part}.stamp
    COMMAND ${DOORBELL_CLANG_TIDY} --quiet --config-file=${PROJECT_SOURCE_DIR}/.clang-tidy ${part} -- ${flags} 2> ${part}.stderr
    COMMAND ${CMAKE_COMMAND} -E touch ${part}.stamp
    DEPENDS ${part} ${part_sources} ${headers} ${PROJECT_SOURCE_DIR}/.clang-tidy ${lint}/format.stamp
    COMMENT "clang-tidy ${area}, part ${number}"
    VERBATIM)
  set(tidied ${tidied} ${part}.stamp PARENT_SCOPE)
endfunction()

# Names in anonymous namespaces are unique within an area.
set(at_once 20)
foreach(area core models analytic scenario figures calibrate tools cli)
  set(rest ${sources})
  list(FILTER rest INCLUDE REGEX "/sim/${area}/")
  while(rest)
    list(SUBLIST rest 0 ${at_once} part)
    list(REMOVE_ITEM rest ${part})
    doorbell_tidy(${area} "${part}")
  endwhile()
endforeach()
add_custom_target(lint DEPENDS ${lint}/format.stamp ${tidied})
