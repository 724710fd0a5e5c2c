# The demo for machines with 16 KiB of RAM: the same kernel, some of its threads, and the runtime without
# what they do not need. Streamed, since the rings hold a few milliseconds.
kernel_objects(kernel_small ${few_sources} small/conductor.cpp)
runtime_objects(runtime_small segments OFF)
foreach(objects kernel_small runtime_small)
  target_compile_options(
    ${objects} PRIVATE -include ${CMAKE_CURRENT_SOURCE_DIR}/small/small.h -ffunction-sections -fdata-sections)
endforeach()
kernel_image(kernel $<TARGET_OBJECTS:kernel_small> $<TARGET_OBJECTS:runtime_small>)
