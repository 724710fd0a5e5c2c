#include "unpack.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <vector>
#include <zlib.h>
#include <zstd.h>

namespace barefxt::host {
namespace {

constexpr size_t kPieceBytes = size_t{1} << 18;
// Bytes that a library gets at a time; pages behind them can be given back.
constexpr size_t kStepBytes = size_t{1} << 20;

// A frame may ask for a window of any size; 128 MiB is what `zstd --long` makes, and what others
// read.
constexpr int kMaxWindowBits = 27;

constexpr uint32_t kGzipMagic = 0x088b1f;  // with the only method there is
constexpr uint32_t kZstdMagic = ZSTD_MAGICNUMBER;

uint32_t first_bytes(Bytes bytes, size_t count) {
  uint32_t value = 0;
  for (size_t i = 0; i < count; ++i) value |= uint32_t{bytes[i]} << (8 * i);
  return value;
}

bool is_gzip(Bytes bytes) {
  constexpr uint8_t kReservedFlags = 0xe0;
  return bytes.size() >= 4 && first_bytes(bytes, 3) == kGzipMagic &&
         (bytes[3] & kReservedFlags) == 0;
}

bool is_zstd(Bytes bytes) { return bytes.size() >= 4 && first_bytes(bytes, 4) == kZstdMagic; }

std::string behind(size_t bytes) {
  return formatted("{} bytes behind its end, which are no packed data, are left out", bytes);
}

constexpr const char* kCut = "cut: it ends within the packed data";

struct EndInflate {
  void operator()(z_stream* stream) const {
    inflateEnd(stream);
    delete stream;
  }
};

Unpacked unpack_gzip(Bytes packed, const std::function<Status(std::span<const uint8_t>)>& sink,
                     const std::function<void(size_t)>& release_before) {
  std::unique_ptr<z_stream, EndInflate> stream(new z_stream{});
  constexpr int kGzipOnly = 16;
  if (inflateInit2(stream.get(), MAX_WBITS + kGzipOnly) != Z_OK)
    return {"zlib is out of memory", {}};
  std::vector<uint8_t> piece(kPieceBytes);
  size_t at = 0;
  for (;;) {
    const auto count = std::min(packed.size() - at, kStepBytes);
    stream->next_in = const_cast<uint8_t*>(packed.data()) + at;
    stream->avail_in = static_cast<uInt>(count);
    stream->next_out = piece.data();
    stream->avail_out = static_cast<uInt>(piece.size());
    const int state = inflate(stream.get(), Z_NO_FLUSH);
    at += count - stream->avail_in;
    release_before(at);
    if (Status status = sink(std::span(piece).first(piece.size() - stream->avail_out));
        !status.ok())
      return {{}, std::move(status)};
    if (state == Z_STREAM_END) {
      // Zeros may pad it, and another member may follow.
      const auto rest = packed.subspan(at);
      const auto next = std::ranges::find_if(rest, [](uint8_t byte) { return byte != 0; });
      if (next == rest.end()) return {};
      at += static_cast<size_t>(next - rest.begin());
      if (!is_gzip(packed.subspan(at))) return {behind(packed.size() - at), {}};
      inflateReset(stream.get());
    } else if (state == Z_BUF_ERROR) {
      return {kCut, {}};
    } else if (state != Z_OK) {
      const char* why = stream->msg != nullptr ? stream->msg : "no such data";
      return {formatted("damaged at byte {}: {}", at, why), {}};
    }
  }
}

struct FreeZstd {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

Unpacked unpack_zstd(Bytes packed, const std::function<Status(std::span<const uint8_t>)>& sink,
                     const std::function<void(size_t)>& release_before) {
  const std::unique_ptr<ZSTD_DCtx, FreeZstd> context(ZSTD_createDCtx());
  if (!context ||
      ZSTD_isError(ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, kMaxWindowBits)) != 0)
    return {"zstd is out of memory", {}};
  std::vector<uint8_t> piece(kPieceBytes);
  size_t at = 0;
  bool in_frame = false;
  for (;;) {
    // A frame may still have something to give when all of it was taken in.
    if (!in_frame) {
      if (at == packed.size()) return {};
      constexpr uint32_t kSkippable = ZSTD_MAGIC_SKIPPABLE_START;
      const Bytes rest = packed.subspan(at);
      const bool skippable =
          rest.size() >= 4 && (first_bytes(rest, 4) & ZSTD_MAGIC_SKIPPABLE_MASK) == kSkippable;
      if (!skippable && !is_zstd(rest)) return {behind(rest.size()), {}};
    }
    ZSTD_inBuffer in = {packed.data() + at, std::min(packed.size() - at, kStepBytes), 0};
    ZSTD_outBuffer out = {piece.data(), piece.size(), 0};
    const size_t state = ZSTD_decompressStream(context.get(), &out, &in);
    at += in.pos;
    release_before(at);
    if (Status status = sink(std::span(piece).first(out.pos)); !status.ok())
      return {{}, std::move(status)};
    if (ZSTD_isError(state) != 0)
      return {formatted("damaged at byte {}: {}", at, ZSTD_getErrorName(state)), {}};
    in_frame = state != 0;
    if (in_frame && in.pos == 0 && out.pos == 0) return {kCut, {}};
  }
}

}  // namespace

Packing packing_of(Bytes bytes) {
  if (is_gzip(bytes)) return Packing::kGzip;
  return is_zstd(bytes) ? Packing::kZstd : Packing::kNone;
}

Unpacked unpack(Packing packing, Bytes packed,
                const std::function<Status(std::span<const uint8_t>)>& sink,
                const std::function<void(size_t)>& release_before) {
  if (packing == Packing::kGzip) return unpack_gzip(packed, sink, release_before);
  return unpack_zstd(packed, sink, release_before);
}

}  // namespace barefxt::host
