#include "archive_provider.h"

#include <algorithm>
#include <cassert>

#include "utf8.h"

namespace barefxt::host {

void UseOrder::add(uint16_t number) {
  if (links_.size() <= number) links_.resize(number + size_t{1});
  const uint16_t first = links_[0].after;
  links_[number] = {0, first};
  links_[first].before = number;
  links_[0].after = number;
}

void UseOrder::remove(uint16_t number) {
  const Link link = links_[number];
  links_[link.before].after = link.after;
  links_[link.after].before = link.before;
}

void UseOrder::use(uint16_t number) {
  if (links_[0].after == number) return;
  remove(number);
  add(number);
}

ArchiveProvider::ArchiveProvider(ArchiveWriter& writer, ArchiveTableLimits limits)
    : writer_(writer), limits_(limits) {
  // A record's references must all fit.
  assert(limits.strings > 2 * (fxt::kMaxArguments + 1) && limits.threads > 2);
  assert(limits.text_bytes > 2 * (fxt::kMaxArguments + 1) * size_t{fxt::kMaxStringBytes});
  forget();
}

ArchiveProvider::ArchiveProvider(ArchiveWriter& writer, uint32_t id, std::string_view name,
                                 ArchiveTableLimits limits)
    : ArchiveProvider(writer, limits) {
  id_ = id;
  writer_.provider_info(id, repaired(name));
}

ArchiveWriter& ArchiveProvider::records() {
  if (id_ && writer_.provider() != id_) writer_.provider_section(*id_);
  return writer_;
}

void ArchiveProvider::forget() {
  text_indices_.clear();
  texts_ = std::deque<std::string>(1);
  free_texts_.clear();
  text_uses_ = {};
  text_bytes_ = 0;
  threads_.assign(1, {});
  thread_indices_.clear();
  thread_uses_ = {};
  ++replacements_;
}

std::string_view ArchiveProvider::clean(std::string_view text) {
  was_repaired_ = !is_utf8({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  if (was_repaired_) {
    repaired_text_ = text;
    repair_utf8({reinterpret_cast<uint8_t*>(repaired_text_.data()), repaired_text_.size()});
    text = repaired_text_;
  }
  was_cut_ = text.size() > fxt::kMaxStringBytes;
  return utf8_cut(text, fxt::kMaxStringBytes);
}

std::string_view ArchiveProvider::repaired(std::string_view text) {
  const std::string_view kept = clean(text);
  repaired_texts_ += was_repaired_ ? 1 : 0;
  cut_texts_ += was_cut_ ? 1 : 0;
  return kept;
}

void ArchiveProvider::drop_longest_unused_text() {
  const uint16_t index = text_uses_.longest_unused();
  text_uses_.remove(index);
  text_indices_.erase(texts_[index]);
  text_bytes_ -= texts_[index].size();
  texts_[index] = {};
  free_texts_.push_back(index);
  announcing_texts_ = false;
  ++replacements_;
}

// `text` has been through clean().
uint16_t ArchiveProvider::register_text(std::string_view text) {
  while (text_bytes_ + text.size() > limits_.text_bytes) drop_longest_unused_text();
  if (free_texts_.empty() && texts_.size() > limits_.strings) drop_longest_unused_text();
  uint16_t index = 0;
  if (free_texts_.empty()) {
    index = static_cast<uint16_t>(texts_.size());
    texts_.emplace_back();
  } else {
    index = free_texts_.back();
    free_texts_.pop_back();
  }
  texts_[index] = text;
  text_bytes_ += text.size();
  text_indices_.emplace(texts_[index], index);
  text_uses_.add(index);
  repaired_texts_ += was_repaired_ ? 1 : 0;
  cut_texts_ += was_cut_ ? 1 : 0;
  records().string(index, texts_[index]);
  return index;
}

ArchiveText ArchiveProvider::text(std::string_view text) {
  if (text.empty()) return {};
  // Texts in the table are clean, so a text found there needs no cleaning.
  auto known = text_indices_.find(text);
  if (known == text_indices_.end()) {
    text = clean(text);
    if (was_repaired_ || was_cut_) known = text_indices_.find(text);
    if (known == text_indices_.end()) return ArchiveText::indexed(register_text(text));
  }
  text_uses_.use(known->second);
  return ArchiveText::indexed(known->second);
}

void ArchiveProvider::announce(std::string_view text) {
  if (text.empty() || !announcing_texts_) return;
  text = clean(text);
  if (text_indices_.contains(text)) return;
  announcing_texts_ =
      texts_.size() <= limits_.strings && text_bytes_ + text.size() <= limits_.text_bytes;
  if (announcing_texts_) register_text(text);
}

uint8_t ArchiveProvider::register_thread(const Koids& koids) {
  uint8_t index = 0;
  if (threads_.size() <= limits_.threads) {
    index = static_cast<uint8_t>(threads_.size());
    threads_.push_back(koids);
  } else {
    index = static_cast<uint8_t>(thread_uses_.longest_unused());
    thread_uses_.remove(index);
    thread_indices_.erase(threads_[index]);
    threads_[index] = koids;
    announcing_threads_ = false;
    ++replacements_;
  }
  thread_indices_.emplace(koids, index);
  thread_uses_.add(index);
  records().thread(index, koids.process, koids.thread);
  return index;
}

ArchiveThread ArchiveProvider::thread(uint64_t process, uint64_t thread) {
  const auto known = thread_indices_.find(Koids{process, thread});
  if (known == thread_indices_.end())
    return {.index = register_thread({process, thread}), .process = process, .thread = thread};
  thread_uses_.use(known->second);
  return {.index = known->second, .process = process, .thread = thread};
}

void ArchiveProvider::announce(uint64_t process, uint64_t thread) {
  if (!announcing_threads_ || thread_indices_.contains(Koids{process, thread})) return;
  announcing_threads_ = threads_.size() <= limits_.threads;
  if (announcing_threads_) register_thread({process, thread});
}

ArchiveThread ArchiveProvider::name_unknown_thread(unsigned index) {
  const ArchiveThread unknown = {
      .index = 0, .process = kUnknownThreadsProcess, .thread = kUnknownThreadsProcess + index};
  if (named_unknown_threads_.empty()) {
    named_unknown_threads_.resize(fxt::kMaxThreadIndex + 1);
    // Names and arguments as short as these always fit, here and below.
    (void)records().kernel_object(kUnknownThreadsProcess, fxt::KernelObjectType::kProcess,
                                  ArchiveText::spelled_out("unknown threads"), {});
  }
  if (named_unknown_threads_[index]) return unknown;
  named_unknown_threads_[index] = true;
  const ArchiveArgument process = ArchiveArgument::koid(text("process"), unknown.process);
  (void)records().kernel_object(unknown.thread, fxt::KernelObjectType::kThread,
                                ArchiveText::spelled_out(formatted("thread#{}", index)),
                                {&process, 1});
  return unknown;
}

}  // namespace barefxt::host
