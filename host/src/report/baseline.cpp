#include "baseline.h"

#include <cmath>
#include <map>

namespace barefxt::report {
namespace {

// Times of one run as those of another that begins at the same time.
class Alignment {
 public:
  Alignment(const host::Statistics& now, const host::Statistics& old)
      : now_(now.first), old_(old.first) {
    if (old.ticks_per_second != 0 && now.ticks_per_second != 0)
      factor_ =
          static_cast<double>(now.ticks_per_second) / static_cast<double>(old.ticks_per_second);
  }
  // Lasting states that began before the run begin with it.
  uint64_t operator()(uint64_t time) const {
    const uint64_t since = time < old_ ? 0 : time - old_;
    if (factor_ == 1) return now_ + since;
    return now_ + static_cast<uint64_t>(std::llround(static_cast<double>(since) * factor_));
  }

 private:
  uint64_t now_;
  uint64_t old_;
  double factor_ = 1;
};

std::vector<uint32_t> add_labels(Drawing& drawing, const Drawing& old) {
  std::map<host::ProbeName, uint32_t> known;
  for (const host::ProbeName& label : drawing.labels)
    known.emplace(label, static_cast<uint32_t>(known.size()));
  std::vector<uint32_t> now;
  for (const host::ProbeName& label : old.labels) {
    const auto [found, is_new] = known.emplace(label, static_cast<uint32_t>(drawing.labels.size()));
    if (is_new) drawing.labels.push_back(label);
    now.push_back(found->second);
  }
  return now;
}

// Both in order of their ends. From the last one on, so that it needs no other room.
void merge(std::vector<Item>& items, const std::vector<Item>& added) {
  size_t from = items.size();
  items.resize(items.size() + added.size());
  size_t to = items.size();
  for (size_t next = added.size(); next > 0;) {
    const bool is_later = from > 0 && items[from - 1].end > added[next - 1].end;
    items[--to] = is_later ? items[--from] : added[--next];
  }
}

}  // namespace

Baseline add_baseline(Drawing& drawing, Drawing old, const host::Relevance& relevance) {
  const auto lanes = static_cast<uint32_t>(drawing.lanes.size());
  for (Lane& lane : old.lanes) {
    lane.is_baseline = true;
    drawing.lanes.push_back(std::move(lane));
  }
  const std::vector<uint32_t> labels = add_labels(drawing, old);
  const auto shapes = static_cast<uint32_t>(drawing.shapes.size());
  drawing.shapes.insert(drawing.shapes.end(), old.shapes.begin(), old.shapes.end());
  const auto texts = static_cast<uint32_t>(drawing.texts.size());
  drawing.texts += old.texts;

  const Alignment aligned(drawing.statistics, old.statistics);
  std::vector<Item> added;
  for (Item item : old.items) {
    item.begin = aligned(item.begin);
    if (item.begin > drawing.statistics.last) continue;
    item.end = aligned(item.end);
    item.lane += lanes;
    if (item.kind == ItemKind::kRun || item.kind == ItemKind::kArrow) item.other += lanes;
    item.label = labels.empty() ? 0 : labels[item.label];
    if (item.shape != 0) item.shape += shapes;
    item.text += texts;
    added.push_back(item);
  }
  merge(drawing.items, added);

  Baseline baseline{.archive = std::move(old.archive),
                    .first = old.statistics.first,
                    .statistics = old.of_all ? std::move(*old.of_all) : std::move(old.statistics),
                    .comparison = {},
                    .relevance = relevance};
  const host::Statistics* const before = &baseline.statistics;
  const host::Statistics* const now = &drawing.shown();
  baseline.comparison = host::compare({&before, 1}, {&now, 1}, relevance);
  return baseline;
}

}  // namespace barefxt::report
