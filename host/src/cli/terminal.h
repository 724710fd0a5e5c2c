// The look of output: the width and the colours of text, and whether messages are wanted. Chosen by
// --color and --quiet, the environment, and what the streams are.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unistd.h>

#include <barefxt/host/fitted_output.h>

#include "command_line.h"
#include "messages.h"

namespace barefxt::cli {

enum class ColorWhen : uint8_t { kAuto, kAlways, kNever };

struct TerminalOptions {
  ColorWhen color = ColorWhen::kAuto;
  bool is_quiet = false;
  bool has_no_pager = false;

  void add_to(const OptionSet& options);
  // Adds --no-pager, of the verbs that have a pager.
  void add_pager(const OptionSet& options);
};

// Those of the verb that runs.
TerminalOptions& terminal_options();

// The width of the terminal that a descriptor is: COLUMNS, or what the terminal says. If it is
// none, `otherwise`: a file has the same lines everywhere.
size_t width_of(int descriptor, size_t otherwise);

inline constexpr size_t kFileWidth = 80;  // of tables
inline constexpr size_t kNoWidth = 0;     // of lines that programs search, one for each thing

// For standard output. Call it before a pager takes its place.
host::TextLook look_of_output(size_t width_of_file);

enum class TextKind : uint8_t { kForPeople, kForPrograms };

// Standard output. Its lines fit a terminal if they are for people, and are whole elsewhere.
class FittedText {
 public:
  explicit FittedText(TextKind kind)
      : text_(to_, kind == TextKind::kForPeople ? look_of_output(kNoWidth).width : kNoWidth,
              kIndent) {}
  operator host::Output&() { return text_; }
  void text(std::string_view piece) { text_.text(piece); }
  // Returns the exit status, which `status` would be if all is written.
  int finish(int status) {
    text_.finish();
    return finish_output(to_, status);
  }

 private:
  static constexpr size_t kIndent = 2;
  host::DescriptorOutput to_{STDOUT_FILENO};
  host::FittedOutput text_;
};

}  // namespace barefxt::cli
