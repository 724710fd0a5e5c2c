// Events on sleds, which a program makes by clang's __xray_customevent(bytes, count) and
// __xray_typedevent(type, bytes, count). Each is an instant of the running thread, with the bytes
// as its payload. It is one reservation, as any event is, so nothing can come in between, and an
// event that no record holds counts as lost.
//
// Images without such events do not contain this: nothing else refers to this file.

#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/barefxt.h>
#include <barefxt/event_c.h>

#if BAREFXT_FUNCTIONS && (defined(__aarch64__) || defined(__x86_64__))

#if defined(__aarch64__)
#include "aarch64.h"
#else
#include "x86_64.h"
#endif

extern "C" {

// For the trampolines, __xray_CustomEvent and __xray_TypedEvent. Context: any.
void barefxt_record_custom_event(const uint64_t* arguments, const uint64_t* saved,
                                 const uint8_t* behind);
void barefxt_record_typed_event(const uint64_t* arguments, const uint64_t* saved,
                                const uint8_t* behind);

}  // extern "C"

namespace barefxt::sleds {
namespace {

barefxt_argument payload_of(const EventCall& event, uint32_t bytes_at) {
  return barefxt_arg_blob(BAREFXT_TEXT("payload"),
                          reinterpret_cast<const void*>(argument_of(event, bytes_at)),
                          argument_of(event, bytes_at + 1));
}

}  // namespace
}  // namespace barefxt::sleds

using namespace barefxt::sleds;

void barefxt_record_custom_event(const uint64_t* arguments, const uint64_t* saved,
                                 const uint8_t* behind) {
  const EventCall event{arguments, 2, saved, behind};
  const barefxt_argument payload = payload_of(event, 0);
  barefxt_event(BAREFXT_EVENT_INSTANT, nullptr, BAREFXT_TEXT("xray"), BAREFXT_TEXT("custom event"),
                0, &payload, 1);
}

void barefxt_record_typed_event(const uint64_t* arguments, const uint64_t* saved,
                                const uint8_t* behind) {
  const EventCall event{arguments, 3, saved, behind};
  const barefxt_argument list[] = {
      barefxt_arg_u32(BAREFXT_TEXT("type"), static_cast<uint16_t>(argument_of(event, 0))),
      payload_of(event, 1)};
  barefxt_event(BAREFXT_EVENT_INSTANT, nullptr, BAREFXT_TEXT("xray"), BAREFXT_TEXT("typed event"),
                0, list, 2);
}

#endif

#endif
