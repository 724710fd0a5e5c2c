// Walks an archive record by record, in file order, keeping each provider's tables.
//
// Unreadable bytes are delivered too, as a Malformed record with the place and the reason:
//  - A record whose content does not fit its size is skipped by its size, if there the archive ends
//    or another record parses.
//  - Otherwise (also at size 0, and at a size beyond the end) reading goes on at the next place
//    where three records in a row are beyond doubt, or beyond doubt up to the archive's very end:
//    known types, nothing reserved set, padding zero, no word to spare. Within 64 KiB only the
//    words' own grid is searched, after that every byte (four records in a row off the grid), since
//    the lost bytes may be no multiple of eight. Without such a place the rest is one
//    malformed tail.
// Archives written through mapped memory are whole pages. Zeros up to the end are unused room: a
// Malformed record reports them, but nothing is missing.
//
// Invariants: the records delivered cover the archive without gap or overlap. No claimed size
// allocates anything, and the time is linear in the archive's size.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <barefxt/host/decoder.h>
#include <barefxt/host/record.h>
#include <barefxt/host/source.h>

namespace barefxt::host {

struct Form {
  ByteOrder byte_order = ByteOrder::kLittle;
  Dialect dialect = Dialect::kToday;
};

// A user's choice of an archive's form; unset members are guessed.
struct FormOverrides {
  std::optional<ByteOrder> byte_order;
  std::optional<Dialect> dialect;
};

struct FormGuess {
  Form form;
  std::vector<std::string> notes;  // each guess and its reason; none if there is a magic number
};

// Returns whether the magic number of an archive stands at the start, in either byte order.
bool starts_as_archive(Bytes bytes);

// The byte order from the magic number, else from what parses. The dialect is 2017's only without a
// magic number and with nothing newer in the archive.
FormGuess guess_form(Bytes bytes, FormOverrides overrides = {},
                     const std::function<void(uint64_t offset)>& passed = {});

// A record's position and bytes.
struct Place {
  uint64_t offset;
  std::string_view raw;  // the record's bytes, header included
  uint64_t extra_words;  // beyond the known content
};

class Reader {
 public:
  // Gets the offset that the search for a readable record has reached, so that memory before it can
  // be given back: an unreadable stretch may be as long as the archive.
  using Passed = std::function<void(uint64_t offset)>;

  Reader(Bytes bytes, Form form);
  void on_passed(Passed passed) { passed_ = std::move(passed); }

  // More of an archive that comes in pieces of whole records, to be read when the piece before is.
  // The texts of string and provider records must stay where they are, as registered.
  void go_on_with(Bytes bytes) {
    bytes_ = bytes;
    offset_ = 0;
    not_zero_at_ = 0;
  }

  // The next record, null at the end. It is valid until the next call.
  const Record* next();

  // Reads the rest of the archive as fast as possible: calls `see` with each record's view (Event,
  // Log, ..., Malformed) and its place. If `see` is inlined, views of the frequent types stay out
  // of memory, and fields that `see` ignores are not computed.
  template <typename See>
  void walk(See&& see) {
    swap_ ? walk_as<true>(see) : walk_as<false>(see);
  }

  // The state that applies to the record delivered last (and that it has already changed).
  const ProviderState& provider() const { return *current_; }

  uint64_t malformed_places() const { return malformed_places_; }
  uint64_t malformed_bytes() const { return malformed_bytes_; }
  // Zeros at the end of whole pages, which are not among those.
  uint64_t unwritten_bytes() const { return unwritten_bytes_; }
  uint64_t readable_records() const { return readable_records_; }
  // Tables that had to be forgotten because the archive names too many providers, or because their
  // strings take too many pages.
  uint64_t forgotten_providers() const { return forgotten_providers_; }
  size_t pages() const { return pages_; }  // of strings, of all providers

  static constexpr size_t kMaxProviders = 1024;
  static constexpr size_t kMaxPages = 65536;

 private:
  template <bool kSwap>
  void step();
  void malformed(Fault fault, uint64_t size);
  bool is_unwritten();
  void unwritten();
  uint64_t end_of_malformed(uint64_t size) const;
  template <bool kSwap, typename See>
  void walk_as(See& see);
  void apply();
  ProviderState& state_of(uint32_t id);
  void clear(ProviderState& state);
  std::unique_ptr<ProviderState> forget_oldest();

  Bytes bytes_;
  Form form_;
  bool swap_;
  uint64_t offset_ = 0;
  uint64_t malformed_places_ = 0;
  uint64_t malformed_bytes_ = 0;
  uint64_t unwritten_bytes_ = 0;
  uint64_t not_zero_at_ = 0;  // the end of the last run of zeros looked at
  Passed passed_;
  uint64_t readable_records_ = 0;
  uint64_t forgotten_providers_ = 0;
  size_t pages_ = 0;
  std::unordered_map<uint32_t, std::unique_ptr<ProviderState>> providers_;
  std::deque<uint32_t> order_;  // of declaration: the oldest is forgotten first
  std::unique_ptr<ProviderState> nobody_;
  ProviderState* current_;
  std::optional<uint32_t> current_id_;
  Record record_;
};

template <bool kSwap, typename See>
void Reader::walk_as(See& see) {
  const uint8_t* const data = bytes_.data();
  const uint8_t* const end = data + bytes_.size();
  while (offset_ < bytes_.size()) {
    // As long as the frequent records come, all that there is to know is in registers.
    const uint8_t* at = data + offset_;
    uint64_t readable = 0;
    const ProviderState& state = *current_;
    const Dialect dialect = form_.dialect;
    uint64_t size = 0;
    const auto deliver = [&](const auto& view, uint64_t extra_words)
                             __attribute__((always_inline)) {
                               const std::string_view raw(reinterpret_cast<const char*>(at), size);
                               see(view, Place{static_cast<uint64_t>(at - data), raw, extra_words});
                             };
    while (end - at >= static_cast<ptrdiff_t>(fxt::kWordBytes)) {
      const Word header = load_word(at, kSwap);
      size = fxt::RecordHeader::SizeWords::in(header)*fxt::kWordBytes;
      // Without a size there is no end, and no record that begins there.
      if (size - 1 >= static_cast<uint64_t>(end - at)) [[unlikely]]
        break;
      Decoder<kSwap> decoder(header, at, size, dialect, state);
      if (!decoder.decode_frequent(deliver)) [[unlikely]]
        break;
      at += size;
      ++readable;
    }
    offset_ = static_cast<uint64_t>(at - data);
    readable_records_ += readable;
    if (const Record* record = next()) {
      const Place place{record->offset, record->raw, record->extra_words};
      std::visit([&](const auto& view) { see(view, place); }, record->content);
    }
  }
}

}  // namespace barefxt::host
