// "Userspace object record" (record type 6) and "Kernel object record" (record type 7).

#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/fxt/object.h>
#include <barefxt/records.h>

#include "record_writer.h"

using namespace barefxt;

extern "C" {

void barefxt_userspace_object(const volatile void* pointer, const barefxt_thread* thread,
                              barefxt_text name, const barefxt_argument* arguments,
                              uint32_t count) {
  const uint32_t fixed_bytes = words_to_bytes(2) + text_record_bytes(name);
  const ArgumentList list(arguments, count, fixed_bytes);
  RecordWriter record;
  constexpr uint32_t kProcessWords = 1;  // where it is named inline
  if (!record.reserve_timed(fixed_bytes + list.bytes(), thread, kProcessWords)) return;
  record.word(reinterpret_cast<uintptr_t>(pointer));
  record.process_koid();
  record.text(name);
  record.arguments(list);
  record.commit(
      fxt::UserspaceObject::make(record.words(), record.thread(), string_ref(name), list.count()));
}

void barefxt_kernel_object(uint64_t koid, uint8_t object_type, barefxt_text name,
                           const barefxt_argument* arguments, uint32_t count) {
  const uint32_t fixed_bytes = words_to_bytes(2) + text_record_bytes(name);
  const ArgumentList list(arguments, count, fixed_bytes);
  RecordWriter record;
  if (!record.reserve_timed(fixed_bytes + list.bytes())) return;
  record.word(koid);
  record.text(name);
  record.arguments(list);
  record.commit(fxt::KernelObject::make(record.words(),
                                        static_cast<fxt::KernelObjectType>(object_type),
                                        string_ref(name), list.count()));
}

}  // extern "C"

#endif
