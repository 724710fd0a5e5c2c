#include "chrome_names.h"

#include <barefxt/fxt/object.h>

namespace barefxt::host {

bool ChromeNames::is_first(uint64_t provider) {
  if (!first_provider_) first_provider_ = provider;
  return *first_provider_ == provider;
}

uint64_t ChromeNames::number_of(uint64_t provider, uint64_t koid) {
  const auto [known, is_new] = numbers_.try_emplace(Key{provider, koid, 0});
  if (!is_new) return known->second;
  known->second = koid < kFirstSubstitute && taken_.insert(koid).second ? koid : next_substitute_++;
  return known->second;
}

void ChromeNames::write_name(std::string_view kind, uint64_t process,
                             std::optional<uint64_t> thread, std::string_view name) {
  writer_.metadata(kind, process, thread, "name", [&](Output& out) { json_string(out, name); });
}

void ChromeNames::label(uint64_t provider, const ProviderState& state, uint64_t process) {
  if (is_first(provider)) return;
  const std::string text =
      state.name.empty() ? formatted("provider {}", provider) : std::string(state.name);
  writer_.metadata("process_labels", process, std::nullopt, "labels",
                   [&](Output& out) { json_string(out, text); });
}

std::optional<uint64_t> ChromeNames::process(uint64_t provider, const ProviderState& state,
                                             uint64_t koid) {
  const bool is_new = !processes_.contains(Key{provider, koid, 0});
  if (is_new && processes_.size() == kMaxRows) return std::nullopt;
  const uint64_t number = number_of(provider, koid);
  if (is_new) {
    processes_.emplace(Key{provider, koid, 0}, true);
    label(provider, state, number);
    const std::string_view name = name_of(provider, koid);
    if (!name.empty()) write_name("process_name", number, std::nullopt, name);
  }
  return number;
}

ChromeThread* ChromeNames::thread(uint64_t provider, const ProviderState& state,
                                  uint64_t process_koid, uint64_t thread_koid) {
  const Key key{provider, process_koid, thread_koid};
  const auto known = threads_.find(key);
  if (known != threads_.end()) return known->second.get();
  if (threads_.size() == kMaxRows) return nullptr;
  const std::optional<uint64_t> process = this->process(provider, state, process_koid);
  if (!process) return nullptr;
  ChromeThread* const thread =
      threads_
          .emplace(key, std::make_unique<ChromeThread>(
                            ChromeThread{*process, number_of(provider, thread_koid), {}}))
          .first->second.get();
  const std::string_view name = name_of(provider, thread_koid);
  if (!name.empty()) write_name("thread_name", *process, thread->thread, name);
  return thread;
}

ChromeCpu* ChromeNames::cpu(uint64_t provider, const ProviderState& state, unsigned number) {
  const Key key{provider, 0, number};
  const auto found = cpus_.find(key);
  if (found != cpus_.end()) return found->second.get();
  if (cpus_.size() == kMaxRows) return nullptr;
  const auto [known, is_new] = cpus_processes_.try_emplace(Key{provider, 0, 0});
  if (is_new) {
    known->second = next_substitute_++;
    label(provider, state, known->second);
    write_name("process_name", known->second, std::nullopt, "CPUs");
    writer_.metadata("process_sort_index", known->second, std::nullopt, "sort_index",
                     [](Output& out) { out.number(-1); });
  }
  ChromeCpu* const cpu =
      cpus_
          .emplace(key,
                   std::make_unique<ChromeCpu>(ChromeCpu{known->second, next_substitute_++, {}}))
          .first->second.get();
  write_name("thread_name", cpu->process, cpu->thread, formatted("CPU {}", number));
  writer_.metadata("thread_sort_index", cpu->process, cpu->thread, "sort_index",
                   [&](Output& out) { out.number(number); });
  return cpu;
}

std::string_view ChromeNames::name_of(uint64_t provider, uint64_t koid) const {
  const auto own = names_.find(Key{provider, koid, 0});
  if (own != names_.end()) return own->second;
  const auto anybodys = anybodys_names_.find(koid);
  return anybodys != anybodys_names_.end() ? anybodys->second : std::string_view{};
}

bool ChromeNames::name(uint64_t provider, const ProviderState& state, const KernelObject& object) {
  if (object.name.registered && names_.size() < kMaxNames) {
    names_[Key{provider, object.koid, 0}] = object.name.bytes;
    anybodys_names_.try_emplace(object.koid, object.name.bytes);
  }
  const Label label(object.name);
  if (object.object_type == static_cast<unsigned>(fxt::KernelObjectType::kProcess)) {
    const bool is_new = !processes_.contains(Key{provider, object.koid, 0});
    const std::optional<uint64_t> number = process(provider, state, object.koid);
    if (!number) return false;
    if (!is_new || !object.name.registered)
      write_name("process_name", *number, std::nullopt, label.text());
    return true;
  }
  if (object.object_type != static_cast<unsigned>(fxt::KernelObjectType::kThread)) return false;
  const std::optional<Argument> process = object.arguments.find("process");
  // A thread of an unknown process gets its name with its first event.
  if (!process || process->type != fxt::ArgumentType::kKoid) return true;
  const bool is_new = !threads_.contains(Key{provider, process->bits, object.koid});
  const ChromeThread* const thread = this->thread(provider, state, process->bits, object.koid);
  if (thread == nullptr) return false;
  if (!is_new || !object.name.registered)
    write_name("thread_name", thread->process, thread->thread, label.text());
  return true;
}

std::string ChromeNames::id(uint64_t provider, uint64_t number) {
  return is_first(provider) ? formatted("0x{:x}", number)
                            : formatted("{}.0x{:x}", provider, number);
}

}  // namespace barefxt::host
