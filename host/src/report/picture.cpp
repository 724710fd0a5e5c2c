// Lanes from top to bottom, laid out as in the page, drawn with cairo.
#include "picture.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <numeric>

#include "canvas.h"

namespace barefxt::report {
namespace {

constexpr double kRuler = 26;
constexpr double kGutter = 150;
constexpr double kRow = 16;
constexpr double kGap = 8;
constexpr double kMargin = 10;
constexpr double kCpuBar = 20;
constexpr double kThreadBar = 12;
constexpr double kSmallText = 11;
constexpr double kText = 12;

// 128 MiB of memory; and cairo's limit.
constexpr double kMaxPixels = 1 << 25;
constexpr double kMaxHeight = 32767;
// A sheet of paper is so many times as high as it is wide.
constexpr double kSheet = 1.41;
// Fewer idle or ended threads keep their place.
constexpr size_t kFewQuiet = 4;
constexpr uint32_t kNoLane = ~uint32_t{0};

struct Place {
  double y = 0;
  double bar = 0;     // height of what lies above the rows
  double height = 0;  // 0: not shown
};

struct Range {
  double low = 0;
  double high = 0;
  double base = 0;  // that the curve stands on
  bool seen = false;
};

class Picture : public Canvas {
 public:
  Picture(const CairoLibrary& cairo, const Drawing& drawing, const PictureOptions& options)
      : Canvas(cairo, options.dark),
        drawing_(drawing),
        options_(options),
        places_(drawing.lanes.size()),
        from_(drawing.statistics.first),
        to_(drawing.statistics.last),
        right_(options.width - kMargin) {
    double y = kRuler;
    if (options.finding) y += zoom_to(*options.finding);
    top_ = y;
    const std::vector<bool> busy = busy_lanes();
    rows_ = rows_in_use();
    const double largest = std::min(kMaxHeight, kMaxPixels / options.width);
    const double most =
        (options.lanes > 0 ? largest : std::min(largest, options.width * kSheet)) - kRow;
    for (const uint32_t i : in_order()) {
      if (!busy[i] && i != focus_) continue;
      const Lane& lane = drawing.lanes[i];
      const double bar = bar_of(lane.kind);
      const double height = std::max(bar + rows_[i] * kRow, kRow);
      if (not_shown_ != 0 || shown_ == most_lanes() || y + height + kGap > most) {
        ++not_shown_;
        continue;
      }
      places_[i] = {y, bar, height};
      y += height + kGap;
      ++shown_;
    }
    height_ = y + (not_shown_ > 0 ? kRow : 0);
    resize(options.width, static_cast<unsigned>(height_));
    scale_ = (right_ - kGutter) / std::max(1.0, static_cast<double>(to_ - from_));
  }

  void draw() {
    colour("background");
    cairo().paint(context());
    colour("text");
    for (size_t i = 0; i < caption_.size(); ++i)
      text(caption_[i], kMargin, (static_cast<double>(i) + 0.75) * kRow, right_, kText);
    lanes();
    cairo().save(context());
    cairo().rectangle(context(), kGutter, top_, right_ - kGutter, height_ - top_);
    cairo().clip(context());
    learn_ranges();
    each(&Picture::bars);
    each(&Picture::above);
    each(&Picture::names);
    if (options_.finding) outline(*options_.finding);
    cairo().restore(context());
    axes();
    ruler();
  }

 private:
  static double bar_of(LaneKind kind) {
    switch (kind) {
      case LaneKind::kCpu:
        return kCpuBar + 2;
      case LaneKind::kThread:
        return kThreadBar + 2;
      case LaneKind::kAsync:
        return 0;
      case LaneKind::kCounter:
        break;
    }
    constexpr double kCurve = 42;
    return kCurve;
  }

  // 0 asks for as many as a sheet of paper holds.
  size_t most_lanes() const { return options_.lanes > 0 ? options_.lanes : places_.size(); }

  // With room of its own length on both sides. Returns the height of the sentence.
  double zoom_to(const Finding& finding) {
    const uint64_t length = std::max<uint64_t>(finding.end - finding.begin, 1);
    from_ = std::max(from_, finding.begin - std::min(length, finding.begin));
    to_ = std::max(from_, std::min(to_, finding.end + std::min(length, ~finding.end)));
    caption_ = wrapped(finding.text, right_ - kMargin, kText);
    for (uint32_t i = 0; i < drawing_.lanes.size(); ++i) {
      const Lane& lane = drawing_.lanes[i];
      const bool is_it =
          finding.thread ? lane.kind == LaneKind::kThread && lane.id == *finding.thread
                         : lane.kind == LaneKind::kCpu && finding.cpu && lane.id == *finding.cpu;
      if (is_it) focus_ = i;
    }
    return static_cast<double>(caption_.size()) * kRow;
  }

  bool is_quiet(const Lane& lane) const {
    if (lane.kind != LaneKind::kThread) return false;
    const auto thread = drawing_.statistics.threads.find(lane.id);
    const auto ended = static_cast<size_t>(host::SwitchCause::kEnded);
    return lane.idle || (thread != drawing_.statistics.threads.end() &&
                         thread->second.switches.by_cause[ended] > 0);
  }
  // That of the finding first, and threads that idle or have ended last.
  std::vector<uint32_t> in_order() const {
    std::vector<uint32_t> order(drawing_.lanes.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto quiet = [&](uint32_t lane) { return is_quiet(drawing_.lanes[lane]); };
    if (std::ranges::count_if(order, quiet) >= static_cast<ptrdiff_t>(kFewQuiet))
      std::ranges::stable_partition(order, [&](uint32_t lane) { return !quiet(lane); });
    std::ranges::stable_partition(order, [&](uint32_t lane) { return lane == focus_; });
    return order;
  }

  bool is_in(const Item& item) const { return item.end >= from_ && item.begin <= to_; }
  void each(void (Picture::*part)(const Item&)) {
    for (const Item& item : drawing_.items)
      if (is_in(item)) (this->*part)(item);
  }

  bool is_shown(uint32_t lane) const { return places_[lane].height > 0; }
  // All but those that only wait.
  std::vector<bool> busy_lanes() const {
    std::vector<bool> busy(drawing_.lanes.size());
    for (const Item& item : drawing_.items) {
      if (item.kind == ItemKind::kState || !is_in(item)) continue;
      busy[item.lane] = true;
      if (item.kind == ItemKind::kRun) busy[item.other] = true;
    }
    return busy;
  }
  // Rows of durations that have some in the stretch.
  std::vector<uint32_t> rows_in_use() const {
    std::vector<uint32_t> rows(drawing_.lanes.size());
    for (const Item& item : drawing_.items)
      if (item.kind == ItemKind::kDuration && is_in(item))
        rows[item.lane] = std::max(rows[item.lane], item.other + 1);
    return rows;
  }
  const Lane& lane_of(const Item& item) const { return drawing_.lanes[item.lane]; }

  // A time before the beginning lies to the left of it.
  double x(uint64_t time) const {
    const double ticks =
        time < from_ ? -static_cast<double>(from_ - time) : static_cast<double>(time - from_);
    return kGutter + ticks * scale_;
  }
  // At least a pixel wide. One bar is enough for all that begin and end in the same pixel.
  template <typename Choose>
  void bar(const Item& item, uint64_t key, double top, double height, const Choose& choose) {
    const double from = std::max(x(item.begin), kGutter);
    const double to = std::min(x(item.end), right_);
    if (to - from < 1) {
      const auto pixel = static_cast<int>(from);
      const auto [last, added] = last_pixel_.try_emplace(key, pixel);
      if (!added && last->second == pixel) return;
      last->second = pixel;
    }
    choose();
    fill(from, top, std::max(1.0, to - from), height);
  }

  void lanes() const {
    for (uint32_t i = 0; i < places_.size(); ++i) {
      if (!is_shown(i)) continue;
      const Place& place = places_[i];
      colour("lane");
      fill(kGutter, place.y, right_ - kGutter, place.height);
      colour("text");
      text(drawing_.lanes[i].name, kMargin, place.y + std::max(place.bar, kRow) / 2,
           kGutter - 2 * kMargin, kText);
    }
    if (not_shown_ == 0) return;
    colour("faint");
    text(host::formatted("and {} more lanes", not_shown_), kMargin, height_ - kRow / 2, right_,
         kText);
  }

  double value_of(const Item& item) const {
    const std::string_view words = drawing_.text_of(item);
    double value = 0;
    std::from_chars(words.data(), words.data() + words.size(), value);
    return std::isfinite(value) ? value : 0;
  }
  void learn_ranges() {
    ranges_.resize(drawing_.lanes.size());
    for (const Item& item : drawing_.items) {
      if (item.kind != ItemKind::kCounter || !is_in(item)) continue;
      Range& range = ranges_[item.lane];
      const double value = value_of(item);
      range.low = range.seen ? std::min(range.low, value) : value;
      range.high = range.seen ? std::max(range.high, value) : value;
      range.seen = true;
    }
    for (Range& range : ranges_) {
      range.base = range.high > range.low ? range.low : std::min(0.0, range.high);
    }
  }

  // A line if the CPU or thread neither runs nor waits for a CPU, so that the rest stands out.
  void state(const Item& item, uint64_t key, double y, double height, std::string_view name) {
    constexpr double kLine = 4;
    const bool is_quiet = name != "running" && name != "runnable";
    const double shown = is_quiet ? kLine : height;
    bar(item, key, y + (height - shown) / 2, shown, [&] { colour(name); });
  }

  void bars(const Item& item) {
    constexpr uint64_t kKeys = 64;  // of a lane
    const uint64_t key = item.lane * kKeys;
    if (item.kind == ItemKind::kRun && is_shown(item.other)) {
      if (lane_of(item).idle) {
        state(item, item.other * kKeys, places_[item.other].y, kCpuBar, "idle");
      } else {
        bar(item, item.other * kKeys, places_[item.other].y, kCpuBar, [&] { hue(item.lane); });
      }
    }
    if (!is_shown(item.lane)) return;
    const Place& place = places_[item.lane];
    switch (item.kind) {
      case ItemKind::kRun:
        return state(item, key, place.y, kThreadBar, lane_of(item).idle ? "idle" : "running");
      case ItemKind::kState:
        if (lane_of(item).idle) return;
        return state(item, key + 1 + item.other, place.y, kThreadBar,
                     host::kThreadTimeNames[item.other]);
      case ItemKind::kUnknown:
        return state(item, key + 1, place.y, kCpuBar, "unknown");
      case ItemKind::kDuration:
        return bar(item, key + 8 + item.other, place.y + place.bar + item.other * kRow, kRow - 2,
                   [&] { hue(item.label); });
      case ItemKind::kCounter: {
        const Range& range = ranges_[item.lane];
        const double reach = range.high - range.base;
        const double part =
            reach > 0 ? (value_of(item) - range.base) / reach * (place.height - 8) : 0;
        const double from = x(item.begin);
        colour("counter");
        return fill(from, place.y + place.height - 3 - part, std::max(1.0, x(item.end) - from),
                    part + 2);
      }
      default:
        return;
    }
  }

  void above(const Item& item) {
    if (!is_shown(item.lane)) return;
    const Place& place = places_[item.lane];
    switch (item.kind) {
      case ItemKind::kInstant:
        return mark(item, place, "mark");
      case ItemKind::kWakeup:
        return mark(item, place, "wakeup");
      case ItemKind::kLog:
        return mark(item, place, "log");
      case ItemKind::kFlow:
        return mark(item, place, "arrow");
      case ItemKind::kArrow:
        if (is_shown(item.other)) arrow(item);
        return;
      case ItemKind::kLost:
        return loss(item, place);
      default:
        return;
    }
  }

  void mark(const Item& item, const Place& place, std::string_view name) {
    constexpr double kHalf = 3.5;
    const double at = x(item.end);
    const uint64_t key = item.lane * 64 + 40 + static_cast<uint64_t>(item.kind);
    const auto [last, added] = last_pixel_.try_emplace(key, static_cast<int>(at));
    if (!added && last->second == static_cast<int>(at)) return;
    last->second = static_cast<int>(at);
    const double base = place.y + (place.bar > 0 ? place.bar : kRow) - 2;
    colour(name);
    cairo().move_to(context(), at, base - 2 * kHalf);
    cairo().line_to(context(), at + kHalf, base);
    cairo().line_to(context(), at - kHalf, base);
    cairo().fill(context());
  }

  void arrow(const Item& item) const {
    constexpr double kSag = 14;
    const double from = x(item.begin);
    const double to = x(item.end);
    if (item.lane == item.other && to - from < 4) return;
    const double top = places_[item.lane].y + places_[item.lane].bar / 2;
    const double bottom = places_[item.other].y + places_[item.other].bar / 2;
    const double bend = std::clamp((to - from) / 2, 8.0, 40.0);
    colour("arrow");
    cairo().set_line_width(context(), 1);
    cairo().move_to(context(), from, top);
    cairo().curve_to(context(), from + bend, top + kSag, to - bend, bottom + kSag, to, bottom);
    cairo().stroke(context());
    constexpr double kRadius = 2.5;
    cairo().arc(context(), to, bottom, kRadius, 0, 2 * std::acos(-1.0));
    cairo().fill(context());
  }

  void loss(const Item& item, const Place& place) const {
    constexpr double kStep = 6;
    const double from = std::max(x(item.begin), kGutter);
    const double to = std::min(std::max(x(item.end), from + 2), right_);
    cairo().save(context());
    cairo().rectangle(context(), from, place.y, to - from, place.height);
    cairo().clip(context());
    colour("lost");
    cairo().set_line_width(context(), 1.5);
    const auto lines = static_cast<unsigned>((to - from + place.height) / kStep) + 2;
    const double first = std::floor((from - place.height) / kStep) * kStep;
    for (unsigned i = 0; i < lines; ++i) {
      const double at = first + i * kStep;
      cairo().move_to(context(), at, place.y + place.height);
      cairo().line_to(context(), at + place.height, place.y);
    }
    cairo().stroke(context());
    cairo().restore(context());
  }

  void names(const Item& item) {
    constexpr double kMin = 26;
    constexpr double kInset = 3;
    const bool run = item.kind == ItemKind::kRun;
    const uint32_t lane = run ? item.other : item.lane;
    if ((!run && item.kind != ItemKind::kDuration) || !is_shown(lane)) return;
    if (run && lane_of(item).idle) return;
    const double from = std::max(x(item.begin), kGutter);
    const double room = std::min(x(item.end), right_) - from - 2 * kInset;
    if (room < kMin) return;
    colour("text");
    const Place& place = places_[lane];
    const double middle =
        run ? place.y + kCpuBar / 2 : place.y + place.bar + item.other * kRow + (kRow - 2) / 2;
    text(run ? lane_of(item).name : drawing_.labels[item.label].name, from + kInset, middle, room,
         kSmallText);
  }

  // A counter's least and greatest value, beside its curve.
  void axes() const {
    for (uint32_t i = 0; i < places_.size(); ++i) {
      if (!is_shown(i) || !ranges_[i].seen) continue;
      const double x = kGutter - 4;
      const double above = places_[i].y + 5;
      const double below = places_[i].y + places_[i].height - 3;
      colour("faint");
      fill(x, above, 1, below - above);
      for (const auto& [value, y] : {std::pair(ranges_[i].high, above), {ranges_[i].low, below}}) {
        fill(x - 3, y, 4, 1);
        constexpr double kNumber = 10;
        text_to(host::formatted("{:g}", value), x - 5, y, kNumber);
      }
    }
  }

  // In its lane, and a band over all others.
  void outline(const Finding& finding) const {
    const double from = x(finding.begin);
    const double width = std::max(1.0, x(finding.end) - from);
    constexpr double kFaint = 0.12;
    colour("selection", kFaint);
    fill(from, top_, width, height_ - top_);
    if (focus_ == kNoLane || !is_shown(focus_)) return;
    const Place& place = places_[focus_];
    colour("selection");
    cairo().set_line_width(context(), 2);
    cairo().rectangle(context(), from - 1, place.y, width + 2, place.bar);
    cairo().stroke(context());
  }

  // A step of 1, 2 or 5 and zeros, wide enough for its text.
  void ruler() const {
    constexpr double kWide = 110;
    const host::Statistics& statistics = drawing_.statistics;
    const double rate =
        statistics.ticks_per_second == 0 ? 1 : static_cast<double>(statistics.ticks_per_second);
    const double wanted = kWide / scale_ / rate;
    const double power = std::pow(10, std::floor(std::log10(wanted)));
    double step = power * 10;
    for (const double factor : {5.0, 2.0, 1.0}) {
      if (power * factor >= wanted) step = power * factor;
    }
    const double first = static_cast<double>(from_) / rate;
    const double seconds = static_cast<double>(to_ - from_) / rate;
    // A first time of a large clock swallows steps: count them.
    const double round = std::max(first, std::ceil(first / step) * step);
    colour("faint");
    for (unsigned i = 0; round - first + i * step <= seconds; ++i) {
      const double at = kGutter + (round - first + i * step) * rate * scale_;
      fill(at, top_ - 6, 1, 6);
      // The label is drawn if it fits as a whole.
      constexpr double kRoom = 70;
      if (at + kRoom < options_.width)
        text(time(round + i * step, step, statistics.ticks_per_second == 0), at + 3,
             top_ - kRuler / 2, kWide, kSmallText);
    }
  }
  // As `print` shows it and --from takes it, with the digits that the step needs.
  static std::string time(double value, double step, bool in_ticks) {
    if (in_ticks) return host::formatted("{:.0f} ticks", value);
    const double digits = std::clamp(std::ceil(-std::log10(step) - 1e-9), 0.0, 9.0);
    std::string text = host::formatted("{:.9f}", value);
    text.resize(text.size() - (digits == 0 ? 10 : 9 - static_cast<size_t>(digits)));
    return text + " s";
  }

  const Drawing& drawing_;
  PictureOptions options_;
  std::vector<Place> places_;   // of every lane
  std::vector<uint32_t> rows_;  // likewise
  size_t shown_ = 0;
  size_t not_shown_ = 0;
  uint64_t from_;
  uint64_t to_;
  double right_;
  std::vector<std::string> caption_;
  uint32_t focus_ = kNoLane;  // that of the finding
  double top_ = 0;            // of the lanes
  double height_ = 0;
  double scale_ = 0;
  std::vector<Range> ranges_;
  std::map<uint64_t, int> last_pixel_;
};

}  // namespace

host::Status write_picture(const Drawing& drawing, const PictureOptions& options,
                           host::ByteSink& sink) {
  const host::Result<CairoLibrary> cairo = load_cairo();
  if (!cairo.ok()) return cairo.error();
  Picture picture(cairo.value(), drawing, options);
  picture.draw();
  return picture.write(sink, drawing.archive);
}

}  // namespace barefxt::report
