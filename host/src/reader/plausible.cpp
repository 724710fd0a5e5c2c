// The search for the next readable place, and the evidence it asks for.
#include "plausible.h"

#include <algorithm>

#include <barefxt/host/decoder.h>

#include "conformance.h"

namespace barefxt::host {
namespace {

constexpr unsigned kChainOnGrid = 3;
constexpr unsigned kChainOffGrid = 4;
constexpr uint64_t kGridOnly = uint64_t{64} * 1024;
// Bytes between two calls of `passed`.
constexpr uint64_t kPassedStep = uint64_t{4} << 20;

// Returns the offset of the first word that is not zero, or of the rest that is shorter than one.
uint64_t skip_zero_words(Bytes bytes, uint64_t at, const Reader::Passed& passed) {
  for (uint64_t reported = at;
       bytes.size() - at >= fxt::kWordBytes && load_word(bytes.data() + at, false) == 0;
       at += fxt::kWordBytes) {
    if (at - reported < kPassedStep || !passed) continue;
    passed(at);
    reported = at;
  }
  return at;
}

// Skips zeros up to the first place where a record may begin: in either byte order, a header holds
// its size in eight bytes that are not all zero.
uint64_t skip_zeros(Bytes bytes, uint64_t from, const Reader::Passed& passed) {
  const uint64_t at = skip_zero_words(bytes, from, passed);
  return at == from ? from : at - (fxt::kWordBytes - 1);
}

constexpr Word kMaxScope = static_cast<Word>(fxt::InstantScope::kGlobal);

}  // namespace

uint64_t end_of_zeros(Bytes bytes, uint64_t from, const Reader::Passed& passed) {
  uint64_t at = skip_zero_words(bytes, from, passed);
  while (at < bytes.size() && bytes[at] == 0) ++at;
  return at;
}

uint64_t Plausible::framed(uint64_t offset) const {
  const uint64_t left = bytes_.size() - offset;
  if (left < fxt::kWordBytes) return 0;
  const Word header = load_word(bytes_.data() + offset, form_.byte_order != kOwnByteOrder);
  const uint64_t size = claimed_words(header) * fxt::kWordBytes;
  return size <= left ? size : 0;
}

bool Plausible::decodes(uint64_t offset, uint64_t size) {
  const uint8_t* at = bytes_.data() + offset;
  scratch_.raw = {reinterpret_cast<const char*>(at), size};
  const auto decode = [&]<bool kSwap>() {
    return Decoder<kSwap>(load_word(at, kSwap), at, size, form_.dialect, nobody_).decode(scratch_);
  };
  const bool swap = form_.byte_order != kOwnByteOrder;
  const Fault fault =
      swap ? decode.template operator()<true>() : decode.template operator()<false>();
  return fault == Fault::kNone;
}

bool Plausible::parses(uint64_t offset) {
  uint64_t size = framed(offset);
  if (size == 0 || !decodes(offset, size)) return false;
  if (!std::holds_alternative<Unknown>(scratch_.content)) return true;
  // Nothing in an unknown record can be checked, so what comes after it has to speak for it.
  offset += size;
  if (offset == bytes_.size()) return true;
  size = framed(offset);
  return size != 0 && decodes(offset, size) && !std::holds_alternative<Unknown>(scratch_.content);
}

uint64_t Plausible::certain(uint64_t offset) {
  const uint64_t size = framed(offset);
  if (size == 0 || !decodes(offset, size)) return 0;
  if (std::holds_alternative<Unknown>(scratch_.content) || scratch_.extra_words != 0) return 0;
  if (const auto* event = std::get_if<Event>(&scratch_.content)) {
    if (!event->is_known() || (event->has_scope && event->trailing > kMaxScope)) return 0;
  }
  if (reserved_bits_set(scratch_, form_.dialect, form_.byte_order) != 0) return 0;
  for (const Argument& argument : arguments_of(scratch_)) {
    if (!argument.is_known() || argument.extra_words != 0 || reserved_bits_set(argument) != 0) {
      return 0;
    }
  }
  return padding_is_zero(scratch_) ? size : 0;
}

bool Plausible::chain(uint64_t offset, unsigned records) {
  for (unsigned i = 0; i < records; ++i) {
    if (offset == bytes_.size()) return i > 0;
    const uint64_t size = certain(offset);
    if (size == 0) return false;
    offset += size;
  }
  return true;
}

uint64_t Plausible::run(uint64_t offset, uint64_t limit) {
  const uint64_t start = offset;
  while (offset < bytes_.size() && offset - start < limit) {
    const uint64_t size = certain(offset);
    if (size == 0) break;
    offset += size;
  }
  return offset - start;
}

std::optional<uint64_t> Plausible::next_place(uint64_t from, uint64_t grid) {
  const uint64_t end = bytes_.size();
  const uint64_t phase = grid % fxt::kWordBytes;
  const uint64_t grid_end = end - from > kGridOnly ? from + kGridOnly : end;
  const uint64_t first =
      from + (phase + fxt::kWordBytes - from % fxt::kWordBytes) % fxt::kWordBytes;
  for (uint64_t at = first; at < grid_end; at += fxt::kWordBytes) {
    if (chain(at, kChainOnGrid)) return at;
  }
  uint64_t reported = from;
  for (uint64_t at = skip_zeros(bytes_, from, passed_); at < end;
       at = skip_zeros(bytes_, at + 1, passed_)) {
    if (at - reported >= kPassedStep && passed_) {
      passed_(at);
      reported = at;
    }
    const bool on_grid = at % fxt::kWordBytes == phase;
    if (on_grid && at < grid_end) continue;  // seen above
    if (chain(at, on_grid ? kChainOnGrid : kChainOffGrid)) return at;
  }
  return std::nullopt;
}

}  // namespace barefxt::host
