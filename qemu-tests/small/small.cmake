# The demo for machines with 16 KiB of RAM: the same kernel, some of its threads, and the runtime without
# what they do not need. Streamed, since the rings hold a few milliseconds.
set(small_sources
  ${board_sources}
  kernel/atomics.cpp
  kernel/console.cpp
  kernel/interrupt.cpp
  kernel/memory.cpp
  kernel/mutex.cpp
  kernel/panic.cpp
  kernel/parameters.cpp
  kernel/rendezvous.cpp
  kernel/scheduler.cpp
  kernel/semaphore.cpp
  kernel/tally.cpp
  kernel/tally_print.cpp
  kernel/thread.cpp
  small/conductor.cpp
  workload/bracketed.cpp
  workload/messages.cpp
  workload/phase.cpp
  workload/sensor.cpp
  workload/services.cpp
  workload/trace_memory.cpp)
get_target_property(small_runtime_sources barefxt_runtime SOURCES)
get_target_property(small_runtime_folder barefxt_runtime SOURCE_DIR)
list(TRANSFORM small_runtime_sources PREPEND ${small_runtime_folder}/ REGEX "^src/")

kernel_objects(kernel_small ${small_sources})
kernel_objects(runtime_small ${small_runtime_sources})
target_compile_options(runtime_small PRIVATE $<TARGET_PROPERTY:barefxt_runtime,COMPILE_OPTIONS>)
foreach(objects kernel_small runtime_small)
  target_compile_options(
    ${objects} PRIVATE -include ${CMAKE_CURRENT_SOURCE_DIR}/small/small.h -ffunction-sections -fdata-sections)
endforeach()
kernel_image(kernel $<TARGET_OBJECTS:kernel_small> $<TARGET_OBJECTS:runtime_small>)
