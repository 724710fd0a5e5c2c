#include "input_kind.h"

#include <algorithm>
#include <sys/stat.h>

#include <barefxt/host/elf_file.h>
#include <barefxt/host/xray_reader.h>

#include "messages.h"

namespace barefxt::cli {
namespace {

constexpr const char* kToPerfetto = "open it in Perfetto: https://ui.perfetto.dev";
constexpr const char* kToBabeltrace = "babeltrace2 prints it";

struct Beginning {
  std::string_view bytes;
  InputKind kind;
};

constexpr Beginning kBeginnings[] = {
    {"\x7f"
     "ELF",
     {"a program (ELF)", "name it with --elf, beside an image of the memory that it ran in"}},
    {{"\xd4\xc3\xb2\xa1", 4}, {"a capture of a network (PCAP)", ""}},
    {{"\xa1\xb2\xc3\xd4", 4}, {"a capture of a network (PCAP)", ""}},
    {{"\x4d\x3c\xb2\xa1", 4}, {"a capture of a network (PCAP)", ""}},
    {{"\xa1\xb2\x3c\x4d", 4}, {"a capture of a network (PCAP)", ""}},
    {{"\x0a\x0d\x0d\x0a", 4}, {"a capture of a network (PCAPNG)", ""}},
    {{"\xc1\x1f\xfc\xc1", 4}, {"a stream in the Common Trace Format", kToBabeltrace}},
    {{"\xc1\xfc\x1f\xc1", 4}, {"a stream in the Common Trace Format", kToBabeltrace}},
    {{"\x57\x1d\xd1\x75", 4}, {"metadata in the Common Trace Format", kToBabeltrace}},
    {{"\x75\xd1\x1d\x57", 4}, {"metadata in the Common Trace Format", kToBabeltrace}},
    {"/* CTF 1.8", {"metadata in the Common Trace Format", kToBabeltrace}},
    {"PAR1", {"a table (Parquet)", "DuckDB and others read it"}},
    {"PERFILE2", {"a recording of perf", "perf reads it"}},
    {{"\x17\x08\x44tracing", 10}, {"a recording of trace-cmd", "trace-cmd reads it"}},
    {"PK\x03\x04", {"a ZIP archive", "unpack it first"}},
};

// A message of the type Trace: packets, field 1, one after another.
bool is_of_perfetto(host::Bytes bytes) {
  constexpr uint8_t kPacket = 0x0a;
  size_t at = 0;
  for (unsigned packets = 0; packets < 3 && at < bytes.size(); ++packets) {
    if (bytes[at++] != kPacket) return false;
    uint64_t length = 0;
    for (unsigned shift = 0;; shift += 7) {
      if (at == bytes.size() || shift > 28) return false;
      length |= uint64_t{bytes[at] & 0x7fu} << shift;
      if ((bytes[at++] & 0x80) == 0) break;
    }
    if (length == 0 || length > bytes.size() - at) return false;
    at += length;
  }
  return !bytes.empty();
}

bool is_text(std::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](char byte) {
    return byte == '\t' || byte == '\n' || byte == '\r' || byte == '\x1b' ||
           static_cast<uint8_t>(byte) >= ' ';
  });
}

}  // namespace

std::optional<InputKind> kind_of(host::Bytes bytes) {
  if (host::XrayReader::is_log(bytes))
    return InputKind{"an XRay log", "make an archive of it: barefxt convert --to fxt"};
  if (host::ElfFile::is_core(bytes))
    return InputKind{"an image of memory (ELF core)", "name the program that ran with --elf"};
  const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  for (const Beginning& beginning : kBeginnings)
    if (all.starts_with(beginning.bytes)) return beginning.kind;
  if (is_of_perfetto(bytes)) return InputKind{"a trace of Perfetto (protobuf)", kToPerfetto};
  constexpr size_t kLookedAt = 4096;
  const std::string_view beginning = all.substr(0, kLookedAt);
  const bool is_json = beginning.starts_with('{') || beginning.starts_with('[');
  if (is_json && beginning.find("\"ph\":") != beginning.npos)
    return InputKind{"a trace for chrome://tracing (JSON)", kToPerfetto};
  if (is_text(beginning)) return InputKind{"text", "", true};
  return {};
}

std::optional<InputKind> kind_of_folder(const std::string& path) {
  struct stat status{};
  if (::stat((path + "/metadata").c_str(), &status) != 0) return {};
  return InputKind{"a folder in the Common Trace Format", kToBabeltrace};
}

int say_kind(const std::string& name, const InputKind& kind, std::string_view packed_by) {
  std::string text = name + ": " + kind.name;
  if (!packed_by.empty()) text.append(", packed by ").append(packed_by);
  text += ", no trace of barefxt";
  if (*kind.hint != 0) text.append(". Hint: ").append(kind.hint);
  say(text);
  return kNothing;
}

}  // namespace barefxt::cli
