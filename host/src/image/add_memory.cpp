// Which traces lie in an image of memory, and by which addresses they are to be read.

#include <algorithm>
#include <array>
#include <functional>

#include <barefxt/host/rebuild.h>

#include "../rebuild/crc32c.h"
#include "memory_trace.h"

namespace barefxt::host {
namespace {

constexpr char kSymbol[] = "barefxt_descriptor";
constexpr char kStringsSymbol[] = "barefxt_strings_begin";

std::string address_text(uint64_t address) { return formatted("0x{:x}", address); }

// Addresses that the program was linked to. A kernel that chooses its own at boot lies elsewhere,
// all of it by one distance, which the table of strings shows: the descriptor has its address.
struct LinkedAddresses {
  std::optional<uint64_t> descriptor;
  std::optional<uint64_t> strings;

  uint64_t slide(const FoundDescriptor& found) const {
    const bool has_table = found.content.strings != 0;
    return strings && has_table && found.checksum_is_right ? found.content.strings - *strings : 0;
  }
  // The address at which the program had this trace's descriptor.
  std::optional<uint64_t> descriptor_of(const FoundDescriptor& found) const {
    if (!descriptor) return {};
    return *descriptor + slide(found);
  }
};

// A descriptor, and how its addresses are to be understood.
struct Located {
  FoundDescriptor descriptor;
  TargetMemory memory;
  uint64_t sound_segments = 0;
  std::optional<uint64_t> symbol;  // where the program had it

  uint64_t address() const { return descriptor.address + memory.shift; }
};

struct Search {
  std::vector<Located> located;  // of those that make sense
  uint64_t sound_segments = 0;
  std::vector<std::string> complaints;
};

Search search(const MemoryImage& image, const Memory& memory, const LinkedAddresses& linked) {
  Search result;
  for (const FoundDescriptor& found : find_descriptors(image, memory)) {
    if (const char* nonsense = nonsense_in(found)) {
      result.complaints.push_back(
          formatted("the descriptor at {} is damaged, or of another version: {} makes no sense",
                    address_text(found.address), nonsense));
      continue;
    }
    // The image's own addresses, or those that put the descriptor where the program has it.
    const std::optional<uint64_t> symbol = linked.descriptor_of(found);
    Located best{.descriptor = found, .memory = {&memory, 0}, .symbol = symbol};
    for (const uint64_t shift : {uint64_t{0}, symbol.value_or(found.address) - found.address}) {
      const TargetMemory view{&memory, shift};
      const uint64_t sound = MemoryTrace(image, view, {}, found).sound_segments();
      if (sound > best.sound_segments) best = {found, view, sound, symbol};
    }
    result.sound_segments += best.sound_segments;
    result.located.push_back(best);
  }
  return result;
}

// Memory that a CPU sees at two addresses may be in an image twice. Leaves one of each session's
// descriptors: the one at the symbol, else the one found first.
void leave_out_mirrors(std::vector<Located>& all,
                       const std::function<void(const std::string&)>& say) {
  const auto is_same = [](const Descriptor& a, const Descriptor& b) {
    return a.checksum == b.checksum && a.capture == b.capture && a.start_ticks == b.start_ticks &&
           a.memory == b.memory && a.rings == b.rings;
  };
  std::vector<Located> kept;
  for (const Located& one : all) {
    const auto known = std::find_if(kept.begin(), kept.end(), [&](const Located& other) {
      return one.descriptor.checksum_is_right && other.descriptor.checksum_is_right &&
             is_same(one.descriptor.content, other.descriptor.content);
    });
    if (known == kept.end()) {
      kept.push_back(one);
      continue;
    }
    say(formatted(
        "the descriptors at {} and {} are one: this memory, or a copy of it, is there twice",
        address_text(known->address()), address_text(one.address())));
    if (one.address() == one.symbol) *known = one;
  }
  all = std::move(kept);
}

// Returns true if the descriptor owns the control words that it points to. It may also be a copy
// that was kept aside (as at the boot after a reset), of a session that others have followed.
bool is_current(const Located& one, const std::vector<Located>& all) {
  if (one.symbol) return one.address() == *one.symbol;
  return std::none_of(all.begin(), all.end(), [&](const Located& other) {
    return &other != &one && other.sound_segments != 0 &&
           other.descriptor.content.rings == one.descriptor.content.rings;
  });
}

// Not the session's own, by which its frames on the line are known.
uint32_t capture_id(uint32_t session, uint32_t trace) {
  std::array<uint8_t, 8> bytes{};
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<uint8_t>((i < 4 ? session : trace) >> (8 * (i % 4)));
  return crc32c(bytes);
}

}  // namespace

Status Rebuild::add_memory(const MemoryImage& image, const ElfFile* program) {
  ++memory_images_;
  const auto say = [&](const std::string& line) { report_(image.name() + ": " + line); };
  LinkedAddresses linked;
  Memory texts;
  if (program != nullptr) {
    linked = {program->symbol(kSymbol), program->symbol(kStringsSymbol)};
    std::vector<Memory::Region> regions;
    for (const ElfFile::Segment& segment : program->segments())
      regions.push_back({segment.virtual_address, segment.bytes});
    texts.add(std::move(regions));
  }
  if (image.is_cut()) {
    say("the file is cut: its segments go beyond its end");
    memory_is_whole_ = false;
  }

  Search found = search(image, image.by_physical_address(), linked);
  if (!image.has_one_address()) {
    Search other = search(image, image.by_virtual_address(), linked);
    if (other.sound_segments > found.sound_segments) found = std::move(other);
  }
  for (const std::string& complaint : found.complaints) say(complaint);
  memory_is_whole_ = memory_is_whole_ && found.complaints.empty();

  leave_out_mirrors(found.located, say);
  uint32_t readable_traces = 0;
  for (const Located& one : found.located) {
    if (one.sound_segments == 0) continue;
    ++readable_traces;
    if (!one.descriptor.checksum_is_right) {
      say("the descriptor at " + address_text(one.address()) +
          " is damaged: what follows may be wrong");
      memory_is_whole_ = false;
    }
    const TargetMemory moved_texts{program != nullptr ? &texts : nullptr,
                                   linked.slide(one.descriptor)};
    MemoryTrace trace(image, one.memory, moved_texts, one.descriptor);
    if (!is_current(one, found.located)) trace.forget_control_words();
    const uint32_t capture = capture_id(one.descriptor.content.capture, memory_traces_++);
    const Result<bool> whole = trace.make_frames(index_, capture, report_);
    if (!whole.ok()) return whole.error();
    memory_is_whole_ = memory_is_whole_ && whole.value();
    if (!index_.status().ok()) return index_.status();
  }
  (void)index_.take_findings();
  if (readable_traces != 0) return {};

  for (const Located& one : found.located)
    say(formatted(
        "the descriptor at {} says that {} CPUs' rings are at {}, and no segment of its trace is "
        "there: is the image's base address right, and does it hold all of the target's memory?",
        address_text(one.address()), one.descriptor.content.cpus,
        address_text(one.descriptor.content.memory)));
  if (found.located.empty() && found.complaints.empty())
    say(
        formatted("no trace in {} bytes of memory (looked for a descriptor by its magic number, in "
                  "both byte orders{}): has the target called barefxt_start?",
                  image.file_bytes(),
                  linked.descriptor
                      ? "; the program has it at " + address_text(*linked.descriptor)
                      : (program != nullptr ? formatted("; the program has no symbol `{}`, like "
                                                        "all that are built with BAREFXT_LINEAR",
                                                        kSymbol)
                                            : std::string())));
  return {};
}

}  // namespace barefxt::host
