# cmake -DSOURCE=FOLDER -DHEADER=FILE -P BarefxtCommit.cmake: writes the commit of a clone as the macro BAREFXT_COMMIT, " (1a2b3c4d5e6f)",
# or "" outside a clone. The file changes only if the commit did, so that a build compiles nothing anew otherwise.
set(commit "")
find_program(git git)
if(git AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND ${git} -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
                  OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE status)
  if(status EQUAL 0)
    set(commit " (${described})")
  endif()
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT "#define BAREFXT_COMMIT \"${commit}\"\n")
