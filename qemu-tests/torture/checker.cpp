// Checks that the records read of a torture are whole and in order.
#include "torture/checker.h"

#include <barefxt/fxt/argument.h>
#include <barefxt/fxt/event.h>
#include <barefxt/fxt/ring_record.h>
#include <barefxt/intern.h>

namespace barefxt::torture {
namespace {

using fxt::ArgumentHeader;
using fxt::ArgumentType;

bool is(fxt::Word header, ArgumentType type, uint32_t words) {
  return ArgumentHeader::Type::in(header) == static_cast<fxt::Word>(type) &&
         ArgumentHeader::SizeWords::in(header) == words;
}

constexpr uint32_t kNumberWords = 5;  // identity, begun and check

}  // namespace

void Checker::clear() {
  for (Order& order : order_) order = Order();
  late_ = Order();
  late_ring_ = 0;
  now_ = &late_;
  records_ = 0;
  written_ = 0;
  problem_ = nullptr;
}

void Checker::segment(uint32_t ring, uint32_t sequence) {
  if (ring >= kMaxRings) return fail("a ring that there is not");
  now_ = &order_[ring];
  if (sequence >= now_->sequence) {
    if (sequence != now_->sequence || now_->segments == 0) ++now_->segments;
    now_->sequence = sequence;
    return;
  }
  Order& in_time = *now_;
  // The same late one again, in another frame, goes on.
  now_ = &late_;
  if (late_.segments != 0 && late_.sequence == sequence && late_ring_ == ring) return;
  ++in_time.segments;
  late_ = Order();
  late_.sequence = sequence;
  late_.segments = 1;
  late_ring_ = ring;
}

bool Checker::no_segment_is_missing() const {
  for (const Order& order : order_)
    if (order.segments != 0 && order.sequence != order.segments - 1) return false;
  return true;
}

void Checker::record(const fxt::Word* words, uint32_t count) {
  ++records_;
  const fxt::Word header = words[0];
  if (fxt::RecordHeader::SizeWords::in(header) != count || count < 2)
    return fail("a record of another size than its header says");
  if (fxt::RingRecord::is(header, fxt::RingRecordType::kUnfinished))
    return fail("an unfinished record among the finished");
  if (words[1] < now_->ticks) return fail("a time before that of the record before");
  now_->ticks = words[1];

  const bool is_own =
      fxt::RecordHeader::Type::in(header) == static_cast<fxt::Word>(fxt::RecordType::kEvent) &&
      fxt::Event::Name::in(header) == BAREFXT_STRING("torture");
  if (!is_own) return;
  const bool has_text = fxt::Event::ArgumentCount::in(header) == 4;
  const uint32_t first = fxt::Event::Thread::in(header) == 0 ? 4 : 2;
  if (count < first + kNumberWords) return fail("a record that is too short");
  own(words + first, count - first, has_text);
}

void Checker::own(const fxt::Word* arguments, uint32_t words, bool has_text) {
  if (!is(arguments[0], ArgumentType::kUint64, 2) || !is(arguments[2], ArgumentType::kUint64, 2) ||
      !is(arguments[4], ArgumentType::kUint32, 1))
    return fail("an argument's header is not what was written");
  const uint64_t identity = arguments[1];
  const uint64_t begun = arguments[3];
  const auto check = static_cast<uint32_t>(ArgumentHeader::Uint32::in(arguments[4]));
  const auto writer = static_cast<uint32_t>(identity >> 32);
  const auto number = static_cast<uint32_t>(identity);
  if (check != check_word(identity, begun) || writer >= kMaxWriters)
    return fail("a record's words do not belong together");
  if (has_text != torture::has_text(number)) return fail("a record of another shape");
  if (has_text) {
    const uint32_t bytes = text_bytes(check);
    if (words != kNumberWords + 1 + fxt::words_for_bytes(bytes)) return fail("a text cut short");
    const auto* text = reinterpret_cast<const char*>(arguments + kNumberWords + 1);
    for (uint32_t i = 0; i < bytes; ++i)
      if (text[i] != text_letter(check)) return fail("a letter that was not written");
  } else if (words != kNumberWords) {
    return fail("a record of another size than was written");
  }
  if (begun > now_->ticks) return fail("a time before its writer set about it");

  ++written_;
  if (number < now_->next[writer]) return fail("a writer's records out of order, or doubled");
  now_->next[writer] = number + 1;
  if (each != nullptr) each(context, writer, number);
}

}  // namespace barefxt::torture
