// Shared by `capture` and `top`: the line to read, how long, and what becomes of the bytes.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <barefxt/host/output_file.h>
#include <barefxt/host/rebuild.h>

#include "command_line.h"
#include "line/interrupts.h"
#include "line/line.h"
#include "line/raw_copy.h"
#include "line/requester.h"

namespace barefxt::cli {

struct CaptureOptions {
  std::string serial;
  std::string unix_socket;
  std::string tcp;
  int rtt_channel = -1;  // -1: not chosen
  std::string listen;
  std::string udp;
  std::string follow;
  std::string standard_input;
  line::SerialSettings settings;
  double seconds = 0;
  double idle = 0;
  double wait = 0;
  uint64_t dumps = 1;
  std::string raw;
  std::string program;
  std::string interrupts;
  std::optional<host::ItmForm> itm;
  std::string output;
  host::ByteOrder byte_order = host::ByteOrder::kLittle;
  std::vector<wire::RequestKind> ask;
  uint32_t categories = 0;
  wire::Mode mode{};
  bool wants_resends = false;
};

std::vector<line::PendingRequest> requests(const CaptureOptions& options);

// At most as long as a clock can count.
std::chrono::steady_clock::duration duration_of(double seconds);

// How long to wait for another side that is there and does nothing, without --seconds.
inline constexpr double kPatienceSeconds = 30;

// Opens the line. The other side may come up later: retries until --wait is over.
line::Opened open_patiently(const CaptureOptions& options, const line::Interrupts& interrupts);
// Returns when to give up a side that is there and does nothing.
line::Patience patience_of(const CaptureOptions& options, const line::Interrupts& interrupts);

// Returns what is wrong with the names of files, before anything takes effect.
host::Status check_files(const CaptureOptions& options);
// Returns why this line cannot carry the requests that the options ask for.
host::Status check_way_back(const CaptureOptions& options, const line::Line& line);

// Adds the options to a verb; `options` must live as long as its command line. Returns the set that
// exactly one must be given of.
OptionSet add_capture_options(const Verb& verb, CaptureOptions* options);

// Prints the serial ports of this machine. Returns the exit status.
int list_serial_ports(bool json);

// Writes the archive of what has come. Returns the exit status. Where an interrupt loses nothing,
// or may have to end the wait for a reader, it ends the process from here on: `interrupts` is empty
// then.
int write_archive(host::Rebuild& rebuild, host::OutputFile& output, const CaptureOptions& options,
                  const line::RawCopy& raw, bool has_trouble,
                  std::optional<line::Interrupts>& interrupts);

}  // namespace barefxt::cli
