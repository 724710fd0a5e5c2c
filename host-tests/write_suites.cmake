# cmake -DEXECUTABLE=E -DFILE=F -DFILTER=G -DPROPERTIES=P -P write_suites.cmake: writes a file for TEST_INCLUDE_FILES in which
# each suite of tests of a GoogleTest executable is one test, of those that its filter lets through.
execute_process(COMMAND ${EXECUTABLE} --gtest_list_tests --gtest_filter=${FILTER} OUTPUT_VARIABLE list COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" lines "${list}")
set(text "")
foreach(line IN LISTS lines)
  # Tests are indented, and a suite with parameters has a comment behind its name.
  if(line MATCHES "^([^ ]+)\\.( |$)")
    string(APPEND text "add_test([=[${CMAKE_MATCH_1}]=] [=[${EXECUTABLE}]=] [=[--gtest_filter=${CMAKE_MATCH_1}.*]=])\n"
      "set_tests_properties([=[${CMAKE_MATCH_1}]=] PROPERTIES ${PROPERTIES})\n")
  endif()
endforeach()
file(WRITE "${FILE}" "${text}")
