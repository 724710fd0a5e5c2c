# The warnings that all code of this project is held to, users' code not.
add_library(barefxt_warnings INTERFACE)
target_compile_options(barefxt_warnings INTERFACE -Wall -Wextra -Werror -Wshadow -Wundef)
