#include "batch.h"

#include <barefxt/host/json.h>

namespace barefxt::top {
namespace {

using host::JsonList;
using host::JsonObject;
using host::Output;

void line(JsonObject& all, Output& out, const LineFacts& facts) {
  all.key("line");
  JsonObject one(out);
  one.string("name", facts.name);
  one.number("bytes", facts.bytes);
  one.real("bytes_per_second", facts.bytes_per_second);
  one.number("records", facts.records);
  one.number("records_lost", facts.lost);
  one.real("silent_seconds", facts.silent);
  if (facts.ended.empty()) {
    one.null("ended");
  } else {
    one.string("ended", facts.ended);
  }
}

void merge(JsonObject& all, Output& out, const Frame& frame) {
  all.key("merge");
  JsonObject one(out);
  one.string("target", frame.target);
  one.real("seconds", frame.span);
  one.real("behind_seconds", frame.behind);
  if (frame.held_by) {
    one.number("held_by", *frame.held_by);
  } else {
    one.null("held_by");
  }
  one.number("late_records", frame.late_records);
  one.key("over").text(frame.is_over ? "true" : "false");
}

void now(JsonObject& all, Output& out, const Frame& frame) {
  all.key("now");
  JsonObject one(out);
  one.key("cpus");
  {
    JsonList cpus(out);
    for (const CpuRow& row : frame.cpus) {
      if (!row.now) continue;
      JsonObject cpu(cpus.next());
      cpu.number("cpu", row.cpu);
      cpu.real("busy_share", *row.now);
    }
  }
  one.key("threads");
  JsonList threads(out);
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
    all.key("final").text(frame.is_final ? "true" : "false");
    all.number("skipped_lines", frame.skipped);
    line(all, out, frame.line);
    merge(all, out, frame);
    now(all, out, frame);
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
