#include "mutations.h"

#include <algorithm>
#include <filesystem>
#include <zlib.h>
#include <zstd.h>

#include <barefxt/host/elf_file.h>

#include "goldens/goldens.h"
#include "hostile/function_elf.h"
#include "hostile/interrupt_inputs.h"
#include "xray/golden_logs.h"
#include "xray/xray_harness.h"

namespace barefxt::test {
namespace {

constexpr const char* kReleasedCaptures = BAREFXT_SOURCE_DIR "/host-tests/goldens/captures/0.1.0/";
constexpr const char* kMemories = BAREFXT_SOURCE_DIR "/host-tests/goldens/memory/";

Bytes bytes_in(std::string_view text) { return {text.begin(), text.end()}; }

uint64_t number(const Bytes& bytes, size_t at, size_t count, bool big) {
  uint64_t value = 0;
  for (size_t i = 0; i < count; ++i)
    value = value << 8 | bytes.at(big ? at + i : at + count - 1 - i);
  return value;
}

// Finds the segments in a core, or in an image that begins at `base`, by the offsets of
// barefxt/descriptor.h.
Stretch segments_in(const Bytes& memory, uint64_t base) {
  // The second number of the magic, but for the version: the first is in texts as well.
  static const Bytes kBig = {'t', 'r', 'a', 'c', 'e', ' ', 0xab};
  static const Bytes kLittle(kBig.rbegin(), kBig.rend());
  auto found = std::search(memory.begin(), memory.end(), kLittle.begin(), kLittle.end());
  const bool big = found == memory.end();
  if (big) found = std::search(memory.begin(), memory.end(), kBig.begin(), kBig.end());
  const auto descriptor = static_cast<size_t>(found - memory.begin()) - (big ? 8 : 9);
  const uint64_t address = number(memory, descriptor + 56, 8, big);
  const size_t bytes = number(memory, descriptor + 64, 4, big) *
                       number(memory, descriptor + 68, 4, big) *
                       number(memory, descriptor + 76, 2, big);
  const auto core = host::ElfFile::parse(memory, "core");
  if (!core.ok()) return {address - base, address - base + bytes};
  // In a core they may be several pieces.
  Stretch all = {memory.size(), 0};
  for (const host::ElfFile::Segment& segment : core.value().segments()) {
    const uint64_t end = segment.virtual_address + segment.bytes.size();
    if (end <= address || segment.virtual_address >= address + bytes) continue;
    const auto at = static_cast<size_t>(segment.bytes.data() - memory.data());
    all.begin = std::min(all.begin, at);
    all.end = std::max(all.end, at + segment.bytes.size());
  }
  return all;
}

}  // namespace

Bytes unpacked_bytes(const std::string& path) {
  gzFile file = gzopen(path.c_str(), "rb");
  Bytes bytes;
  uint8_t block[65536];
  for (int count = 0; file != nullptr && (count = gzread(file, block, sizeof block)) > 0;)
    bytes.insert(bytes.end(), block, block + count);
  if (file != nullptr) gzclose(file);
  return bytes;
}

Bytes packed_by_gzip(const Bytes& bytes) {
  z_stream stream{};
  constexpr int kGzip = 15 + 16;
  deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY);
  Bytes packed(deflateBound(&stream, bytes.size()));
  stream.next_in = const_cast<uint8_t*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = packed.data();
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

Bytes packed_by_zstd(const Bytes& bytes) {
  Bytes packed(ZSTD_compressBound(bytes.size()));
  packed.resize(ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), 1));
  return packed;
}

std::vector<SoundInput> sound_inputs() {
  std::vector<SoundInput> all;
  all.push_back({InputKind::kCapture, "binary", binary_form(two_cpu_capture().frames())});
  all.push_back({InputKind::kCapture, "text",
                 text_form(two_cpu_capture(1, 3).frames(), [](size_t) { return "[1.5] log: "; })});
  for (const char* file : {"aarch64-full.raw.gz", "aarch64_be-recovered-coded.raw.gz",
                           "cortex-m3-text.raw.gz", "rv32-full-coded.raw.gz"})
    all.push_back(
        {InputKind::kCapture, file, unpacked_bytes(std::string(kReleasedCaptures) + file)});
  for (const char* file : {"cortex-m3-circular.core.gz", "m68k-full.core.gz"}) {
    const Bytes core = unpacked_bytes(std::string(kReleasedCaptures) + file);
    all.push_back({InputKind::kMemory, file, core, segments_in(core, 0)});
  }
  const Bytes image = unpacked_bytes(std::string(kMemories) + "cortex-m3-circular.ram.gz");
  all.push_back({InputKind::kImage, "image", image, segments_in(image, kImageBase)});
  all.push_back({InputKind::kNames, "program of the image",
                 unpacked_bytes(std::string(kMemories) + "cortex-m3-circular.elf.gz")});
  all.push_back({InputKind::kArchive, "little-every-record",
                 unpacked_bytes(std::string(kReleasedCaptures) + "little-every-record.fxt.gz")});
  for (const Golden& one : goldens())
    all.push_back({InputKind::kArchive, std::string(one.name), bytes_in(big_endian(one.pieces))});
  for (const GoldenLog* log : kGoldenLogs)
    all.push_back({InputKind::kLog, std::string(log->name), bytes_in(bytes_of_hex(log->hex))});
  const std::string names("\0__cyg_profile_func_enter\0_ZN1a1bIiE1cEPKc\0", 43);
  all.push_back({InputKind::kProgram, "program",
                 function_elf(names, {{1, 0x1000}, {26, 0x1010}}, {0x1000, 0x1010})});
  all.push_back({InputKind::kBudget, "budget",
                 bytes_in("# a budget\nrun count >= 1\nwakeup_latency? p99 <= 50us\n"
                          "duration? category=a name=\"b c*\" max <= 1ms\n")});
  all.push_back({InputKind::kCapture, "interrupts", interrupts_capture()});
  for (const char* file : {"freertos-example.raw", "kernels/zephyr.raw"})
    all.push_back(
        {InputKind::kCapture, file, unpacked_bytes(std::string(kReleasedCaptures) + "../" + file)});
  all.push_back({InputKind::kInterrupts, "list of interrupts",
                 bytes_in("# the board's\n37 UART0\n0x28\tthe radio  # receives\r\n15 SysTick\n"
                          "16 timer\n4294967295 last\n")});
  all.push_back({InputKind::kInterruptVectors, "vectors", program_with_vectors()});
  return all;
}

Bytes damaged(const Bytes& sound, std::mt19937_64& random, Stretch spared) {
  Bytes bytes = sound;
  const auto below = [&](size_t end) { return end == 0 ? 0 : random() % end; };
  for (size_t left = 1 + below(8); left > 0 && !bytes.empty(); --left) {
    size_t at = below(bytes.size());
    size_t count = std::min(bytes.size() - at, below(4) == 0 ? below(4096) : below(16));
    if (at >= spared.begin && at < spared.end) at = spared.end % bytes.size();
    if (at < spared.begin) count = std::min(count, spared.begin - at);
    count = std::min(count, bytes.size() - at);
    const size_t before = bytes.size();
    const auto begin = bytes.begin() + static_cast<ptrdiff_t>(at);
    const auto end = begin + static_cast<ptrdiff_t>(count);
    switch (below(8)) {
      case 0:
        bytes.resize(at);
        break;
      case 1:
        bytes.erase(begin, end);
        break;
      case 2: {
        const Bytes piece(begin, end);
        bytes.insert(end, piece.begin(), piece.end());
        break;
      }
      case 3:
        std::fill(begin, end, uint8_t{0});
        break;
      case 4: {
        Bytes junk(below(200));
        for (uint8_t& byte : junk) byte = static_cast<uint8_t>(random());
        bytes.insert(begin, junk.begin(), junk.end());
        break;
      }
      case 5:  // a number that is too large
        std::fill(begin, begin + static_cast<ptrdiff_t>(std::min<size_t>(count, 8)), uint8_t{0xff});
        break;
      case 6:
        *begin = static_cast<uint8_t>(random());
        break;
      default:
        *begin = static_cast<uint8_t>(*begin ^ (1U << below(8)));
    }
    if (at > spared.begin) continue;
    spared.begin += bytes.size() - before;
    spared.end += bytes.size() - before;
  }
  return bytes;
}

}  // namespace barefxt::test
