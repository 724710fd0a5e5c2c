#include "layout.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <barefxt/host/formatted.h>

#include "table.h"

namespace barefxt::top {
namespace {

using host::formatted;

std::string percent(double share) { return formatted("{:.1f}", share * 100); }
std::string percent(const std::optional<double>& share) {
  return share ? percent(*share) : std::string("-");
}
std::string amount(double value) {
  constexpr std::array<const char*, 5> kUnits = {"", "k", "M", "G", "T"};
  size_t unit = 0;
  for (; value >= 10'000 && unit + 1 < kUnits.size(); ++unit) value /= 1000;
  return unit == 0 ? formatted("{:.0f}", value) : formatted("{:.1f}{}", value, kUnits[unit]);
}
std::string amount(uint64_t value) { return amount(static_cast<double>(value)); }
std::string value_of(double value, bool is_real) {
  return is_real ? formatted("{:.4g}", value) : formatted("{:.0f}", value);
}
std::string seconds(double time) {
  return time >= 100 ? formatted("{:.0f} s", time) : formatted("{:.2f} s", time);
}

struct Block {
  Section section;
  std::string head;
  std::vector<Line> rows;
  std::optional<size_t> selected;  // of rows
};

class Layout {
 public:
  Layout(const Frame& frame, const View& view, Size size, Glyphs glyphs)
      : frame_(frame), view_(view), size_(size), glyphs_(glyphs) {}

  std::vector<Line> lines() {
    add_header();
    if (view_.shows_help) {
      add_help();
    } else if (!view_.explanation.empty()) {
      add_explanation();
    } else {
      add_blocks();
    }
    if (lines_.size() >= size_.rows) lines_.resize(size_.rows == 0 ? 0 : size_.rows - 1);
    while (lines_.size() + 1 < size_.rows) add("");
    if (size_.rows != 0) add_footer();
    return std::move(lines_);
  }

 private:
  std::string shown(std::string_view text) const { return shown_text(text, glyphs_); }
  std::string time(uint64_t ticks) const { return short_time(ticks, frame_.ticks_per_second); }

  void add(const std::string& text, Look look = Look::kPlain) {
    lines_.push_back({fitted(text, size_.columns), look});
  }
  // As many parts as there is room for, the important ones first.
  void add_parts(const std::vector<std::string>& parts, Look look) {
    std::string line;
    for (const std::string& part : parts) {
      if (part.empty()) continue;
      const size_t wanted = (line.empty() ? 0 : 2) + columns_of(part);
      if (!line.empty() && columns_of(line) + wanted > size_.columns) continue;
      if (!line.empty()) line += "  ";
      line += part;
    }
    add(line, look);
  }

  void add_header() {
    const LineFacts& line = frame_.line;
    add_parts({view_.is_frozen ? "FROZEN" : "barefxt top", shown(frame_.target), shown(line.name),
               formatted("{:.0f} s", line.seconds)},
              Look::kTitle);
    add_parts({amount(line.bytes_per_second) + "B/s", amount(line.records) + " records",
               amount(line.lost) + " lost", amount(line.bytes) + "B"},
              line.lost != 0 ? Look::kWarning : Look::kPlain);
    std::string behind;
    if (frame_.behind > 0) behind = seconds(frame_.behind) + " behind";
    std::string holder;
    if (frame_.held_by) holder = formatted("held back by cpu-{}", *frame_.held_by);
    std::string late;
    if (frame_.late_records != 0) late = amount(frame_.late_records) + " late records left out";
    add_parts({"merged " + seconds(frame_.span), holder, behind, late,
               frame_.is_over ? "the trace has ended" : ""},
              frame_.held_by || !late.empty() ? Look::kWarning : Look::kPlain);
    constexpr double kSilent = 2;
    if (!line.ended.empty()) {
      add(shown(line.ended), Look::kWarning);
    } else if (line.silent >= kSilent) {
      add(formatted("nothing has come for {:.0f} s", line.silent), Look::kWarning);
    }
  }

  void add_help() {
    for (const char* text :
         {"s sort by the next column  r reverse it", "/ filter by name: text, or a pattern with *",
          "space freeze  j jump to the worst latency", "e explain the latency that is chosen",
          "tab one section, or all", "up down choose a thread or scroll  esc reset",
          "w write the figures to top-N.json", "q end the capture",
          "On a line with a way back:", "S start  X stop  N snapshot  D dump  C categories"})
      add(text);
  }

  void add_explanation() {
    for (size_t begin = 0; begin < view_.explanation.size();) {
      const size_t end = std::min(view_.explanation.find('\n', begin), view_.explanation.size());
      add(shown(view_.explanation.substr(begin, end - begin)));
      begin = end + 1;
    }
  }

  void add_footer() {
    std::string text = shown(view_.message);
    Look look = Look::kWarning;
    if (view_.typing == Typing::kFilter) text = "filter: " + shown(view_.typed) + "_";
    if (view_.typing == Typing::kCategories) text = "categories: " + shown(view_.typed) + "_";
    if (text.empty()) {
      look = Look::kFaint;
      text =
          "h help  q quit  s sort  / filter  space freeze  j worst latency  e explain  tab section "
          " w save";
      if (!view_.filter.empty()) text = "filter " + shown(view_.filter) + "  " + text;
    }
    add(text, look);
  }

  Block cpus() const {
    const Table table(
        {{.title = "CPU", .columns = 4, .rank = 0, .align = Align::kLeft},
         {.title = "now%", .columns = 5, .rank = 1},
         {.title = "busy%", .columns = 5, .rank = 2},
         {.title = "load", .columns = 10, .rank = 6, .align = Align::kLeft, .most = 32},
         {.title = "idle%", .columns = 5, .rank = 4},
         {.title = "unkn%", .columns = 5, .rank = 3},
         {.title = "lost%", .columns = 5, .rank = 5},
         {.title = "switches", .columns = 8, .rank = 7}},
        size_.columns);
    Block block{Section::kCpus, table.head(), {}, {}};
    for (const CpuRow& row : frame_.cpus) {
      const double load = std::clamp(row.now.value_or(row.busy), 0.0, 1.0);
      const auto bars =
          static_cast<size_t>(std::lround(load * static_cast<double>(table.columns_of(3))));
      block.rows.push_back(
          {table.row({std::to_string(row.cpu), percent(row.now), percent(row.busy),
                      std::string(bars, '|'), percent(row.idle), percent(row.unknown),
                      percent(row.lost), amount(row.switches)}),
           frame_.held_by == row.cpu ? Look::kWarning : Look::kPlain});
    }
    return block;
  }

  std::string mark(SortBy by, const char* title) const {
    return view_.sort_by == by ? std::string(view_.is_reversed ? "^" : ">") + title : title;
  }

  Block threads() const {
    const Table table({{.title = mark(SortBy::kName, "thread"),
                        .columns = 7,
                        .rank = 0,
                        .align = Align::kLeft,
                        .most = 32},
                       {.title = mark(SortBy::kNow, "now%"), .columns = 5, .rank = 3},
                       {.title = mark(SortBy::kRunning, "run%"), .columns = 5, .rank = 1},
                       {.title = mark(SortBy::kRunnable, "rdy%"), .columns = 5, .rank = 4},
                       {.title = mark(SortBy::kBlocked, "blk%"), .columns = 5, .rank = 5},
                       {.title = "unk%", .columns = 5, .rank = 6},
                       {.title = mark(SortBy::kLatency, "worst"), .columns = 7, .rank = 2},
                       {.title = "at", .columns = 10, .rank = 7},
                       {.title = "switches", .columns = 8, .rank = 8},
                       {.title = "wakeups", .columns = 8, .rank = 9}},
                      size_.columns);
    Block block{Section::kThreads, table.head(), {}, {}};
    for (const ThreadRow* row : shown_threads(frame_, view_)) {
      const bool is_selected = view_.selected == row->koid;
      if (is_selected) block.selected = block.rows.size();
      const std::string at =
          row->worst_latency ? formatted("{:.4f}", static_cast<double>(row->worst_at) /
                                                       static_cast<double>(frame_.ticks_per_second))
                             : "";
      block.rows.push_back(
          {table.row({shown(row->name), percent(row->now), percent(row->running),
                      percent(row->runnable), percent(row->blocked), percent(row->unknown),
                      row->worst_latency ? time(*row->worst_latency) : "", at,
                      amount(row->switches), amount(row->wakeups)}),
           is_selected ? Look::kSelected : (row->is_idle ? Look::kFaint : Look::kPlain)});
    }
    return block;
  }

  Block interrupts() const {
    const Table table(
        {{.title = "interrupt", .columns = 9, .rank = 0, .align = Align::kLeft, .most = 32},
         {.title = "cpu", .columns = 4, .rank = 3},
         {.title = "count", .columns = 7, .rank = 2},
         {.title = "per s", .columns = 7, .rank = 4},
         {.title = "total", .columns = 7, .rank = 5},
         {.title = "longest", .columns = 7, .rank = 1}},
        size_.columns);
    Block block{Section::kInterrupts, table.head(), {}, {}};
    for (const InterruptRow& row : frame_.interrupts)
      if (is_shown(view_, row.name))
        block.rows.push_back(
            {table.row({shown(row.name), std::to_string(row.cpu), amount(row.count),
                        amount(row.rate), time(row.total), time(row.longest)}),
             Look::kPlain});
    return block;
  }

  Block locks() const {
    const Table table(
        {{.title = "lock", .columns = 9, .rank = 0, .align = Align::kLeft, .most = 32},
         {.title = "waits", .columns = 7, .rank = 2},
         {.title = "waiting", .columns = 7, .rank = 4},
         {.title = "total", .columns = 7, .rank = 3},
         {.title = "longest", .columns = 7, .rank = 1},
         {.title = "holder", .columns = 16, .rank = 5, .align = Align::kLeft}},
        size_.columns);
    Block block{Section::kLocks, table.head(), {}, {}};
    for (const LockRow& row : frame_.locks)
      if (is_shown(view_, row.name))
        block.rows.push_back({table.row({shown(row.name), amount(row.waits), amount(row.waiting),
                                         time(row.total), time(row.longest), shown(row.holder)}),
                              Look::kPlain});
    return block;
  }

  Block counters() const {
    constexpr size_t kMinSpark = 8;
    const Table table(
        {{.title = "counter", .columns = 9, .rank = 0, .align = Align::kLeft, .most = 24},
         {.title = "last", .columns = 8, .rank = 1},
         {.title = "history", .columns = kMinSpark, .rank = 2, .align = Align::kLeft, .most = 32},
         {.title = "least", .columns = 8, .rank = 3},
         {.title = "most", .columns = 8, .rank = 4}},
        size_.columns);
    Block block{Section::kCounters, table.head(), {}, {}};
    for (const CounterRow& row : frame_.counters)
      if (is_shown(view_, row.name))
        block.rows.push_back(
            {table.row({shown(row.name), value_of(row.last, row.is_real),
                        sparkline(row.history, table.columns_of(2), glyphs_),
                        value_of(row.least, row.is_real), value_of(row.most, row.is_real)}),
             Look::kPlain});
    return block;
  }

  Block losses() const {
    const Table table(
        {{.title = "loss", .columns = 9, .rank = 0, .align = Align::kLeft, .most = 32},
         {.title = "where", .columns = 5, .rank = 2, .align = Align::kLeft},
         {.title = "times", .columns = 7, .rank = 3},
         {.title = "records", .columns = 8, .rank = 1}},
        size_.columns);
    Block block{Section::kLosses, table.head(), {}, {}};
    for (const LossRow& row : frame_.losses)
      block.rows.push_back({table.row({shown(row.thread), shown(row.where), amount(row.times),
                                       (row.is_lower_bound ? ">" : "") + amount(row.records)}),
                            Look::kWarning});
    return block;
  }

  void add_blocks() {
    if (!frame_.has_begun) {
      add("no records yet");
      return;
    }
    std::vector<Block> blocks;
    for (Block block : {cpus(), threads(), interrupts(), locks(), counters(), losses()}) {
      const bool is_alone = view_.section == block.section;
      if (view_.section == Section::kAll ? !block.rows.empty() : is_alone)
        blocks.push_back(std::move(block));
    }
    const std::vector<size_t> rooms = share_out(blocks);
    for (size_t i = 0; i < blocks.size(); ++i) {
      if (rooms[i] == 0) continue;
      add(blocks[i].head, Look::kHeading);
      add_rows(blocks[i], rooms[i]);
    }
  }

  // The rows of each block, of those that the terminal has left.
  std::vector<size_t> share_out(const std::vector<Block>& blocks) const {
    std::vector<size_t> rooms(blocks.size());
    size_t left = size_.rows > lines_.size() + 1 ? size_.rows - lines_.size() - 1 : 0;
    // A head and a row each, by importance, and then a row more in turns; threads take two.
    for (size_t i = 0; i < blocks.size() && left >= 2; ++i, left -= 2) rooms[i] = 1;
    for (bool goes_on = true; goes_on && left != 0;) {
      goes_on = false;
      for (size_t i = 0; i < blocks.size(); ++i) {
        const size_t step = blocks[i].section == Section::kThreads ? 2 : 1;
        for (size_t row = 0; row < step && left != 0; ++row) {
          if (rooms[i] == 0 || rooms[i] >= blocks[i].rows.size()) break;
          ++rooms[i];
          --left;
          goes_on = true;
        }
      }
    }
    return rooms;
  }

  void add_rows(const Block& block, size_t room) {
    const size_t rows = block.rows.size();
    const size_t last_first = rows > room ? rows - room : 0;
    size_t first = view_.section == Section::kAll ? 0 : std::min(view_.scrolled, last_first);
    if (block.selected && *block.selected >= first + room) first = *block.selected + 1 - room;
    const size_t end = std::min(first + room, rows);
    for (size_t i = first; i < end; ++i) lines_.push_back(block.rows[i]);
    if (rows == 0) add("none");
  }

  const Frame& frame_;
  const View& view_;
  Size size_;
  Glyphs glyphs_;
  std::vector<Line> lines_;
};

}  // namespace

std::string sparkline(const std::vector<double>& values, size_t columns, Glyphs glyphs) {
  constexpr std::array<const char*, 8> kBars = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  constexpr std::array<const char*, 8> kMarks = {"_", ".", "-", "=", "+", "*", "%", "#"};
  const std::array<const char*, 8>& bars = glyphs == Glyphs::kUnicode ? kBars : kMarks;
  const size_t count = std::min(columns, values.size());
  std::string line;
  if (count == 0) return line;
  const auto first = values.end() - static_cast<ptrdiff_t>(count);
  const auto [least, most] = std::minmax_element(first, values.end());
  const double span = *most - *least;
  for (auto value = first; value != values.end(); ++value) {
    const double height = span > 0 ? (*value - *least) / span : 0;
    line += bars[std::min<size_t>(7, static_cast<size_t>(height * 8))];
  }
  return line;
}

std::string short_time(uint64_t ticks, uint64_t ticks_per_second) {
  if (ticks_per_second == 0) return "?";
  const double nanoseconds =
      static_cast<double>(ticks) / static_cast<double>(ticks_per_second) * 1e9;
  constexpr std::array<const char*, 4> kUnits = {"ns", "us", "ms", "s"};
  double value = nanoseconds;
  size_t unit = 0;
  for (; value >= 999.5 && unit + 1 < kUnits.size(); ++unit) value /= 1000;
  if (unit == 0 || value >= 99.95) return formatted("{:.0f}{}", value, kUnits[unit]);
  if (value >= 9.995) return formatted("{:.1f}{}", value, kUnits[unit]);
  return formatted("{:.2f}{}", value, kUnits[unit]);
}

std::vector<Line> lay_out(const Frame& frame, const View& view, Size size, Glyphs glyphs) {
  return Layout(frame, view, size, glyphs).lines();
}

}  // namespace barefxt::top
