# One of Debian's cross GCCs, whose names begin with barefxt_gcc.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

set(CMAKE_C_COMPILER ${barefxt_gcc}-gcc)
set(CMAKE_CXX_COMPILER ${barefxt_gcc}-g++)
set(CMAKE_ASM_COMPILER ${barefxt_gcc}-gcc)
