# A runtime that ends the records of killed threads, and an interrupt that kills them.
kernel_objects(kernel_killed_code ${few_sources} killed/killing.cpp killed/main.cpp)
target_include_directories(kernel_killed_code PRIVATE ${PROJECT_SOURCE_DIR}/runtime/src)
runtime_objects(runtime_killed segments OFF)
foreach(objects kernel_killed_code runtime_killed)
  target_compile_options(
    ${objects} PRIVATE -include ${CMAKE_CURRENT_SOURCE_DIR}/killed/configuration.h -ffunction-sections
                       -fdata-sections)
endforeach()
kernel_image(kernel_killed $<TARGET_OBJECTS:kernel_killed_code> $<TARGET_OBJECTS:runtime_killed>)
if(board_roomy_options)
  target_link_options(kernel_killed PRIVATE ${board_roomy_options})
endif()
