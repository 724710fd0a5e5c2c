// How the command runs under AddressSanitizer where a test says nothing else in ASAN_OPTIONS. Tests
// start it thousands of times, and a search for leaks and stacks on the heap are half of what a
// process takes then. EveryInput asks for them, with every verb and kind of input, and the tests in
// host_test's own process have them for the library.
extern "C" const char* __asan_default_options() {
  return "detect_leaks=0:detect_stack_use_after_return=0:malloc_context_size=5";
}
