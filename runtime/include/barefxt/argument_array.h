// The arguments of one record as an array, for the functions that C has.
#pragma once

#include <barefxt/argument.h>
#include <barefxt/event_c.h>
#include <barefxt/records.h>

namespace barefxt {

// Lives as long as the expression that makes it, and so do the temporaries its arguments point to.
template <size_t Count>
class ArgumentArray {
 public:
  static_assert(Count <= fxt::kMaxArguments, "a record has at most 15 arguments");

  // Filled one by one: an initializer may become a call of memset.
  template <typename... Arguments>
  explicit ArgumentArray(const Arguments&... arguments) {
    barefxt_argument* next = list_;
    ((*next++ = arguments), ...);
    (void)next;
  }
  const barefxt_argument* list() const { return list_; }
  static constexpr uint32_t count() { return Count; }

 private:
  barefxt_argument list_[Count == 0 ? 1 : Count];
};

template <typename... Arguments>
ArgumentArray<sizeof...(Arguments)> argument_array(const Arguments&... arguments) {
  return ArgumentArray<sizeof...(Arguments)>(arguments...);
}

}  // namespace barefxt

// The functions of C, with such an array at the end.

template <size_t Count>
void barefxt_event(barefxt_event_type type, const barefxt_thread* thread, barefxt_text category,
                   barefxt_text name, uint64_t trailing,
                   const barefxt::ArgumentArray<Count>& arguments) {
  barefxt_event(type, thread, category, name, trailing, arguments.list(), Count);
}
template <size_t Count>
void barefxt_large_blob_event(barefxt_text category, barefxt_text name, const void* payload,
                              size_t bytes, const barefxt::ArgumentArray<Count>& arguments) {
  barefxt_large_blob_event(category, name, payload, bytes, arguments.list(), Count);
}
template <size_t Count>
void barefxt_userspace_object(const volatile void* pointer, const barefxt_thread* thread,
                              barefxt_text name, const barefxt::ArgumentArray<Count>& arguments) {
  barefxt_userspace_object(pointer, thread, name, arguments.list(), Count);
}
template <size_t Count>
void barefxt_kernel_object(uint64_t koid, uint8_t object_type, barefxt_text name,
                           const barefxt::ArgumentArray<Count>& arguments) {
  barefxt_kernel_object(koid, object_type, name, arguments.list(), Count);
}
template <size_t Count>
void barefxt_context_switch_with(const barefxt_thread* outgoing, barefxt_thread_state state,
                                 const barefxt_thread* incoming,
                                 const barefxt::ArgumentArray<Count>& arguments) {
  barefxt_context_switch_with(outgoing, state, incoming, arguments.list(), Count);
}
template <size_t Count>
void barefxt_thread_wakeup_with(const barefxt_thread* thread,
                                const barefxt::ArgumentArray<Count>& arguments) {
  barefxt_thread_wakeup_with(thread, arguments.list(), Count);
}
