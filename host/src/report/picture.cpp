// Lanes from top to bottom, laid out as in the page, drawn with cairo.
#include "picture.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cairo.h>
#include <charconv>
#include <cmath>
#include <map>
#include <memory>

#include "palette.h"

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

struct Place {
  double y = 0;
  double bar = 0;     // height of what lies above the rows
  double height = 0;  // 0: not shown
};

struct Range {
  double low = 0;
  double high = 0;
  bool seen = false;
};

class Picture {
 public:
  Picture(const Drawing& drawing, const PictureOptions& options)
      : drawing_(drawing), options_(options), places_(drawing.lanes.size()) {
    const std::vector<bool> busy = busy_lanes();
    const double most = std::min(kMaxHeight, kMaxPixels / options.width) - kRow;
    double y = kRuler;
    for (size_t i = 0; i < places_.size(); ++i) {
      if (!busy[i]) continue;
      const Lane& lane = drawing.lanes[i];
      const double bar = bar_of(lane.kind);
      const double height = std::max(bar + lane.rows * kRow, kRow);
      if (not_shown_ != 0 || shown_ == options.lanes || y + height + kGap > most) {
        ++not_shown_;
        continue;
      }
      places_[i] = {y, bar, height};
      y += height + kGap;
      ++shown_;
    }
    height_ = y + (not_shown_ > 0 ? kRow : 0);
    surface_.reset(::cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(options.width),
                                                static_cast<int>(height_)));
    context_.reset(::cairo_create(surface_.get()));
    ::cairo_select_font_face(context(), "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                             CAIRO_FONT_WEIGHT_NORMAL);
    const host::Statistics& statistics = drawing.statistics;
    right_ = options.width - kMargin;
    scale_ = (right_ - kGutter) / std::max(1.0, static_cast<double>(statistics.span()));
  }

  void draw() {
    colour("background");
    ::cairo_paint(context());
    lanes();
    ::cairo_save(context());
    ::cairo_rectangle(context(), kGutter, kRuler, right_ - kGutter, height_ - kRuler);
    ::cairo_clip(context());
    learn_ranges();
    for (const Item& item : drawing_.items) bars(item);
    for (const Item& item : drawing_.items) above(item);
    for (const Item& item : drawing_.items) names(item);
    ::cairo_restore(context());
    ruler();
  }

  host::Status write(host::ByteSink& sink) const {
    struct Sent {
      host::ByteSink& sink;
      host::Status status;
    } sent{sink, {}};
    const auto write = [](void* closure, const unsigned char* data, unsigned size) {
      auto& to = *static_cast<Sent*>(closure);
      to.status = to.sink.write({data, size});
      return !to.status.ok() ? CAIRO_STATUS_WRITE_ERROR : CAIRO_STATUS_SUCCESS;
    };
    const cairo_status_t status = ::cairo_surface_write_to_png_stream(surface_.get(), write, &sent);
    if (!sent.status.ok()) return sent.status;
    if (status == CAIRO_STATUS_SUCCESS) return {};
    return host::Error{std::string("cannot be drawn: ") + ::cairo_status_to_string(status),
                       drawing_.archive, "a smaller --width, or fewer --lanes, may do"};
  }

 private:
  struct Delete {
    void operator()(cairo_surface_t* surface) const { ::cairo_surface_destroy(surface); }
    void operator()(cairo_t* context) const { ::cairo_destroy(context); }
  };

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

  cairo_t* context() const { return context_.get(); }
  bool is_shown(uint32_t lane) const { return places_[lane].height > 0; }
  // All but those that only wait.
  std::vector<bool> busy_lanes() const {
    std::vector<bool> busy(drawing_.lanes.size());
    for (const Item& item : drawing_.items) {
      if (item.kind == ItemKind::kState) continue;
      busy[item.lane] = true;
      if (item.kind == ItemKind::kRun) busy[item.other] = true;
    }
    return busy;
  }
  const Lane& lane_of(const Item& item) const { return drawing_.lanes[item.lane]; }

  void use(const Colour& colour) const {
    const uint32_t rgb = options_.dark ? colour.dark : colour.light;
    constexpr double kWhole = 255;
    ::cairo_set_source_rgb(context(), (rgb >> 16 & 0xff) / kWhole, (rgb >> 8 & 0xff) / kWhole,
                           (rgb & 0xff) / kWhole);
  }
  void colour(std::string_view name) const {
    const auto found = std::find_if(kPalette.begin(), kPalette.end(),
                                    [&](const Colour& one) { return one.name == name; });
    use(*found);
  }
  void hue(size_t number) const { use(kHues[number % kHues.size()]); }

  // A time before the beginning lies to the left of it.
  double x(uint64_t time) const {
    const uint64_t first = drawing_.statistics.first;
    const double ticks =
        time < first ? -static_cast<double>(first - time) : static_cast<double>(time - first);
    return kGutter + ticks * scale_;
  }
  void fill(double left, double top, double width, double height) const {
    ::cairo_rectangle(context(), left, top, width, height);
    ::cairo_fill(context());
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

  // Up to so many bytes, without a part of a character.
  static std::string beginning(const std::string& words, size_t bytes) {
    while (bytes < words.size() && (static_cast<unsigned char>(words[bytes]) & 0xc0) == 0x80)
      --bytes;
    return words.substr(0, bytes);
  }
  void text(const std::string& all, double left, double middle, double room, double size) const {
    ::cairo_set_font_size(context(), size);
    const auto fits = [&](const std::string& part) {
      cairo_text_extents_t extents;
      ::cairo_text_extents(context(), part.c_str(), &extents);
      return extents.x_advance <= room;
    };
    // No character is narrower than a pixel.
    const std::string words = beginning(all, 4 * static_cast<size_t>(std::max(room, 0.0)));
    std::string cut = words;
    if (words.size() < all.size() || !fits(words)) {
      // As much of the beginning as fits, of more than two characters.
      size_t longest = 0;
      for (size_t step = std::bit_floor(words.size()); step != 0; step /= 2) {
        const size_t bytes = longest + step;
        if (bytes <= words.size() && fits(beginning(words, bytes))) longest = bytes;
      }
      cut = beginning(words, longest);
      if (cut.size() < 3) return;
    }
    ::cairo_move_to(context(), left, middle + size * 0.36);
    ::cairo_show_text(context(), cut.c_str());
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
      if (item.kind != ItemKind::kCounter) continue;
      Range& range = ranges_[item.lane];
      const double value = value_of(item);
      range.low = range.seen ? std::min(range.low, value) : value;
      range.high = range.seen ? std::max(range.high, value) : value;
      range.seen = true;
    }
    for (Range& range : ranges_) {
      if (!(range.high > range.low)) range.low = std::min(0.0, range.high - 1);
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
        const double part =
            (value_of(item) - range.low) / (range.high - range.low) * (place.height - 8);
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
    ::cairo_move_to(context(), at, base - 2 * kHalf);
    ::cairo_line_to(context(), at + kHalf, base);
    ::cairo_line_to(context(), at - kHalf, base);
    ::cairo_fill(context());
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
    ::cairo_set_line_width(context(), 1);
    ::cairo_move_to(context(), from, top);
    ::cairo_curve_to(context(), from + bend, top + kSag, to - bend, bottom + kSag, to, bottom);
    ::cairo_stroke(context());
    constexpr double kRadius = 2.5;
    ::cairo_arc(context(), to, bottom, kRadius, 0, 2 * std::acos(-1.0));
    ::cairo_fill(context());
  }

  void loss(const Item& item, const Place& place) const {
    constexpr double kStep = 6;
    const double from = std::max(x(item.begin), kGutter);
    const double to = std::min(std::max(x(item.end), from + 2), right_);
    ::cairo_save(context());
    ::cairo_rectangle(context(), from, place.y, to - from, place.height);
    ::cairo_clip(context());
    colour("lost");
    ::cairo_set_line_width(context(), 1.5);
    const auto lines = static_cast<unsigned>((to - from + place.height) / kStep) + 2;
    const double first = std::floor((from - place.height) / kStep) * kStep;
    for (unsigned i = 0; i < lines; ++i) {
      const double at = first + i * kStep;
      ::cairo_move_to(context(), at, place.y + place.height);
      ::cairo_line_to(context(), at + place.height, place.y);
    }
    ::cairo_stroke(context());
    ::cairo_restore(context());
  }

  void names(const Item& item) const {
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
    const double first = static_cast<double>(statistics.first) / rate;
    const double seconds = static_cast<double>(statistics.span()) / rate;
    // A first time of a large clock swallows steps: count them.
    const double round = std::max(first, std::ceil(first / step) * step);
    colour("faint");
    for (unsigned i = 0; round - first + i * step <= seconds; ++i) {
      const double at = kGutter + (round - first + i * step) * rate * scale_;
      fill(at, kRuler - 6, 1, 6);
      // The label is drawn if it fits as a whole.
      constexpr double kRoom = 70;
      if (at + kRoom < options_.width)
        text(time(round + i * step, step, statistics.ticks_per_second == 0), at + 3, kRuler / 2,
             kWide, kSmallText);
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
  std::vector<Place> places_;  // of every lane
  size_t shown_ = 0;
  size_t not_shown_ = 0;
  double height_ = 0;
  double right_ = 0;
  double scale_ = 0;
  std::unique_ptr<cairo_surface_t, Delete> surface_;
  std::unique_ptr<cairo_t, Delete> context_;
  std::vector<Range> ranges_;
  std::map<uint64_t, int> last_pixel_;
};

}  // namespace

host::Status write_picture(const Drawing& drawing, const PictureOptions& options,
                           host::ByteSink& sink) {
  Picture picture(drawing, options);
  picture.draw();
  return picture.write(sink);
}

}  // namespace barefxt::report
