// The options that choose records, alike for every verb that reads an archive.
#pragma once

#include <string>

#include <barefxt/host/selection.h>

#include "command_line.h"

namespace barefxt::cli {

struct SelectionOptions {
  std::string from;
  std::string to;

  // Returns --thread.
  Option add_to(const Verb& verb);
  // The two parts around --to, for a verb where that can be more than a time.
  void add_from(const Verb& verb);
  Option add_lists(const Verb& verb);
  // Fails where one of them is no time, or chooses nothing.
  host::Result<host::Selection> selection() const;

 private:
  host::Selection lists_;  // without the times
};

// A time that the user gives: "1.5ms", "1.5" (seconds, as print shows them), "12345ticks".
host::Result<host::TimeBound> time_bound(const std::string& text, const char* option);
// True if a word can be a time of these options.
bool is_time(const std::string& word);

// Says that nothing is chosen of what is there. It is no failure.
void say_nothing_is_chosen(const std::string& file);
// The same, if so.
void say_what_is_chosen(const std::string& file, const host::RecordFilter& filter);

}  // namespace barefxt::cli
