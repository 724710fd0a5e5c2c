# The runtime as two files, barefxt.h and barefxt.cpp, in the folder `single` of the build. They contain the library's
# files.
set(barefxt_single ${PROJECT_BINARY_DIR}/single)
set(barefxt_amalgamate ${PROJECT_SOURCE_DIR}/toolchain/amalgamate.awk)
set(barefxt_runtime_dir ${PROJECT_SOURCE_DIR}/runtime)
file(GLOB_RECURSE barefxt_single_headers CONFIGURE_DEPENDS ${barefxt_runtime_dir}/include/*.h
                                                           ${barefxt_runtime_dir}/src/*.h)
get_target_property(barefxt_single_sources barefxt_runtime SOURCES)
# Sleds, which are C++ and assembler, are not.
list(FILTER barefxt_single_sources INCLUDE REGEX "^src/[^/]*[.]cpp$")
list(TRANSFORM barefxt_single_sources PREPEND ${barefxt_runtime_dir}/)
file(MAKE_DIRECTORY ${barefxt_single})
add_custom_command(
  OUTPUT ${barefxt_single}/barefxt.h ${barefxt_single}/barefxt.cpp
  COMMAND awk -v folders=${barefxt_runtime_dir}/include -f ${barefxt_amalgamate}
          ${barefxt_runtime_dir}/include/barefxt/barefxt.h > ${barefxt_single}/barefxt.h
  COMMAND awk -v folders=${barefxt_runtime_dir}/include:${barefxt_runtime_dir}/src
          -v ahead=barefxt/barefxt.h -f ${barefxt_amalgamate} ${barefxt_single_sources} >
          ${barefxt_single}/barefxt.cpp
  DEPENDS ${barefxt_amalgamate} ${barefxt_single_sources} ${barefxt_single_headers}
  VERBATIM)
add_custom_target(barefxt_single ALL DEPENDS ${barefxt_single}/barefxt.h ${barefxt_single}/barefxt.cpp)
