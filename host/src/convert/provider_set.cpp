#include "provider_set.h"

namespace barefxt::host {

ProviderSet::ProviderSet(ArchiveWriter& writer, ChangeCounts& changes)
    : writer_(writer), changes_(changes) {
  nobody_.provider = std::make_unique<ArchiveProvider>(writer);
}

void ProviderSet::retire(const Slot& slot) {
  changes_.add(Change::kRepairedText, slot.provider->repaired_texts());
  changes_.add(Change::kCutText, slot.provider->cut_texts());
}

void ProviderSet::declare(uint32_t id, std::string_view name) {
  const auto known = slots_.find(id);
  if (known != slots_.end()) {
    Slot& slot = known->second;
    retire(slot);
    if (current_ != &slot) memory_of_others_ -= slot.memory;
    slot = {std::make_unique<ArchiveProvider>(writer_, id, name), 0};
    return;
  }
  if (slots_.size() == kMax) {
    if (current_ == &slots_.find(order_.front())->second) {
      order_.push_back(order_.front());
      order_.pop_front();
    }
    const auto oldest = slots_.find(order_.front());
    order_.pop_front();
    retire(oldest->second);
    memory_of_others_ -= oldest->second.memory;
    slots_.erase(oldest);
    changes_.add(Change::kForgotten);
  }
  slots_[id].provider = std::make_unique<ArchiveProvider>(writer_, id, name);
  order_.push_back(id);
}

void ProviderSet::enter(uint32_t id) {
  Slot& next = slots_.find(id)->second;
  if (current_ == &next) return;
  current_->memory = current().memory();
  memory_of_others_ += current_->memory;
  memory_of_others_ -= next.memory;
  current_ = &next;
  if (memory_of_others_ > kMaxMemory) forget_others();
}

void ProviderSet::forget_others() {
  memory_of_others_ = 0;
  const auto forget = [this](Slot& slot) {
    if (&slot == current_) return;
    slot.provider->forget();
    slot.memory = slot.provider->memory();
    memory_of_others_ += slot.memory;
  };
  forget(nobody_);
  for (auto& [id, slot] : slots_) forget(slot);
}

void ProviderSet::finish() {
  retire(nobody_);
  for (const auto& [id, slot] : slots_) retire(slot);
}

}  // namespace barefxt::host
