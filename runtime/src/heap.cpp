// Blocks of heaps: compact records (fxt::HeapRecord), of which the host makes events. Pools are
// ordinary events, since there are few.

#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/barefxt.h>
#include <barefxt/fxt/event.h>
#include <barefxt/fxt/ring_record.h>
#include <barefxt/heap.h>

#include "record_writer.h"

namespace barefxt {
namespace {

using fxt::HeapAction;
using fxt::HeapRecord;

constexpr uint32_t kHeapBytes = HeapRecord::kWords * fxt::kWordBytes;

fxt::Word owned(fxt::Word header, const RecordWriter& record, size_t words) {
  return header + HeapRecord::SizeWords::of(record.words() - words) +
         HeapRecord::Thread::of(record.thread().value);
}

// Contention, a new segment, a full ring, a thread without an index.
BAREFXT_SLOW_PATH_ void write_block_slowly(fxt::Word block, fxt::Word header) {
  RecordWriter record;
  if (!record.reserve(kHeapBytes, Owner::kCurrent)) return;
  record.word(record.ticks());
  record.koids();
  record.word(block);
  record.commit(owned(header, record, HeapRecord::kWords));
}

// A block that no short form holds.
[[gnu::noinline, gnu::cold]] void write_long_block(fxt::Word header, uintptr_t address, size_t size,
                                                   uintptr_t caller) {
  RecordWriter record;
  if (!record.reserve(words_to_bytes(HeapRecord::kLongWords), Owner::kCurrent)) return;
  record.word(record.ticks());
  record.koids();
  record.word(address);
  record.word(size);
  record.word(caller);
  record.commit(owned(HeapRecord::make_long(header) | HeapRecord::Caller::low(caller), record,
                      HeapRecord::kLongWords));
}

// The last calls take what came in registers, so that nothing has to be kept.
[[gnu::always_inline]] inline void write_block(uintptr_t address, size_t size, uintptr_t caller,
                                               HeapAction action) {
  fxt::Word header = HeapRecord::make(action, HeapRecord::kNarrow);
  fxt::Word word = HeapRecord::narrow_word(address, size);
  if (!HeapRecord::is_narrow({address, size, caller})) {
    const fxt::Word form = HeapRecord::wide_form({address, size, caller});
    if (form == HeapRecord::kLong) return write_long_block(header, address, size, caller);
    header |= HeapRecord::Form::of(form);
    word = HeapRecord::wide_word(address, size);
  }
  header |= HeapRecord::Caller::low(caller);
  Reservation reservation;
  if (!kFastPaths || !try_reserve<Owner::kCurrent, kHeapBytes>(reservation))
    return write_block_slowly(word, header);
  reservation.words[1] = reservation.ticks;
  reservation.words[2] = word;
  static_assert(HeapRecord::Thread::kFirst == fxt::Event::Thread::kFirst);
  reservation.commit(header | reservation.owner_reference);
}

// Member by member: compilers copy or clear a structure by a call, which an image need not have.
void set(barefxt_argument& to, fxt::Word header, uint64_t value, const void* text = nullptr) {
  to.header = header;
  to.value = value;
  to.payload = text;
  to.name = nullptr;
}
void set_count(barefxt_argument& to, uint32_t name, size_t count) {
  if (uint64_t{count} >> 32 == 0)
    set(to, argument::uint32(name, static_cast<uint32_t>(count)).header, 0);
  else
    set(to, argument::uint64(name, count).header, count);
}

uintptr_t number(const volatile void* address) { return reinterpret_cast<uintptr_t>(address); }

}  // namespace
}  // namespace barefxt

using namespace barefxt;

extern "C" {

void barefxt_heap_alloc(const volatile void* address, size_t size, const volatile void* caller) {
  if (!BAREFXT_ENABLED(heap)) return;
  write_block(number(address), size, number(caller), HeapAction::kAlloc);
}

void barefxt_heap_free(const volatile void* address, const volatile void* caller) {
  if (!BAREFXT_ENABLED(heap) || address == nullptr) return;
  write_block(number(address), 0, number(caller), HeapAction::kFree);
}

void barefxt_heap_realloc(const volatile void* from, const volatile void* address, size_t size,
                          const volatile void* caller) {
  if (!BAREFXT_ENABLED(heap)) return;
  const bool has_moved = from != address;
  if (has_moved && address != nullptr) barefxt_heap_free(from, caller);
  if (has_moved) return barefxt_heap_alloc(address, size, caller);
  write_block(number(address), size, number(caller), HeapAction::kResize);
}

void barefxt_heap_pool(barefxt_text name, const volatile void* begin, size_t bytes, size_t used) {
  if (!BAREFXT_ENABLED(heap)) return;
  barefxt_argument arguments[4];
  set(arguments[0],
      argument::header(fxt::ArgumentType::kString, 1 + barefxt_text_words(name),
                       BAREFXT_STRING("name"), name.reference),
      name.bytes == nullptr ? 0 : name.reference & 0x7fff, name.bytes);
  set(arguments[1], argument::pointer(BAREFXT_STRING("address"), begin).header, number(begin));
  set_count(arguments[2], BAREFXT_STRING("bytes"), bytes);
  set_count(arguments[3], BAREFXT_STRING("used"), used);
  barefxt_event(BAREFXT_EVENT_INSTANT, nullptr, BAREFXT_TEXT("heap"), BAREFXT_TEXT("pool"), 0,
                arguments, sizeof arguments / sizeof *arguments);
}

}  // extern "C"

#endif
