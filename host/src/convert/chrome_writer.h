// Events of Chrome's trace event format, one object a line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <barefxt/host/archive_writer.h>
#include <barefxt/host/convert.h>
#include <barefxt/host/json.h>
#include <barefxt/host/record.h>

#include "shown_values.h"

namespace barefxt::host {

// `{"n":1,...}`. Integers beyond 2^53 and doubles that are no number are strings, since readers
// take every number for a double; repeated names get a number.
void chrome_arguments(Output& out, const Arguments& arguments, ChangeCounts& changes);
// The values of a counter, as numbers, since viewers draw them. The last digits may be lost.
void chrome_series(Output& out, const Arguments& arguments, ChangeCounts& changes);
// An integer that readers that take numbers for doubles get right.
void chrome_integer(Output& out, uint64_t value);

struct ChromeEvent {
  char phase;
  uint64_t process;
  uint64_t thread;
  Nanoseconds time;
  std::string_view category;
  std::string_view name;
};

class ChromeWriter {
 public:
  explicit ChromeWriter(ByteSink& sink);

  // `fill` adds fields to the event's JsonRecord.
  template <typename Fill>
  void event(const ChromeEvent& event, const Fill& fill) {
    JsonRecord object(begin());
    common(object, event);
    fill(object);
  }
  // A property of a process or thread for viewers: `name` is the format's, as "process_name".
  template <typename Fill>
  void metadata(std::string_view name, uint64_t process, std::optional<uint64_t> thread,
                std::string_view argument, const Fill& fill) {
    JsonRecord object(begin());
    object.string("ph", "M");
    object.number("pid", process);
    if (thread) object.number("tid", *thread);
    object.string("name", name);
    JsonRecord arguments(object.key("args"));
    fill(arguments.key(argument));
  }
  static void time(Output& out, Nanoseconds time);  // in microseconds, as a number

  Status finish();
  bool failed() const { return out_.failed(); }

 private:
  class SinkOutput : public Output {
   public:
    explicit SinkOutput(ByteSink& sink) : sink_(sink) {}
    const Status& status() const { return status_; }

   protected:
    bool drain(std::string_view piece) override {
      status_ = sink_.write({reinterpret_cast<const uint8_t*>(piece.data()), piece.size()});
      return status_.ok();
    }

   private:
    ByteSink& sink_;
    Status status_;
  };

  Output& begin();
  static void common(JsonRecord& object, const ChromeEvent& event);

  SinkOutput out_;
  bool first_ = true;
};

}  // namespace barefxt::host
