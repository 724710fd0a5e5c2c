// Shared by the verbs that read an archive: its options, opening it, messages about guesses and
// unreadable bytes, and the exit status that follows.
//
// A capture stands for its archive: it is rebuilt on the way, with the messages of `rebuild`.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <barefxt/host/elf_file.h>
#include <barefxt/host/output.h>
#include <barefxt/host/reader.h>
#include <barefxt/host/rebuild.h>
#include <barefxt/host/source.h>
#include <barefxt/host/stats.h>

#include "capture_inputs.h"
#include "command_line.h"
#include "exit_status.h"

namespace barefxt::cli {

// For the options that choose a byte order.
inline constexpr Choice<host::ByteOrder> kByteOrders[] = {{"little", host::ByteOrder::kLittle},
                                                          {"big", host::ByteOrder::kBig}};

// Adds --output-byte-order, of the verbs that write archives, and its old spelling.
void add_output_byte_order(const Verb& verb, host::ByteOrder& order);

// The help of a flag of the verbs that write archives.
inline constexpr const char* kAboutPerfettoLogs =
    "Add each log once more as a packet of Perfetto's own, so that Perfetto shows the logs of the "
    "archive; other verbs ignore the packets";

// Adds --max-unpacked, the limit for each input packed by gzip or zstd.
void add_max_unpacked(const Verb& verb, uint64_t& bytes);

struct ArchiveOptions : CaptureDetails {
  std::vector<std::string> files;
  host::FormOverrides overrides;

  // Display name of all input files.
  std::string name() const;
  // These options for one of the files.
  ArchiveOptions only(const std::string& file) const {
    ArchiveOptions one = *this;
    one.files = {file};
    return one;
  }
  // All that is read, of which nothing may be an output.
  std::vector<std::string> inputs() const { return with_inputs(files); }

  enum class Files : uint8_t {
    kAreOneArchive,
    kAreTraces,           // each by itself
    kAreTracesOrExplain,  // the same for a verb that --explain lets do without, and checks it
                          // itself
  };
  void add_to(const Verb& verb, Files files = Files::kAreOneArchive);
  // --byte-order as an old spelling of --input-byte-order; `convert` means another by it.
  void add_old_byte_order(const Verb& verb);
};

inline constexpr const char* kShrunk =
    "became shorter while it was read: the part behind its new end is missing";

struct Archive {
  host::Source source;
  host::Form form;
  std::vector<host::CaptureIdentity> captures;  // that it was rebuilt from
};

// The program that --elf names.
struct Program {
  host::Source bytes;
  host::ElfFile elf;
};
// Null without --elf.
host::Result<std::unique_ptr<Program>> open_program(const ArchiveOptions& options);

// Report to standard error where they fail, with the exit status in `status`; and what of the input
// is missing from what they return, which report_damage() has as an exit status. Several files are
// one archive: what is in them, one after another.
// `captures`: those that it was rebuilt from.
std::optional<host::Source> open_source(const ArchiveOptions& options, int& status,
                                        std::vector<host::CaptureIdentity>* captures = nullptr);
std::optional<Archive> open_archive(const ArchiveOptions& options, int& status);

// Opens each file as a trace by itself, until `use` returns false, which may set the exit status of
// its file. Returns the worst exit status, or the one of the file at which it ended.
int for_each_archive(
    const ArchiveOptions& options,
    const std::function<bool(const std::string& file, Archive& archive, int& status)>& use);

// Returns whether it is something else than an archive, and says what, with the exit status in
// `status`.
bool is_no_trace(const host::Source& source, int& status);

// Prints what it guesses.
Archive open_archive(host::Source source, const host::FormOverrides& overrides);

// Calls `each` for every record until it returns false, gives pages back behind the reader.
void for_each_record(host::Source& source, host::Reader& reader,
                     const std::function<bool(const host::Record&)>& each);

// kIncomplete where the source is not all of the input, else kDone.
int report_damage(const host::Source& source);

// Reports how many providers' tables were forgotten, if any.
void report_forgotten(const host::Source& source, uint64_t providers);

// Prints what could not be read, and returns the exit status for it.
int report_reading(const host::Source& source, const host::Reader& reader);
int report_statistics(const host::Source& source, const host::Statistics& statistics);

}  // namespace barefxt::cli
