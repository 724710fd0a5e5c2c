# What is installed, and the CMake package barefxt. A host build installs the library and the command
# that read traces, a cross build the runtime for its target: give each a prefix of its own.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(barefxt_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/barefxt)
set(barefxt_linker_dir ${CMAKE_INSTALL_DATADIR}/barefxt/linker)

install(TARGETS barefxt_format EXPORT barefxtFormatTargets)
install(EXPORT barefxtFormatTargets NAMESPACE barefxt:: DESTINATION ${barefxt_package_dir})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/runtime/include/barefxt
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# The runtime of a host build is there for the tests of this project.
if(CMAKE_CROSSCOMPILING)
  get_directory_property(barefxt_port_dir DIRECTORY ${PROJECT_SOURCE_DIR}/runtime
                         DEFINITION barefxt_port_dir)
  install(TARGETS barefxt_runtime EXPORT barefxtRuntimeTargets)
  install(EXPORT barefxtRuntimeTargets NAMESPACE barefxt:: DESTINATION ${barefxt_package_dir})
  install(FILES ${barefxt_port_dir}/barefxt_port.h
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/barefxt-port)
  file(GLOB barefxt_transports ${PROJECT_SOURCE_DIR}/port/transport/*/*.h)
  install(FILES ${barefxt_transports} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/barefxt-port)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/linker/ DESTINATION ${barefxt_linker_dir}
          PATTERN barefxt_host.ld EXCLUDE)
endif()

if(BAREFXT_HOST)
  set_target_properties(barefxt_host PROPERTIES EXPORT_NAME host)
  install(TARGETS barefxt_host EXPORT barefxtHostTargets
          INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT barefxtHostTargets NAMESPACE barefxt:: DESTINATION ${barefxt_package_dir})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/host/include/barefxt
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(TARGETS barefxt)
  # What it tells of itself.
  set(barefxt_described ${PROJECT_BINARY_DIR}/described)
  file(MAKE_DIRECTORY ${barefxt_described})
  add_custom_command(
    OUTPUT ${barefxt_described}/barefxt.1 ${barefxt_described}/barefxt ${barefxt_described}/_barefxt
    COMMAND barefxt --man > ${barefxt_described}/barefxt.1
    COMMAND barefxt --completion bash > ${barefxt_described}/barefxt
    COMMAND barefxt --completion zsh > ${barefxt_described}/_barefxt
    DEPENDS barefxt VERBATIM)
  add_custom_target(barefxt_described ALL DEPENDS ${barefxt_described}/barefxt.1)
  install(FILES ${barefxt_described}/barefxt.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${barefxt_described}/barefxt
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${barefxt_described}/_barefxt
          DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
endif()

configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/toolchain/cmake/barefxtConfig.cmake.in
  ${PROJECT_BINARY_DIR}/barefxtConfig.cmake
  INSTALL_DESTINATION ${barefxt_package_dir}
  PATH_VARS barefxt_linker_dir)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/barefxtConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/barefxtConfig.cmake
              ${PROJECT_BINARY_DIR}/barefxtConfigVersion.cmake
        DESTINATION ${barefxt_package_dir})
