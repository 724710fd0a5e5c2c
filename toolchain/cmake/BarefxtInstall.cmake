# Installs barefxt, and the CMake package barefxt. A host build installs the library and the command that read traces, a
# cross build the runtime for its target: give each a prefix of its own.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(barefxt_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/barefxt)
set(barefxt_share_dir ${CMAKE_INSTALL_DATADIR}/barefxt)
set(barefxt_linker_dir ${barefxt_share_dir}/linker)
set(barefxt_rtos_dir ${barefxt_share_dir}/port/rtos)
# From where pkg-config files are, so that the tree may be moved.
set(barefxt_pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH barefxt_pc_prefix /${barefxt_pc_dir} /)
string(REGEX REPLACE "/$" "" barefxt_pc_prefix "${barefxt_pc_prefix}")

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
  # Hooks of other people's kernels, which are compiled with the kernel.
  # A build of NuttX leaves its own things among them.
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/port/rtos/ DESTINATION ${barefxt_rtos_dir}
          REGEX "/[.][^/]*$|[.][oa]$|/Make[.]dep$" EXCLUDE)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/linker/ DESTINATION ${barefxt_linker_dir})
  install(FILES ${PROJECT_SOURCE_DIR}/toolchain/cmake/BarefxtFunctions.cmake
          DESTINATION ${barefxt_package_dir})

  # For builds without CMake: the library by pkg-config, or the runtime as two files, for any port.
  set(barefxt_pc_definitions "")
  get_target_property(barefxt_definitions barefxt_runtime INTERFACE_COMPILE_DEFINITIONS)
  if(barefxt_definitions)
    foreach(definition IN LISTS barefxt_definitions)
      string(APPEND barefxt_pc_definitions " -D${definition}")
    endforeach()
  endif()
  # How the target's C++ is compiled: not among the Cflags, which C takes too.
  string(STRIP "-std=c++17 ${CMAKE_CXX_FLAGS}" barefxt_pc_cxxflags)
  configure_file(${PROJECT_SOURCE_DIR}/toolchain/pkgconfig/barefxt-runtime.pc.in
                 ${PROJECT_BINARY_DIR}/barefxt-runtime.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/barefxt-runtime.pc DESTINATION ${barefxt_pc_dir})
  include(BarefxtSingle)
  install(FILES ${barefxt_single}/barefxt.h ${barefxt_single}/barefxt.cpp
          DESTINATION ${barefxt_share_dir}/single)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/port/arch DESTINATION ${barefxt_share_dir}/port
          PATTERN host EXCLUDE)
  install(FILES ${PROJECT_SOURCE_DIR}/toolchain/make/barefxt.mk DESTINATION ${barefxt_share_dir})
endif()

if(BAREFXT_HOST)
  set_target_properties(barefxt_host PROPERTIES EXPORT_NAME host)
  install(TARGETS barefxt_host EXPORT barefxtHostTargets
          INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT barefxtHostTargets NAMESPACE barefxt:: DESTINATION ${barefxt_package_dir})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/host/include/barefxt
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(TARGETS barefxt)
  # Without debug information, nine tenths of both files, which the build's own folder keeps.
  if(CMAKE_STRIP AND NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
    install(CODE "
      set(prefix \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
      execute_process(COMMAND \"${CMAKE_STRIP}\" \"\${prefix}/${CMAKE_INSTALL_BINDIR}/barefxt\" COMMAND_ERROR_IS_FATAL ANY)
      execute_process(COMMAND \"${CMAKE_STRIP}\" --strip-debug
                              \"\${prefix}/${CMAKE_INSTALL_LIBDIR}/libbarefxt_host.a\" COMMAND_ERROR_IS_FATAL ANY)")
  endif()
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/host/sql DESTINATION ${barefxt_share_dir})
  configure_file(${PROJECT_SOURCE_DIR}/toolchain/pkgconfig/barefxt-host.pc.in
                 ${PROJECT_BINARY_DIR}/barefxt-host.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/barefxt-host.pc DESTINATION ${barefxt_pc_dir})
  # The command's own description: manual page and completions.
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
  PATH_VARS barefxt_linker_dir barefxt_rtos_dir)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/barefxtConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/barefxtConfig.cmake
              ${PROJECT_BINARY_DIR}/barefxtConfigVersion.cmake
        DESTINATION ${barefxt_package_dir})
