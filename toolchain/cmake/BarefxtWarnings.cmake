# The warnings that all code of this project is held to, users' code not. They are errors in builds by our presets alone
# (CMAKE_COMPILE_WARNING_AS_ERROR): a compiler that we do not test with may warn of what it takes wrongly.
add_library(barefxt_warnings INTERFACE)
target_compile_options(barefxt_warnings INTERFACE -Wall -Wextra -Wshadow -Wundef)
# clang takes std::stable_sort of GCC 12's library for a use of what is deprecated.
target_compile_options(barefxt_warnings INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-deprecated-declarations>)
