#include "batch.h"

#include <barefxt/host/json.h>

namespace barefxt::top {
namespace {

using host::JsonList;
using host::JsonObject;
using host::Output;

void line(JsonObject& all, const LineFacts& facts) {
  JsonObject one(all.key("line"));
  one.string("name", facts.name);
  one.number("bytes", facts.bytes);
  one.real("bytes_per_second", facts.bytes_per_second);
  one.number("records", facts.records);
  one.number("records_lost", facts.lost);
  one.real("silent_seconds", facts.silent);
  one.string_or_null("ended", facts.ended);
}

void merge(JsonObject& all, const Frame& frame) {
  JsonObject one(all.key("merge"));
  one.string("target", frame.target);
  one.real("seconds", frame.span);
  one.real("behind_seconds", frame.behind);
  one.number("held_by", frame.held_by);
  one.number("late_records", frame.late_records);
  one.boolean("over", frame.is_over);
}

void now(JsonObject& all, const Frame& frame) {
  JsonObject one(all.key("now"));
  {
    JsonList cpus(one.key("cpus"));
    for (const CpuRow& row : frame.cpus) {
      if (!row.now) continue;
      JsonObject cpu(cpus.next());
      cpu.number("cpu", row.cpu);
      cpu.real("busy_share", *row.now);
    }
  }
  JsonList threads(one.key("threads"));
  for (const ThreadRow& row : frame.threads) {
    if (!row.now) continue;
    JsonObject thread(threads.next());
    thread.number("thread", row.koid);
    thread.real("running_share", *row.now);
  }
}

}  // namespace

void print_batch_line(Output& out, const Frame& frame, const host::Statistics* figures) {
  {
    JsonObject all(out);
    all.real("seconds", frame.line.seconds);
    all.boolean("final", frame.is_final);
    all.number("skipped_lines", frame.skipped);
    line(all, frame.line);
    merge(all, frame);
    now(all, frame);
    if (figures == nullptr) {
      all.null("statistics");
    } else {
      host::StringOutput text;
      host::print_statistics_json(text, *figures);
      std::string object = text.take();
      while (!object.empty() && object.back() == '\n') object.pop_back();
      all.key("statistics").text(object);
    }
  }
  out.character('\n');
}

}  // namespace barefxt::top
