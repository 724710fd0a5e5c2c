// "Blob record" (record type 5) and "Large BLOB record" (record type 15).

#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/fxt/blob.h>
#include <barefxt/records.h>

#include "linear.h"
#include "record_writer.h"

namespace barefxt {
namespace {

// Bytes of one blob record: whole words, well under a segment.
constexpr uint32_t kMaxChunkBytes = kSegmentBytes / 4;
static_assert(kMaxChunkBytes % fxt::kWordBytes == 0);
static_assert(kMaxChunkBytes <= fxt::Blob::kMaxPayloadBytes);

uint32_t chunk_bytes(size_t left) {
  return left < kMaxChunkBytes ? static_cast<uint32_t>(left) : kMaxChunkBytes;
}

uint32_t chunk_record_bytes(const barefxt_text& name, uint32_t bytes) {
  return words_to_bytes(1) + text_record_bytes(name) + stream_bytes(bytes);
}

bool is_stopped(const Ring& ring) {
#if BAREFXT_LINEAR
  return linear::Place::is_stopped(ring.position.load_relaxed());
#else
  return Position::is_stopped(ring.position.load_relaxed());
#endif
}

bool write_chunk(const barefxt_text& name, fxt::BlobType type, const uint8_t* payload,
                 uint32_t bytes) {
  RecordWriter record;
  if (!record.reserve_timed(chunk_record_bytes(name, bytes))) return false;
  record.text(name);
  record.stream(payload, bytes);
  record.commit(fxt::Blob::make(record.words(), string_ref(name), bytes, type));
  return true;
}

// Header, format header, streams, size of the payload, payload.
uint32_t large_blob_bytes(const barefxt_text& category, const barefxt_text& name,
                          size_t payload_bytes) {
  // More than any segment holds: what is counted as lost is at least that, and needs no 64 bits.
  if (payload_bytes > kSegmentBytes) payload_bytes = kSegmentBytes;
  return words_to_bytes(3) + text_record_bytes(category) + text_record_bytes(name) +
         stream_bytes(payload_bytes);
}

}  // namespace
}  // namespace barefxt

using namespace barefxt;

extern "C" {

void barefxt_blob(barefxt_text name, barefxt_blob_type type, const void* payload, size_t bytes) {
  const auto* at = static_cast<const uint8_t*>(payload);
  const auto blob_type = static_cast<fxt::BlobType>(type);
  size_t left = bytes;
  do {
    const uint32_t chunk = chunk_bytes(left);
    if (!write_chunk(name, blob_type, at, chunk)) break;
    at += chunk;
    left -= chunk;
  } while (left != 0);
  if (left == 0 || is_stopped(this_ring())) return;
  // The chunk that found no room is counted already; those after it are lost with it.
  for (left -= chunk_bytes(left); left != 0; left -= chunk_bytes(left))
    this_ring().count_lost(words_to_bytes(fxt::RingRecord::kTimedWords) +
                           chunk_record_bytes(name, chunk_bytes(left)));
}

void barefxt_large_blob(barefxt_text category, barefxt_text name, const void* payload,
                        size_t bytes) {
  using fxt::LargeBlob;
  RecordWriter record;
  if (!record.reserve_timed(large_blob_bytes(category, name, bytes))) return;
  record.word(LargeBlob::Category::of(category.reference) | LargeBlob::Name::of(name.reference));
  record.text(category);
  record.text(name);
  record.word(bytes);
  record.stream(payload, bytes);
  record.commit(LargeBlob::make(LargeBlob::kFormatBare, record.words()));
}

void barefxt_large_blob_event(barefxt_text category, barefxt_text name, const void* payload,
                              size_t bytes, const barefxt_argument* arguments, uint32_t count) {
  using fxt::LargeBlob;
  const uint32_t fixed_bytes = large_blob_bytes(category, name, bytes) + words_to_bytes(1);
  const ArgumentList list(arguments, count, fixed_bytes);
  RecordWriter record;
  if (!record.reserve(fixed_bytes + list.bytes(), Owner::kCurrent)) return;
  record.word(LargeBlob::Category::of(category.reference) | LargeBlob::Name::of(name.reference) |
              LargeBlob::ArgumentCount::of(list.count()) |
              LargeBlob::Thread::of(record.thread().value));
  record.text(category);
  record.text(name);
  record.word(record.ticks());
  record.koids();
  record.arguments(list);
  record.word(bytes);
  record.stream(payload, bytes);
  record.commit(LargeBlob::make(LargeBlob::kFormatEvent, record.words()));
}

}  // extern "C"

#endif
