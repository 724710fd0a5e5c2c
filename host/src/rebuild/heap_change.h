// A block that a heap gave out or took back, as a ring holds it (fxt::HeapRecord).
#pragma once

#include <optional>

#include <barefxt/fxt/ring_record.h>
#include <barefxt/host/archive_writer.h>

#include "record_walk.h"

namespace barefxt::host {

struct HeapChange {
  fxt::HeapAction action;
  fxt::HeapBlock block;
  ArchiveThread thread;  // by the target's index, or by koids
};

// Nothing where the parts do not fit the record's size, or the action is none.
inline std::optional<HeapChange> heap_change(const RecordView& record, ByteOrder order) {
  using Heap = fxt::HeapRecord;
  const auto index = static_cast<uint8_t>(Heap::Thread::in(record.header));
  const size_t at = Heap::kFixedWords + fxt::ThreadRef::index(index).inline_words();
  const size_t words = Heap::block_words(record.header);
  const auto action = static_cast<fxt::HeapAction>(Heap::Action::in(record.header));
  if (record.words() != at + words || action > fxt::HeapAction::kResize) return {};
  HeapChange change{action, {}, {.index = index}};
  if (index == 0)
    change.thread = {0, word_at(record, at - 2, order), word_at(record, at - 1, order)};
  fxt::Word block[Heap::kLongWords - Heap::kFixedWords] = {};
  for (size_t i = 0; i < words; ++i) block[i] = word_at(record, at + i, order);
  change.block = Heap::block(record.header, block);
  return change;
}

}  // namespace barefxt::host
