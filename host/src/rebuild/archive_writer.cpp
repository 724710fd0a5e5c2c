#include <bit>
#include <cstring>

#include <barefxt/fxt/metadata.h>
#include <barefxt/fxt/tables.h>
#include <barefxt/host/archive_writer.h>
#include <barefxt/host/utf8.h>

#include "ordered_words.h"

namespace barefxt::host {
namespace {

constexpr size_t kBufferBytes = size_t{256} << 10;
constexpr size_t kMaxProviderNameBytes = 255;

std::string_view cut(std::string_view text, size_t limit) {
  const std::span bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size());
  return text.substr(0, utf8_cut(bytes, limit));
}

}  // namespace

ArchiveText ArchiveText::spelled_out(std::string_view text) {
  if (text.empty()) return {};
  const std::string_view kept = cut(text, fxt::kMaxStringBytes);
  return {fxt::StringRef::inline_bytes(kept.size()), kept};
}

ArchiveArgument ArchiveArgument::real(ArchiveText name, double value) {
  return {name, fxt::ArgumentType::kDouble, std::bit_cast<uint64_t>(value), {}};
}

// A record while it is put together: words and streams behind a header that is known last.
class ArchiveWriter::Record {
 public:
  Record(std::vector<uint8_t>& bytes, ByteOrder order) : bytes_(bytes), order_(order) {
    bytes_.assign(fxt::kWordBytes, 0);
  }

  void word(uint64_t value) {
    const size_t at = bytes_.size();
    bytes_.resize(at + fxt::kWordBytes);
    store_word(bytes_.data() + at, value, order_);
  }
  void stream(std::string_view text) {
    bytes_.insert(bytes_.end(), text.begin(), text.end());
    bytes_.resize(fxt::words_for_bytes(bytes_.size()) * fxt::kWordBytes);
  }
  void thread(const ArchiveThread& thread) {
    if (thread.index != 0) return;
    word(thread.process);
    word(thread.thread);
  }
  void arguments(std::span<const ArchiveArgument> arguments) {
    for (const ArchiveArgument& argument : arguments) this->argument(argument);
  }
  void header(fxt::Word value) { store_word(bytes_.data(), value, order_); }

  size_t words() const { return bytes_.size() / fxt::kWordBytes; }
  std::span<const uint8_t> bytes() const { return bytes_; }

 private:
  void argument(const ArchiveArgument& argument) {
    const bool has_value_word = fxt::ArgumentHeader::has_value_word(argument.type);
    const bool is_string = argument.type == fxt::ArgumentType::kString;
    const size_t words = 1 + argument.name.ref().inline_words() + (has_value_word ? 1 : 0) +
                         (is_string ? argument.text.ref().inline_words() : 0);
    fxt::Word head = fxt::ArgumentHeader::make(argument.type, words, argument.name.ref());
    if (is_string)
      head |= fxt::ArgumentHeader::String::of(argument.text.ref().value);
    else if (!has_value_word)
      head |= fxt::ArgumentHeader::Uint32::of(argument.value);
    word(head);
    stream(argument.name.inline_text());
    if (has_value_word) word(argument.value);
    if (is_string) stream(argument.text.inline_text());
  }

  std::vector<uint8_t>& bytes_;
  ByteOrder order_;
};

ArchiveWriter::ArchiveWriter(ByteSink& sink, ByteOrder order)
    : sink_(sink), order_(order), buffer_(kBufferBytes) {}

void ArchiveWriter::drain() {
  if (!failure_ && used_ != 0) failure_ = sink_.write(std::span(buffer_).first(used_));
  written_ += used_;
  used_ = 0;
}

Outcome ArchiveWriter::flush() {
  drain();
  return failure_;
}

uint8_t* ArchiveWriter::open_record(size_t words) {
  static_assert(kBufferBytes > fxt::kMaxRecordWords * fxt::kWordBytes);
  if (buffer_.size() - used_ < words * fxt::kWordBytes) drain();
  return buffer_.data() + used_;
}

bool ArchiveWriter::append(const Record& record) {
  if (record.words() > fxt::kMaxRecordWords) return false;
  std::memcpy(open_record(record.words()), record.bytes().data(), record.bytes().size());
  close_record(record.words());
  return true;
}

void ArchiveWriter::magic_number() {
  Record record(scratch_, order_);
  record.header(fxt::MagicNumber::make());
  append(record);
}

void ArchiveWriter::provider_info(uint32_t provider, std::string_view name) {
  const std::string_view kept = cut(name, kMaxProviderNameBytes);
  Record record(scratch_, order_);
  record.stream(kept);
  record.header(fxt::ProviderInfo::make(provider, kept.size()));
  append(record);
}

void ArchiveWriter::provider_section(uint32_t provider) {
  Record record(scratch_, order_);
  record.header(fxt::ProviderSection::make(provider));
  append(record);
}

void ArchiveWriter::provider_event(uint32_t provider, unsigned event) {
  Record record(scratch_, order_);
  record.header(fxt::ProviderEvent::make(provider, event));
  append(record);
}

void ArchiveWriter::initialization(uint64_t ticks_per_second) {
  Record record(scratch_, order_);
  record.word(ticks_per_second);
  record.header(fxt::Initialization::make());
  append(record);
}

void ArchiveWriter::string(unsigned index, std::string_view text) {
  const std::string_view kept = cut(text, fxt::kMaxStringBytes);
  Record record(scratch_, order_);
  record.stream(kept);
  record.header(fxt::StringRecord::make(index, kept.size()));
  append(record);
}

void ArchiveWriter::thread(unsigned index, uint64_t process, uint64_t thread) {
  Record record(scratch_, order_);
  record.word(process);
  record.word(thread);
  record.header(fxt::ThreadRecord::make(index));
  append(record);
}

bool ArchiveWriter::kernel_object(uint64_t koid, fxt::KernelObjectType type, ArchiveText name,
                                  std::span<const ArchiveArgument> arguments) {
  if (arguments.size() > fxt::kMaxArguments) return false;
  Record record(scratch_, order_);
  record.word(koid);
  record.stream(name.inline_text());
  record.arguments(arguments);
  record.header(fxt::KernelObject::make(record.words(), type, name.ref(), arguments.size()));
  return append(record);
}

bool ArchiveWriter::event(const ArchiveEvent& event, std::span<const ArchiveArgument> arguments) {
  if (arguments.size() > fxt::kMaxArguments) return false;
  Record record(scratch_, order_);
  record.word(event.timestamp);
  record.thread(event.thread);
  record.stream(event.category.inline_text());
  record.stream(event.name.inline_text());
  record.arguments(arguments);
  if (fxt::Event::has_trailing_word(event.type)) record.word(event.trailing_word);
  record.header(fxt::Event::make(event.type, record.words(), arguments.size(),
                                 fxt::ThreadRef::index(event.thread.index), event.category.ref(),
                                 event.name.ref()));
  return append(record);
}

}  // namespace barefxt::host
