# barefxt_instrument_functions(TARGET [EXCLUDE_FUNCTIONS NAME...] [EXCLUDE_FILES PART_OF_PATH...]): the functions of
# TARGET's sources record their calls, see docs/how-to/functions.md. It excludes functions whose demangled name contains
# one of these names, and those of files whose path contains one of these parts. Clang has no such lists: there the
# attribute no_instrument_function excludes a function, and another target a file.
function(barefxt_instrument_functions target)
  cmake_parse_arguments(arg "" "" "EXCLUDE_FUNCTIONS;EXCLUDE_FILES" ${ARGN})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Code of the runtime's headers in these functions is not instrumented.
    list(APPEND arg_EXCLUDE_FILES include/barefxt/ barefxt_port.h)
    list(JOIN arg_EXCLUDE_FILES "," files)
    target_compile_options(${target} PRIVATE -finstrument-functions
                                             -finstrument-functions-exclude-file-list=${files})
    if(arg_EXCLUDE_FUNCTIONS)
      list(JOIN arg_EXCLUDE_FUNCTIONS "," functions)
      target_compile_options(${target}
                             PRIVATE -finstrument-functions-exclude-function-list=${functions})
    endif()
  elseif(arg_EXCLUDE_FUNCTIONS OR arg_EXCLUDE_FILES)
    message(FATAL_ERROR "barefxt_instrument_functions: clang cannot keep out functions or files of a list: "
                        "give the functions the attribute no_instrument_function, the files another target")
  else()
    target_compile_options(${target} PRIVATE -finstrument-functions-after-inlining)
  endif()
endfunction()

# barefxt_add_sleds(TARGET [THRESHOLD N] [LISTS FILE...]): clang puts sleds into TARGET's functions, see
# docs/how-to/functions.md. With THRESHOLD: functions with N instructions or more, or with a loop; otherwise all.
# LISTS excludes the functions that the files name, in the form of -fxray-attr-list.
function(barefxt_add_sleds target)
  cmake_parse_arguments(arg "" "THRESHOLD" "LISTS" ${ARGN})
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "barefxt_add_sleds: only clang has sleds; with others use barefxt_instrument_functions")
  endif()
  if(NOT arg_THRESHOLD)
    set(arg_THRESHOLD 1)
  endif()
  target_compile_options(${target} PRIVATE -fxray-instrument -fxray-instruction-threshold=${arg_THRESHOLD})
  foreach(list IN LISTS arg_LISTS)
    target_compile_options(${target} PRIVATE -fxray-attr-list=${list})
  endforeach()
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^arm")
    # A conditional return would be recorded where it is not taken.
    target_compile_options(${target} PRIVATE "SHELL:-mllvm -ifcvt-limit=0")
  endif()
endfunction()
