// A state machine over buffers: between them, in one, at its preamble.
#include <algorithm>

#include <barefxt/host/xray_reader.h>

#include "../image/fields.h"

namespace barefxt::host {
namespace {

constexpr size_t kNotedDamage = 8;
constexpr size_t kMetadata = XrayLayout::kMetadataBytes;

std::string number_text(uint64_t number) { return std::to_string(number); }

}  // namespace

uint64_t XrayReader::number(uint64_t at, size_t bytes) const {
  return ImageFields(bytes_, place_.header.byte_order).number(static_cast<size_t>(at), bytes);
}

// Nothing where there is none, whole.
std::optional<unsigned> XrayReader::metadata_kind(uint64_t at) const {
  if (at > bytes_.size() || bytes_.size() - at < kMetadata) return {};
  const unsigned first = bytes_[static_cast<size_t>(at)];
  if (place_.header.byte_order == ByteOrder::kBig) {
    if ((first & 0x80u) == 0) return {};
    return first & 0x7fu;
  }
  if ((first & 1u) == 0) return {};
  return first >> 1u;
}

// NewBuffer, WallClock, perhaps Pid, NewCPUId: 48 bytes that hardly anything else looks like.
bool XrayReader::is_preamble(uint64_t at) const {
  if (metadata_kind(at) != XrayLayout::kNewBuffer) return false;
  if (metadata_kind(at + kMetadata) != XrayLayout::kWallClock) return false;
  uint64_t third = at + 2 * kMetadata;
  if (metadata_kind(third) == XrayLayout::kPid) third += kMetadata;
  return metadata_kind(third) == XrayLayout::kNewCpuId;
}

std::optional<XrayHeader> XrayReader::header_at(uint64_t at) const {
  if (at > bytes_.size() || bytes_.size() - at < XrayLayout::kHeaderBytes) return {};
  for (const ByteOrder order : {ByteOrder::kLittle, ByteOrder::kBig}) {
    const ImageFields fields(bytes_.subspan(static_cast<size_t>(at)), order);
    const unsigned version = fields.u16(0);
    if (version < XrayLayout::kOldest || version > XrayLayout::kNewest) continue;
    if (fields.u16(2) != XrayLayout::kFlightDataRecorder) continue;
    const uint32_t bits = fields.u32(4);
    const bool big = order == ByteOrder::kBig;
    return XrayHeader{.version = version,
                      .byte_order = order,
                      .constant_tsc = ((big ? bits >> 31u : bits) & 1u) != 0,
                      .nonstop_tsc = ((big ? bits >> 30u : bits >> 1u) & 1u) != 0,
                      .cycle_frequency = fields.u64(8),
                      .buffer_bytes = fields.u64(16)};
  }
  return {};
}

bool XrayReader::is_log(Bytes bytes) { return XrayReader(bytes).header_at(0).has_value(); }

Result<XrayReader> XrayReader::open(Bytes bytes, const std::string& name) {
  XrayReader reader(bytes);
  if (bytes.size() < XrayLayout::kHeaderBytes)
    return Error{
        "no XRay log: " + number_text(bytes.size()) + " bytes are less than its header's 32", name,
        ""};
  const std::optional<XrayHeader> header = reader.header_at(0);
  if (!header) {
    const ImageFields fields(bytes, ByteOrder::kLittle);
    return Error{formatted("no XRay flight data recorder log of versions 1 to 5: its header says "
                           "version {}, type {}",
                           number_text(fields.u16(0)), number_text(fields.u16(2))),
                 name, "record the log again, in flight data recorder mode"};
  }
  reader.first_ = *header;
  return reader;
}

const XrayRecord* XrayReader::next() {
  for (;;) {
    switch (step()) {
      case Step::kRecord:
        return &record_;
      case Step::kEnd:
        return nullptr;
      case Step::kOn:
        break;
    }
  }
}

XrayReader::Step XrayReader::step() {
  if (place_.between) return between_buffers();
  if (place_.at >= place_.end) {
    look_for_a_cut();
    place_.between = true;
    return Step::kOn;
  }
  const uint64_t left = place_.end - place_.at;
  const unsigned first = bytes_[static_cast<size_t>(place_.at)];
  const bool big = place_.header.byte_order == ByteOrder::kBig;
  const bool is_metadata = (first & (big ? 0x80u : 1u)) != 0;
  if (left < (is_metadata ? kMetadata : XrayLayout::kFunctionBytes))
    return damaged("a buffer ends in the middle of a record");
  return is_metadata ? metadata(big ? first & 0x7fu : first >> 1u) : function();
}

XrayReader::Step XrayReader::between_buffers() {
  place_.end = bytes_.size();
  place_.end_is_known = false;
  place_.has_thread = false;
  while (place_.at < place_.end && bytes_[static_cast<size_t>(place_.at)] == 0 &&
         !header_at(place_.at))
    ++place_.at;
  if (place_.at >= place_.end) return Step::kEnd;
  // In version 1 the first bytes of a header can be those of a NewBuffer record as well.
  if (place_.at == 0 || !is_preamble(place_.at)) {
    if (const std::optional<XrayHeader> header = header_at(place_.at)) {
      place_.header = *header;
      place_.at += XrayLayout::kHeaderBytes;
      ++logs_;
      return Step::kOn;
    }
  }
  const std::optional<unsigned> kind = metadata_kind(place_.at);
  place_.between = false;
  if (kind == XrayLayout::kBufferExtents && place_.header.version >= 2) return Step::kOn;
  if (kind == XrayLayout::kNewBuffer) {
    place_.buffer_begin = place_.at;
    return Step::kOn;
  }
  return damaged(kind || bytes_.size() - place_.at >= kMetadata
                     ? "neither a buffer nor a header begins here"
                     : "the log ends in the middle of a record");
}

void XrayReader::extents() {
  const uint64_t claimed = number(place_.at + 1, 8);
  place_.at += kMetadata;
  const uint64_t there = bytes_.size() - place_.at;
  place_.buffer_begin = place_.at;
  place_.has_thread = false;
  place_.end_is_known = claimed <= there;
  place_.end = place_.end_is_known ? place_.at + claimed : bytes_.size();
  if (!place_.end_is_known)
    note(place_.at, 0,
         formatted("a buffer of {} bytes, only {} of them there", number_text(claimed),
                   number_text(there)));
}

// Version 1 does not say how much of a buffer is used: the end is marked. Notes a buffer without a
// mark that is shorter than the header says.
void XrayReader::look_for_a_cut() {
  const uint64_t size = place_.header.buffer_bytes;
  const uint64_t there = bytes_.size() - place_.buffer_begin;
  if (place_.header.version == 1 && size > there)
    note(place_.at, 0,
         formatted("a buffer of {} bytes, only {} of them there", number_text(size),
                   number_text(there)));
}

// By the specification a reader goes on behind the buffer's size. A writer that gives the size of
// all buffers together, or none, has the next one, or zeros, right here.
void XrayReader::end_of_buffer() {
  place_.at += kMetadata;
  place_.between = true;
  const uint64_t size = place_.header.buffer_bytes;
  const uint64_t used = place_.at - place_.buffer_begin;
  if (size >= used && size - used <= bytes_.size() - place_.at) place_.at += size - used;
}

void XrayReader::new_buffer() {
  preamble_place_ = place_;
  const bool is_seed_only =
      place_.header.version == 1 && place_.header.byte_order == ByteOrder::kBig;
  const auto wide = static_cast<uint32_t>(number(place_.at + 1, 4));
  const auto narrow = static_cast<uint32_t>(number(place_.at + 1, 2));
  if (place_.header.version == 1 && !is_seed_only && wide != narrow) ++wide_threads_;
  place_.preamble = {
      .offset = place_.at,
      .thread = {.process = {}, .thread = static_cast<int32_t>(is_seed_only ? narrow : wide)},
      .wall_clock = {}};
  place_.has_thread = true;
  place_.has_time = false;
}

// Times of a log that counts at another rate than the first: in the first's ticks.
uint64_t XrayReader::scaled(uint64_t tsc) const {
  const uint64_t own = place_.header.cycle_frequency;
  if (own == first_.cycle_frequency || own == 0 || first_.cycle_frequency == 0) return tsc;
  __extension__ using Wide = unsigned __int128;
  return static_cast<uint64_t>(Wide{tsc} * first_.cycle_frequency / own);
}

void XrayReader::set_time(uint64_t tsc) {
  place_.tsc = tsc;
  place_.has_time = true;
}

XrayRecord& XrayReader::record(XrayKind kind) {
  record_ = {};
  record_.kind = kind;
  record_.thread = place_.preamble.thread;
  record_.cpu = place_.cpu;
  record_.tsc = scaled(place_.tsc);
  return record_;
}

XrayReader::Step XrayReader::function() {
  if (!place_.has_thread || !place_.has_time)
    return damaged("a call ahead of its buffer's thread, CPU and time");
  const auto word = static_cast<uint32_t>(number(place_.at, 4));
  const bool big = place_.header.byte_order == ByteOrder::kBig;
  const unsigned action = (big ? word >> 28u : word >> 1u) & 7u;
  if (action > XrayLayout::kEntryArguments)
    return damaged("a call's action is " + number_text(action) + ", which is unknown");
  const uint32_t function = big ? word & (XrayLayout::kMaxFunctions - 1) : word >> 4u;
  // Functions count from 1. Zeros were never written, or were wiped.
  if (function == 0) return damaged("a call of function 0, which no program has");
  place_.tsc += number(place_.at + 4, 4);
  place_.at += XrayLayout::kFunctionBytes;
  const bool is_entry = action == XrayLayout::kEntry || action == XrayLayout::kEntryArguments;
  XrayRecord& call = record(is_entry                      ? XrayKind::kEntry
                            : action == XrayLayout::kExit ? XrayKind::kExit
                                                          : XrayKind::kTailExit);
  call.function = function;
  call.with_arguments = action == XrayLayout::kEntryArguments;
  const uint64_t first = place_.at;
  while (is_entry && place_.end - place_.at >= kMetadata &&
         metadata_kind(place_.at) == XrayLayout::kCallArgument)
    place_.at += kMetadata;
  call.arguments = XrayArguments(
      bytes_.subspan(static_cast<size_t>(first), static_cast<size_t>(place_.at - first)),
      place_.header.byte_order);
  return Step::kRecord;
}

XrayReader::Step XrayReader::metadata(unsigned kind) {
  const unsigned version = place_.header.version;
  const uint64_t body = place_.at + 1;
  switch (kind) {
    case XrayLayout::kBufferExtents:
      if (version < 2 || place_.end_is_known) return damaged("a buffer in the middle of another");
      extents();
      return Step::kOn;
    case XrayLayout::kEndOfBuffer:
      if (version != 1) return damaged("an EndOfBuffer record, which only version 1 has");
      end_of_buffer();
      return Step::kOn;
    case XrayLayout::kNewBuffer:
      new_buffer();
      break;
    case XrayLayout::kWallClock:
      place_.preamble.wall_clock = {.seconds = number(body, 8),
                                    .microseconds = static_cast<uint32_t>(number(body + 8, 4))};
      break;
    case XrayLayout::kPid:
      if (version < 3) return damaged("a Pid record, which this version does not have");
      place_.preamble.thread.process = static_cast<int32_t>(number(body, 4));
      break;
    case XrayLayout::kNewCpuId:
      place_.cpu = static_cast<uint16_t>(number(body, 2));
      set_time(number(body + 2, 8));
      break;
    case XrayLayout::kTscWrap:
      set_time(number(body, 8));
      break;
    case XrayLayout::kCallArgument:
      return damaged("an argument without a call");
    case XrayLayout::kCustomEvent:
    case XrayLayout::kTypedEvent:
      return event(kind);
    default:
      return damaged("a record of kind " + number_text(kind) + ", which is unknown");
  }
  place_.at += kMetadata;
  return Step::kOn;
}

XrayReader::Step XrayReader::event(unsigned kind) {
  const unsigned version = place_.header.version;
  const bool is_typed = kind == XrayLayout::kTypedEvent;
  if (is_typed && version < 5) return damaged("a typed event, which this version does not have");
  if (!place_.has_thread || !place_.has_time)
    return damaged("an event ahead of its buffer's thread, CPU and time");
  const uint64_t body = place_.at + 1;
  const auto size = static_cast<int32_t>(number(body, 4));
  const uint64_t left = place_.end - place_.at - kMetadata;
  if (size < 0 || static_cast<uint64_t>(size) > left)
    return damaged(
        formatted("an event of {} bytes, where its buffer has {} left", size, number_text(left)));
  // In version 5 events move the time as calls do, before it they have a time of their own.
  if (version >= 5)
    place_.tsc += static_cast<uint64_t>(int64_t{static_cast<int32_t>(number(body + 4, 4))});
  XrayRecord& event = record(is_typed ? XrayKind::kTypedEvent : XrayKind::kCustomEvent);
  if (version < 5) event.tsc = scaled(number(body + 4, 8));
  if (version == 4) event.cpu = static_cast<uint16_t>(number(body + 12, 2));
  if (is_typed) event.event_type = static_cast<uint16_t>(number(body + 8, 2));
  event.payload =
      bytes_.subspan(static_cast<size_t>(place_.at + kMetadata), static_cast<size_t>(size));
  place_.at += kMetadata + static_cast<uint64_t>(size);
  return Step::kRecord;
}

void XrayReader::note(uint64_t offset, uint64_t bytes, const std::string& what) {
  ++damaged_places_;
  damaged_bytes_ += bytes;
  if (damage_.size() < kNotedDamage) damage_.push_back({offset, bytes, what});
}

XrayReader::Step XrayReader::damaged(const std::string& what) {
  const uint64_t from = place_.at;
  uint64_t to = place_.end;
  const uint64_t size = place_.header.buffer_bytes;
  if (place_.header.version == 1 && size > 0 && place_.at >= place_.buffer_begin &&
      size > place_.at - place_.buffer_begin && place_.buffer_begin != 0 &&
      size <= bytes_.size() - place_.buffer_begin) {
    to = place_.buffer_begin + size;
  } else if (!place_.end_is_known) {
    for (to = from + 1; to < bytes_.size(); ++to) {
      if (is_preamble(to)) break;
      if (metadata_kind(to) == XrayLayout::kBufferExtents && is_preamble(to + kMetadata)) break;
    }
    to = std::min<uint64_t>(to, bytes_.size());
  }
  note(from, to - from, what);
  place_.at = to;
  place_.between = true;
  return Step::kOn;
}

}  // namespace barefxt::host
