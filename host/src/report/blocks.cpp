#include "blocks.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <vector>

#include "bytes.h"
#include "stats/observer.h"

namespace barefxt::report {
namespace {

constexpr uint32_t kItems = 8192;

class BlockMaker {
 public:
  BlockMaker(const Drawing& drawing, uint64_t base)
      : drawing_(drawing), base_(base), before_(base) {}

  void add(const Item& item) {
    if (block_.items == 0) block_ = {item.begin - base_, item.end - base_, 0};
    block_.begin = std::min(block_.begin, item.begin - base_);
    block_.end = item.end - base_;
    ++block_.items;
    constexpr unsigned kFlag = 128;
    constexpr unsigned kSingle = 64;
    columns_[0] +=
        static_cast<char>(static_cast<unsigned>(item.kind) | (item.single ? kSingle : 0) |
                          (item.doubtful || item.late || item.assumed ? kFlag : 0));
    append_number(columns_[1], item.lane);
    append_number(columns_[2], item.other + kSeemed * static_cast<uint32_t>(item.seemed));
    append_number(columns_[3], item.label);
    append_number(columns_[4], item.shape);
    append_number(columns_[5], item.end - before_);
    before_ = item.end;
    append_number(columns_[6], begin_of(item));
    if (item.offset == host::kNoRecord) {
      append_number(columns_[7], 0);
    } else {
      append_number(columns_[7], zigzag(static_cast<int64_t>(item.offset - offset_)) + 1);
      offset_ = item.offset;
    }
    if (item.shape != 0) add_text(item);
  }

  bool full() const { return block_.items == kItems; }
  bool empty() const { return block_.items == 0; }
  const Block& block() const { return block_; }

  std::string take() {
    std::string bytes;
    for (auto& [shape, parts] : texts_)
      for (const std::string& texts : parts) columns_[8] += texts;
    texts_.clear();
    ends_.clear();
    for (const std::string& column : columns_)
      append_word(bytes, static_cast<uint32_t>(column.size()));
    for (std::string& column : columns_) {
      bytes += column;
      column.clear();
    }
    block_.items = 0;
    before_ = base_;
    offset_ = 0;
    return bytes;
  }

 private:
  static constexpr size_t kColumns = 9;
  // By its lane's item before where one begins as the other ends, else by its length.
  uint64_t begin_of(const Item& item) {
    if (item.kind > ItemKind::kUnknown && item.kind != ItemKind::kCounter)
      return item.end - item.begin;
    const auto [before, is_first] = ends_.try_emplace(item.lane, item.end);
    const uint64_t between = zigzag(static_cast<int64_t>(item.begin - before->second));
    before->second = item.end;
    return between;
  }
  // By shape, then by part: like beside like packs best.
  void add_text(const Item& item) {
    std::vector<std::string>& parts = texts_[item.shape];
    parts.resize(drawing_.shapes[item.shape].size());
    std::string_view rest = drawing_.text_of(item);
    for (std::string& part : parts) {
      const size_t end = std::min(rest.find(Drawing::kBetweenParts), rest.size());
      part += rest.substr(0, end);
      part += Drawing::kEndOfText;
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }

  const Drawing& drawing_;
  uint64_t base_;
  Block block_{0, 0, 0};
  std::array<std::string, kColumns> columns_;
  uint64_t before_;
  uint64_t offset_ = 0;
  std::map<uint32_t, std::vector<std::string>> texts_;
  std::unordered_map<uint32_t, uint64_t> ends_;
};

}  // namespace

uint64_t base_of(const Drawing& drawing) {
  uint64_t base = drawing.statistics.first;
  for (const Item& item : drawing.items) base = std::min(base, item.begin);
  return base;
}

size_t for_each_block(const Drawing& drawing,
                      const std::function<void(const Block& block, std::string bytes)>& see) {
  BlockMaker maker(drawing, base_of(drawing));
  const uint64_t long_from = drawing.statistics.span() / kLongShare;
  size_t long_blocks = 0;
  for (const bool wants_long : {true, false}) {
    const auto hand_on = [&] {
      long_blocks += wants_long ? 1 : 0;
      const Block block = maker.block();
      see(block, maker.take());
    };
    for (const Item& item : drawing.items) {
      const bool is_long = item.end - item.begin > long_from || item.kind == ItemKind::kLost;
      if (is_long != wants_long) continue;
      maker.add(item);
      if (maker.full()) hand_on();
    }
    if (!maker.empty()) hand_on();
  }
  return long_blocks;
}

}  // namespace barefxt::report
