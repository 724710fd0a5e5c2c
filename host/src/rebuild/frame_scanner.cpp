#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include <barefxt/host/frame_scanner.h>

#include "../archive/utf8.h"
#include "base64.h"
#include "cobs.h"
#include "crc32c.h"

namespace barefxt::host {
namespace {

constexpr std::string_view kPrefix = wire::kTextPrefix;
// The shortest frame in base64: less than this after the prefix is somebody's prose.
constexpr size_t kMinTextBytes = (wire::kMinFrameBytes + 2) / 3 * 4;

std::string_view as_text(std::span<const uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Returns true if the bytes look like a binary frame rather than console text.
bool looks_binary(std::span<const uint8_t> chunk) {
  if (chunk.size() <= wire::kMinFrameBytes) return false;
  const bool has_control = std::any_of(chunk.begin(), chunk.end(), [](uint8_t byte) {
    const bool spacing = (byte >= '\a' && byte <= '\r') || byte == 0x1b;
    return byte == 0x7f || (byte < 0x20 && !spacing);
  });
  return has_control || !is_utf8(chunk);
}

// Returns true if `part`, the last of the chunk, ends a line behind a prefix: a text form without a
// zero for long, whose end has to be noticed when it comes. It cannot be a binary frame, since the
// second byte of that is its version, a control character.
bool has_text_frame(std::span<const uint8_t> part, std::span<const uint8_t> chunk) {
  return as_text(part).find('\n') != std::string_view::npos &&
         as_text(chunk).find(kPrefix) != std::string_view::npos && !looks_binary(chunk);
}

// For a chunk that is decoded. A frame of text goes into the first room, whose chunk is judged by
// then.
constexpr size_t kRoom = FrameScanner::kMaxCobsBytes + kCobsReach;
static_assert(FrameScanner::kMaxTextBytes / 4 * 3 <= kRoom);

// The bytes between two zero bytes, or between the beginning and one.
struct Chunk {
  std::span<const uint8_t> bytes;
  size_t begin;
  size_t end;  // behind the zero
};

// The first chunk from there on that holds anything. Nothing where its end is not in `bytes`, or
// where it is too long for a frame.
std::optional<Chunk> chunk_from(std::span<const uint8_t> bytes, size_t begin) {
  while (begin < bytes.size() && bytes[begin] == 0) ++begin;
  const std::span<const uint8_t> rest = bytes.subspan(begin);
  const size_t most = std::min(rest.size(), FrameScanner::kMaxCobsBytes + 1);
  const auto* zero = static_cast<const uint8_t*>(std::memchr(rest.data(), 0, most));
  if (zero == nullptr) return {};
  const auto count = static_cast<size_t>(zero - rest.data());
  return Chunk{rest.first(count), begin, begin + count + 1};
}

}  // namespace

FrameScanner::FrameScanner(FrameSink& sink) : sink_(sink), decoded_(kCobsTogether * kRoom) {}

void FrameScanner::feed(std::span<const uint8_t> bytes) {
  while (!bytes.empty()) {
    // Consume runs of zeros at once: a line held low sends them without end.
    if (const size_t zeros = zeros_between_chunks(bytes); zeros != 0) {
      position_ += zeros;
      bytes = bytes.subspan(zeros);
      continue;
    }
    if (const size_t used = feed_several(bytes); used != 0) {
      position_ += used;
      bytes = bytes.subspan(used);
      continue;
    }
    const auto* zero = static_cast<const uint8_t*>(std::memchr(bytes.data(), 0, bytes.size()));
    const size_t count = zero != nullptr ? static_cast<size_t>(zero - bytes.data()) : bytes.size();
    const std::span<const uint8_t> part = bytes.first(count);

    if (chunk_is_text_) {
      scan_text(part, position_);
    } else if (chunk_.size() + count > kMaxCobsBytes) {
      chunk_is_text_ = true;
      scan_text(chunk_, chunk_offset_);
      scan_text(part, position_);
      chunk_.clear();
    } else if (zero == nullptr || !chunk_.empty()) {
      if (chunk_.empty()) chunk_offset_ = position_;
      chunk_.insert(chunk_.end(), part.begin(), part.end());
      if (zero == nullptr && has_text_frame(part, chunk_)) {
        chunk_is_text_ = true;
        scan_text(chunk_, chunk_offset_);
        chunk_.clear();
      }
    }

    if (zero != nullptr) {
      if (chunk_is_text_)
        end_text();
      else if (!chunk_.empty())
        end_chunk(chunk_, chunk_offset_);
      else
        end_chunk(part, position_);
      chunk_.clear();
      chunk_is_text_ = false;
    }
    const size_t used = count + (zero != nullptr ? 1 : 0);
    position_ += used;
    bytes = bytes.subspan(used);
  }
}

size_t FrameScanner::zeros_between_chunks(std::span<const uint8_t> bytes) const {
  if (chunk_is_text_ || !chunk_.empty()) return 0;
  return static_cast<size_t>(
      std::find_if(bytes.begin(), bytes.end(), [](uint8_t byte) { return byte != 0; }) -
      bytes.begin());
}

size_t FrameScanner::feed_several(std::span<const uint8_t> bytes) {
  if (chunk_is_text_ || !chunk_.empty()) return 0;
  std::array<CobsTask, kCobsTogether> tasks;
  std::array<uint64_t, kCobsTogether> offsets{};
  size_t count = 0;
  size_t end = 0;
  while (count < tasks.size()) {
    const std::optional<Chunk> chunk = chunk_from(bytes, end);
    if (!chunk) break;
    tasks[count] = {.coded = chunk->bytes, .decoded = decoded_.data() + count * kRoom};
    offsets[count] = position_ + chunk->begin;
    end = chunk->end;
    ++count;
  }
  cobs_decode_together(std::span(tasks).first(count));
  for (size_t i = 0; i < count; ++i) {
    const CobsTask& task = tasks[i];
    if (!task.bytes || !judge({task.decoded, *task.bytes}, offsets[i]))
      end_text_chunk(task.coded, offsets[i]);
  }
  return end;
}

void FrameScanner::finish() {
  if (chunk_is_text_)
    end_text();
  else
    end_chunk(chunk_, chunk_offset_);
  chunk_.clear();
  chunk_is_text_ = false;
}

void FrameScanner::end_chunk(std::span<const uint8_t> chunk, uint64_t offset) {
  if (chunk.empty()) return;
  const std::optional<size_t> bytes = cobs_decode(chunk, decoded_.data());
  if (!bytes || !judge(std::span(decoded_).first(*bytes), offset)) end_text_chunk(chunk, offset);
}

void FrameScanner::end_text_chunk(std::span<const uint8_t> chunk, uint64_t offset) {
  if (looks_binary(chunk)) sink_.on_damaged(offset);
  scan_text(chunk, offset);
  end_text();
}

void FrameScanner::scan_text(std::span<const uint8_t> bytes, uint64_t offset) {
  while (!bytes.empty()) {
    const auto* feed = static_cast<const uint8_t*>(std::memchr(bytes.data(), '\n', bytes.size()));
    const size_t count = feed != nullptr ? static_cast<size_t>(feed - bytes.data()) : bytes.size();
    const std::span<const uint8_t> part = bytes.first(count);
    if (line_.empty()) {
      line_offset_ = offset;
      if (feed != nullptr)
        scan_line(part, offset);
      else
        line_.assign(part.begin(), part.end());
    } else {
      line_.insert(line_.end(), part.begin(), part.end());
      if (feed != nullptr) end_text();
    }
    shorten_line();
    const size_t used = count + (feed != nullptr ? 1 : 0);
    offset += used;
    bytes = bytes.subspan(used);
  }
}

void FrameScanner::end_text() {
  scan_line(line_, line_offset_);
  line_.clear();
}

void FrameScanner::shorten_line() {
  if (line_.size() <= kPrefix.size() + kMaxTextBytes) return;
  // A frame that starts within the last `keep` bytes may still grow: it stays. Else the last few
  // bytes do, which may be the start of a prefix; a frame that starts further back is over by then.
  const size_t keep = kPrefix.size() + kMaxTextBytes;
  const size_t prefix = as_text(line_).rfind(kPrefix);
  size_t tail = line_.size() - (kPrefix.size() - 1);
  if (prefix != std::string_view::npos)
    tail = line_.size() - prefix <= keep ? prefix : std::max(tail, prefix + keep);
  scan_line(std::span(line_).first(tail), line_offset_);
  line_.erase(line_.begin(), line_.begin() + static_cast<ptrdiff_t>(tail));
  line_offset_ += tail;
}

void FrameScanner::scan_line(std::span<const uint8_t> line, uint64_t offset) {
  const std::string_view text = as_text(line);
  size_t at = 0;
  while ((at = text.find(kPrefix, at)) != std::string_view::npos) {
    const uint64_t frame_offset = offset + at;
    at += kPrefix.size();
    // The prefix begins with letters, which are digits of base64: where the line end between two
    // frames is lost, the first one ends where the next begins.
    const size_t next = std::min(text.find(kPrefix, at), text.size());
    const std::string_view coded = text.substr(at, base64_run(text.substr(at, next - at)));
    at += coded.size();
    if (coded.size() < kMinTextBytes) continue;
    std::optional<size_t> bytes;
    if (coded.size() <= kMaxTextBytes) bytes = base64_decode(coded, decoded_.data());
    if (!bytes || !judge(std::span(decoded_).first(*bytes), frame_offset))
      sink_.on_damaged(frame_offset);
  }
}

bool FrameScanner::judge(std::span<const uint8_t> frame, uint64_t offset) {
  if (frame.size() < wire::kMinFrameBytes || frame.size() > kMaxFrameBytes) return false;
  const std::span<const uint8_t> covered = frame.first(frame.size() - wire::kCrcBytes);
  const uint32_t crc = crc32c(covered);
  if (crc != wire::load_u32(frame.data() + covered.size())) return false;
  const uint8_t version = frame[wire::FrameHeader::kVersion];
  if (version < wire::kVersion || version > wire::kNewestVersion) {
    sink_.on_other_version(version, offset);
    return true;
  }
  sink_.on_frame(Frame{
      .version = version,
      .type = frame[wire::FrameHeader::kType],
      .flags = frame[wire::FrameHeader::kFlags],
      .capture = wire::load_u32(frame.data() + wire::FrameHeader::kCapture),
      .sequence = wire::load_u32(frame.data() + wire::FrameHeader::kSequence),
      .crc = crc,
      .input_offset = offset,
      .payload = covered.subspan(wire::FrameHeader::kBytes),
  });
  return true;
}

}  // namespace barefxt::host
