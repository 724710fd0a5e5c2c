# The names of the targets in toolchain/targets.txt: barefxt_targets.
set(barefxt_targets_file ${CMAKE_CURRENT_LIST_DIR}/../targets.txt)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${barefxt_targets_file})
file(STRINGS ${barefxt_targets_file} barefxt_targets REGEX "^[^#]")
list(TRANSFORM barefxt_targets REPLACE " .*" "")
