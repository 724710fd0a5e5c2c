# Bare metal with clang 19 and lld, for the target triple in barefxt_triple.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

set(CMAKE_C_COMPILER clang-19)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_ASM_COMPILER clang-19)
set(CMAKE_AR llvm-ar-19)
set(CMAKE_RANLIB llvm-ranlib-19)
set(CMAKE_C_COMPILER_TARGET ${barefxt_triple})
set(CMAKE_CXX_COMPILER_TARGET ${barefxt_triple})
set(CMAKE_ASM_COMPILER_TARGET ${barefxt_triple})
set(CMAKE_EXE_LINKER_FLAGS_INIT "-fuse-ld=lld-19")
