#include "page.h"

#include <barefxt/host/json.h>

#include "blocks.h"
#include "built_page.h"
#include "bytes.h"
#include "distributions.h"
#include "findings.h"
#include "levels.h"
#include "palette.h"

namespace barefxt::report {
namespace {

using host::JsonList;
using host::JsonObject;
using host::Output;

// Below this number the page always draws every item.
constexpr size_t kLevelsFrom = 100'000;

struct Packed {
  uint64_t position;
  uint64_t size;
};

// The part of the page that holds what is unpacked later, written as it comes.
class Data {
 public:
  explicit Data(host::ByteSink& sink) : sink_(sink) {}

  // Each begins at a multiple of four, so that it is base85 by itself.
  Packed add(std::string bytes) {
    constexpr size_t kGroup = 4;
    const Packed place{size_, bytes.size()};
    bytes.resize((bytes.size() + kGroup - 1) / kGroup * kGroup);
    size_ += bytes.size();
    write(base85(bytes));
    return place;
  }
  void write(std::string_view text) {
    if (status_.ok())
      status_ = sink_.write({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  }
  host::Status status() const { return status_; }

 private:
  host::ByteSink& sink_;
  uint64_t size_ = 0;
  host::Status status_;
};

void packed(JsonList& list, const Packed& place) {
  list.next().number(place.position);
  list.next().number(place.size);
}

void lanes(JsonObject& all, const Drawing& drawing) {
  all.list("lanes", drawing.lanes, [&](JsonObject& one, const Lane& lane) {
    one.number("kind", static_cast<unsigned>(lane.kind));
    one.number("id", lane.id);
    one.string("name", lane.name);
    one.number("process", lane.process);
    one.boolean("idle", lane.idle);
    if (lane.is_baseline) one.boolean("baseline", true);
    one.number("rows", lane.rows);
  });
}

void names(JsonObject& all, const Drawing& drawing) {
  {
    JsonList list(all.key("labels"));
    for (const host::ProbeName& label : drawing.labels) {
      JsonList one(list.next());
      json_string(one.next(), label.category);
      json_string(one.next(), label.name);
    }
  }
  JsonList list(all.key("shapes"));
  for (const Shape& shape : drawing.shapes) {
    JsonList fields(list.next());
    for (const Field& field : shape) {
      JsonList one(fields.next());
      json_string(one.next(), field.name);
      json_string(one.next(), field.type);
    }
  }
}

void colour(Output& out, uint32_t rgb) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  out.text("\"#");
  for (int shift = 20; shift >= 0; shift -= 4) out.character(kDigits[rgb >> shift & 0xf]);
  out.character('"');
}

void colours(JsonObject& all) {
  const auto of = [](const Colour& one, bool dark) { return dark ? one.dark : one.light; };
  {
    JsonObject themes(all.key("colours"));
    for (const bool dark : {false, true}) {
      JsonObject theme(themes.key(dark ? "dark" : "light"));
      for (const Colour& one : kPalette) colour(theme.key(one.name), of(one, dark));
    }
  }
  JsonObject themes(all.key("hues"));
  for (const bool dark : {false, true}) {
    JsonList theme(themes.key(dark ? "dark" : "light"));
    for (const Colour& one : kHues) colour(theme.next(), of(one, dark));
  }
}

void findings(JsonObject& all, const std::vector<Finding>& findings) {
  all.list("findings", findings, [&](JsonObject& one, const Finding& finding) {
    one.string("kind", finding.kind);
    one.string("text", finding.text);
    one.number("ticks", finding.ticks);
    one.number("begin", finding.begin);
    one.number("end", finding.end);
    if (finding.thread) one.number("thread", *finding.thread);
    if (finding.cpu) one.number("cpu", *finding.cpu);
  });
}

void baseline_of(JsonObject& all, const Baseline& baseline) {
  JsonObject one(all.key("baseline"));
  one.string("archive", baseline.archive);
  one.number("first", baseline.first);
  comparison_json(one.key("comparison"), baseline.comparison, baseline.relevance);
  {
    JsonList list(one.key("sentences"));
    for (const std::string& sentence : sentences(baseline.comparison))
      json_string(list.next(), sentence);
  }
  print_statistics_json(one.key("stats"), baseline.statistics);
}

// Packs all items, and returns how to find them, as JSON.
std::string put_blocks(const Drawing& drawing, Data& data, size_t& long_blocks) {
  host::StringOutput out;
  {
    JsonList list(out);
    long_blocks = for_each_block(drawing, [&](const Block& block, const std::string& bytes) {
      JsonList one(list.next());
      one.next().number(block.begin);
      one.next().number(block.end);
      one.next().number(block.items);
      packed(one, data.add(deflated(bytes)));
    });
  }
  return out.take();
}

std::string put_levels(const Drawing& drawing, Data& data) {
  host::StringOutput out;
  {
    JsonList list(out);
    if (drawing.items.size() >= kLevelsFrom) {
      for (const std::string& bytes : levels_of(drawing)) {
        JsonList one(list.next());
        packed(one, data.add(bytes));
      }
    }
  }
  return out.take();
}

}  // namespace

host::Status write_page(const Drawing& drawing, const Reasons& reasons, host::ByteSink& sink,
                        const PageParts& parts) {
  constexpr std::string_view kMarker = "DATA\n";
  const std::string_view page = kBuiltPage;
  const size_t marker = page.find("\nDATA\n") + 1;
  Data data(sink);
  data.write(page.substr(0, marker));
  data.write("<script type=\"text/plain\" id=\"data\">");
  size_t long_blocks = 0;
  const std::string blocks = put_blocks(drawing, data, long_blocks);
  const std::string levels = put_levels(drawing, data);
  host::StringOutput explained;
  print_explanations_json(explained, reasons.explained);
  const Packed explanations = data.add(deflated(explained.take()));
  const auto deflated_if_any = [](const std::string& text) {
    return text.empty() ? text : deflated(text);
  };
  const Packed history = data.add(deflated_if_any(reasons.history));
  const Packed samples = data.add(deflated_if_any(parts.samples));
  data.write("</script>\n<script type=\"text/plain\" id=\"index\">");

  const host::Statistics& statistics = drawing.statistics;
  host::StringOutput out;
  {
    JsonObject all(out);
    all.string("archive", drawing.archive);
    all.number("rate", statistics.ticks_per_second);
    all.string("base", std::to_string(base_of(drawing)));
    all.string("first", std::to_string(statistics.first));
    all.string("last", std::to_string(statistics.last));
    all.boolean("beginningOnly", drawing.of_all.has_value());
    lanes(all, drawing);
    names(all, drawing);
    all.key("blocks").text(blocks);
    all.number("longBlocks", long_blocks);
    {
      JsonObject one(all.key("levels"));
      {
        JsonList list(one.key("buckets"));
        for (const size_t buckets : kLevelBuckets) list.next().number(buckets);
      }
      one.number("rows", kLevelRows);
      one.number("whole", kWholeShare);
      one.key("lanes").text(levels);
    }
    colours(all);
    findings(all, findings_of(drawing.shown(), reasons));
    for (const auto& [name, place] :
         {std::pair("explained", explanations), {"history", history}, {"samples", samples}}) {
      JsonList one(all.key(name));
      packed(one, place);
    }
    json_distributions(all.key("distributions"), drawing.shown(), parts.budget);
    if (parts.baseline) baseline_of(all, *parts.baseline);
    if (!parts.heaps.empty()) all.key("heaps").text(parts.heaps);
    print_statistics_json(all.key("stats"), drawing.shown());
  }
  data.write(base85(deflated(out.take())));
  data.write("</script>\n");
  data.write(page.substr(marker + kMarker.size()));
  return data.status();
}

}  // namespace barefxt::report
