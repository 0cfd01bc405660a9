# Run by ctest with BUILD, CONFIGURATION, COMPILER, SCRATCH and CONSUMER set.
function(step)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\nfailed (${status}):\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${SCRATCH})
step(${CMAKE_COMMAND} --install ${BUILD} --prefix ${SCRATCH}/prefix)
step(${CMAKE_COMMAND} -S ${CONSUMER} -B ${SCRATCH}/build -G Ninja -D CMAKE_BUILD_TYPE=${CONFIGURATION}
     -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_PREFIX_PATH=${SCRATCH}/prefix)
step(${CMAKE_COMMAND} --build ${SCRATCH}/build)
step(${SCRATCH}/build/consumer)
message(STATUS "${output}")

# The installed command finds the installed data.
step(${CMAKE_COMMAND} -E chdir / ${SCRATCH}/prefix/bin/doorbell reproduce kalia16/appendixA --format json)
if(NOT output MATCHES "\"id\": \"kalia16/appendixA\"")
  message(FATAL_ERROR "doorbell reproduce said:\n${output}")
endif()
