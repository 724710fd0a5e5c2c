// The writer's buffer, and the manager's part of an archive: metadata and tables.
#include <algorithm>
#include <bit>
#include <utility>

#include <barefxt/fxt/metadata.h>
#include <barefxt/fxt/tables.h>
#include <barefxt/host/archive_writer.h>

#include "record_place.h"
#include "utf8.h"

namespace barefxt::host {
namespace {

constexpr size_t kBufferBytes = size_t{256} << 10;

}  // namespace

ArchiveText ArchiveText::spelled_out(std::string_view text) {
  if (text.empty()) return {};
  const std::string_view kept = utf8_cut(text, fxt::kMaxStringBytes);
  return {fxt::StringRef::inline_bytes(kept.size()), kept};
}

ArchiveArgument ArchiveArgument::real(ArchiveText name, double value) {
  return plain(name, fxt::ArgumentType::kDouble, std::bit_cast<uint64_t>(value));
}

size_t ArchiveArgument::words() const {
  size_t words = 1 + words_of(name);
  if (fxt::ArgumentHeader::has_value_word(type)) words += 1;
  if (type == fxt::ArgumentType::kString) words += words_of(text);
  if (type == fxt::ArgumentType::kBlob) words += fxt::words_for_bytes(blob_bytes.size());
  return words;
}

ArchiveWriter::ArchiveWriter(ByteSink& sink, ByteOrder order)
    : sink_(sink),
      order_(order),
      buffer_(std::make_unique_for_overwrite<uint8_t[]>(kBufferBytes)),
      room_(kBufferBytes) {}

void ArchiveWriter::send(std::span<const uint8_t> bytes) {
  if (status_.ok() && !bytes.empty()) status_ = sink_.write(bytes);
  written_ += bytes.size();
}

void ArchiveWriter::drain() {
  send(std::span(buffer_.get(), used_));
  used_ = 0;
}

Status ArchiveWriter::flush() {
  end_payload();
  drain();
  return status_;
}

void ArchiveWriter::make_room(size_t bytes) {
  end_payload();
  if (room_ - used_ >= bytes) return;
  drain();
  // The arguments of a large blob may take more than a buffer, though not much more.
  if (room_ >= bytes) return;
  buffer_ = std::make_unique_for_overwrite<uint8_t[]>(bytes);
  room_ = bytes;
}

void ArchiveWriter::large_blob_payload(std::string_view piece) {
  piece = piece.substr(0, std::min<uint64_t>(piece.size(), payload_left_));
  payload_left_ -= piece.size();
  const std::span bytes(reinterpret_cast<const uint8_t*>(piece.data()), piece.size());
  if (bytes.size() > room_ - used_) drain();
  if (bytes.size() > room_) {
    send(bytes);
  } else {
    std::ranges::copy(bytes, buffer_.get() + used_);
    used_ += bytes.size();
  }
  if (payload_left_ == 0) pad_payload(std::exchange(payload_padding_, 0));
}

void ArchiveWriter::end_payload() {
  if (payload_left_ == 0) return;
  pad_payload(std::exchange(payload_left_, 0) + std::exchange(payload_padding_, 0));
}

void ArchiveWriter::pad_payload(uint64_t zeros) {
  while (zeros != 0) {
    if (used_ == room_) drain();
    const auto step = static_cast<size_t>(std::min<uint64_t>(zeros, room_ - used_));
    std::fill_n(buffer_.get() + used_, step, uint8_t{0});
    used_ += step;
    zeros -= step;
  }
}

void ArchiveWriter::magic_number() {
  RecordPlace(open_record(1), order_).word(fxt::MagicNumber::make());
  close_record(1);
}

void ArchiveWriter::provider_info(uint32_t provider, std::string_view name) {
  const std::string_view kept = utf8_cut(name, fxt::ProviderInfo::NameBytes::kMax);
  const size_t words = 1 + fxt::words_for_bytes(kept.size());
  RecordPlace place(open_record(words), order_);
  place.word(fxt::ProviderInfo::make(provider, kept.size()));
  place.stream(kept);
  close_record(words);
  provider_ = provider;
}

void ArchiveWriter::provider_section(uint32_t provider) {
  RecordPlace(open_record(1), order_).word(fxt::ProviderSection::make(provider));
  close_record(1);
  provider_ = provider;
}

void ArchiveWriter::provider_event(uint32_t provider, unsigned event) {
  RecordPlace(open_record(1), order_).word(fxt::ProviderEvent::make(provider, event));
  close_record(1);
}

void ArchiveWriter::initialization(uint64_t ticks_per_second) {
  RecordPlace place(open_record(fxt::Initialization::kWords), order_);
  place.word(fxt::Initialization::make());
  place.word(ticks_per_second);
  close_record(fxt::Initialization::kWords);
}

void ArchiveWriter::string(unsigned index, std::string_view text) {
  const std::string_view kept = utf8_cut(text, fxt::kMaxStringBytes);
  const size_t words = 1 + fxt::words_for_bytes(kept.size());
  RecordPlace place(open_record(words), order_);
  place.word(fxt::StringRecord::make(index, kept.size()));
  place.stream(kept);
  close_record(words);
}

void ArchiveWriter::thread(unsigned index, uint64_t process, uint64_t thread) {
  RecordPlace place(open_record(fxt::ThreadRecord::kWords), order_);
  place.word(fxt::ThreadRecord::make(index));
  place.word(process);
  place.word(thread);
  close_record(fxt::ThreadRecord::kWords);
}

}  // namespace barefxt::host
