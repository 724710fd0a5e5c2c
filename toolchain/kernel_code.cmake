# Flags of kernel code for every target, beside the target's own in barefxt_target_flags.
set(CMAKE_C_FLAGS_INIT "${barefxt_target_flags}")
set(CMAKE_CXX_FLAGS_INIT "${barefxt_target_flags} -fno-exceptions -fno-rtti -fno-threadsafe-statics -nostdinc++")

# The level that costs are measured at.
set(CMAKE_C_FLAGS_RELEASE "-O2" CACHE STRING "")
set(CMAKE_CXX_FLAGS_RELEASE "-O2" CACHE STRING "")
