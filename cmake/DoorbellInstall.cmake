# Installation: the libraries as package `doorbell`, headers in include/doorbell, the command, data in share/doorbell.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Gives every library that is installed what all need (include path, warnings), and installs.
function(doorbell_install)
  set(libraries doorbell_core doorbell_models doorbell_analytic doorbell_scenario doorbell_figures)
  set(includes $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/sim> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/doorbell>)
  foreach(library IN LISTS libraries)
    target_include_directories(${library} PRIVATE ${PROJECT_SOURCE_DIR}/sim)
    target_compile_features(${library} PUBLIC cxx_std_20)
    target_link_libraries(${library} PRIVATE doorbell_warnings)
    string(REPLACE "doorbell_" "" short_name ${library})
    set_target_properties(${library} PROPERTIES
      EXPORT_NAME ${short_name} INTERFACE_INCLUDE_DIRECTORIES "${includes}")
  endforeach()

  add_library(doorbell_all INTERFACE)
  target_link_libraries(doorbell_all INTERFACE ${libraries})
  set_target_properties(doorbell_all PROPERTIES EXPORT_NAME doorbell INTERFACE_INCLUDE_DIRECTORIES "${includes}")
  add_library(doorbell::doorbell ALIAS doorbell_all)

  install(TARGETS doorbell_all doorbell_warnings ${libraries} EXPORT doorbell
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT doorbell NAMESPACE doorbell:: FILE doorbellTargets.cmake
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/doorbell)
  set(doorbell_data ${CMAKE_INSTALL_DATADIR}/doorbell)
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/doorbellConfig.cmake.in
    ${PROJECT_BINARY_DIR}/doorbellConfig.cmake INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/doorbell
    PATH_VARS doorbell_data)
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/doorbellConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/doorbellConfig.cmake ${PROJECT_BINARY_DIR}/doorbellConfigVersion.cmake
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/doorbell)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/sim/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/doorbell
          FILES_MATCHING PATTERN "*.hpp" PATTERN "cli" EXCLUDE PATTERN "calibrate" EXCLUDE PATTERN "tools" EXCLUDE)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/scenarios ${PROJECT_SOURCE_DIR}/plots ${PROJECT_SOURCE_DIR}/calib
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doorbell)

  target_link_libraries(doorbell_cli PRIVATE doorbell_warnings)
  install(TARGETS doorbell_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()
