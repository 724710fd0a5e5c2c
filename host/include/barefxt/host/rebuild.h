// Captures in, one archive out: what `barefxt rebuild` does.
//
// Use: add inputs, one after another, in pieces of any size; then write. Messages for people are
// reported line by line meanwhile.
//
// Invariants of the archive, for any input: no unregistered reference, no bad UTF-8, no end
// before its begin, no 0 ticks/s, no unknown record. Memory does not grow with the input.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <barefxt/host/archive_writer.h>
#include <barefxt/host/capture_index.h>
#include <barefxt/host/elf_file.h>
#include <barefxt/host/frame_scanner.h>
#include <barefxt/host/function_names.h>
#include <barefxt/host/interrupt_names.h>
#include <barefxt/host/itm_stream.h>
#include <barefxt/host/memory_image.h>
#include <barefxt/host/perfetto_logs.h>
#include <barefxt/host/program_strings.h>
#include <barefxt/host/status.h>

namespace barefxt::host {

class CaptureContent;

enum class RebuildVerdict : uint8_t {
  kComplete,    // everything that was sent is in the archive
  kIncomplete,  // an archive was written, and something that was sent is not in it
  kNothing,     // no frame was found, and no trace in memory; nothing was written
};

// Both in hexadecimal.
struct CaptureIdentity {
  std::string id;
  std::string build_id;  // empty if the target sent none
};

class Rebuild {
 public:
  // Takes one line for a person, without a line feed.
  using Report = std::function<void(const std::string&)>;

  explicit Rebuild(Report say);

  // Inputs are what an ITM sent, each port a line of its own. `see`: gets the bytes of all ports.
  void read_itm(ItmForm form, ItmStream::See see = {}) {
    itm_.emplace(index_, form, std::move(see));
  }

  // One input: any number of feed(), then end_input() with the input's name for people.
  Status feed(std::span<const uint8_t> bytes);
  Status end_input(const std::string& name);

  // Hands on each frame while it arrives. `keeps`: write() will be called.
  void hand_on(FrameListener& listener, bool keeps) { index_.hand_on(listener, keeps); }

  // Progress so far, including an input that has not ended.
  const Arrival& arrival() const { return index_.arrival(); }

  // An image of a target's memory, as an input of its own. Its traces are read as the frames that
  // the target would have sent. `program` is the target's, or null: it has the descriptor's place,
  // and texts that the image may lack.
  Status add_memory(const MemoryImage& image, const ElfFile* program);

  // The program that ran. It gives names to the functions whose calls it recorded, and to a
  // Cortex-M's interrupts that have none yet; and it has the strings that were left in it. If a
  // capture has another build id, its functions and such strings are written without names.
  void name_by(const ElfFile& program);

  // Names for interrupts that kernels' hooks record by number alone.
  void name_interrupts(const InterruptNames& names) { interrupt_names_.add(names); }

  // Null where there are none.
  const FunctionNames* function_names() const {
    return function_names_ ? &*function_names_ : nullptr;
  }
  const InterruptNames* interrupt_names() const {
    return interrupt_names_.empty() ? nullptr : &interrupt_names_;
  }
  const ProgramStrings* program_strings() const {
    return program_strings_ ? &*program_strings_ : nullptr;
  }

  bool has_memory() const { return memory_images_ != 0; }

  // Instead of write: hands on each capture in the inputs, in the order in which they appear.
  Status for_each_capture(const std::function<void(const CaptureContent&)>& see);
  // Findings about all inputs that have ended; `bytes` is not filled in.
  const InputFindings& line_findings() const { return all_inputs_; }

  // Writes the archive of all inputs. An Error means that the sink failed, or a temporary file.
  Result<RebuildVerdict> write(ByteSink& sink, ByteOrder order,
                               LogPackets packets = LogPackets::kNone);
  // The captures that write() wrote.
  const std::vector<CaptureIdentity>& written() const { return written_; }

 private:
  void say_nothing_found();
  // Returns whether the capture is complete.
  Result<bool> write_capture(const CaptureContent& capture, uint32_t provider,
                             ArchiveWriter& writer);
  Result<bool> write_in_two_steps(const CaptureContent& capture, uint32_t provider, ByteSink& sink,
                                  ByteOrder order, LogPackets packets);
  bool is_of_another_build(const CaptureContent& capture) const;

  Report report_;
  CaptureIndex index_;
  FrameScanner scanner_;
  std::optional<ItmStream> itm_;
  InputFindings all_inputs_;
  uint64_t input_bytes_ = 0;
  uint32_t memory_images_ = 0;
  uint32_t memory_traces_ = 0;
  bool memory_is_whole_ = true;
  std::optional<FunctionNames> function_names_;
  std::optional<ProgramStrings> program_strings_;
  std::string build_id_;  // of the program that names functions
  std::vector<CaptureIdentity> written_;
  InterruptNames interrupt_names_;
};

}  // namespace barefxt::host
