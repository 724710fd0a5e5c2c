// Sleds: found in the image's map, turned on and off.
//
// Recursion is impossible by construction: the trampolines call the runtime, which is compiled
// without sleds, and the code of its headers in functions with sleds has none (barefxt.h).
//
// sled.h and the header of each machine describe the writes and their order, which lets other CPUs
// execute the code meanwhile. The functions here go over the map once to look, and write only if
// all is as the compiler left it, or as they left it themselves.

#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/barefxt.h>
#include <barefxt/ring.h>

#include "../functions.h"

#if BAREFXT_FUNCTIONS

#if defined(__aarch64__)
#include "aarch64.h"
#define BAREFXT_HAS_SLEDS_ 1
#elif defined(__x86_64__)
#include "x86_64.h"
#define BAREFXT_HAS_SLEDS_ 1
#elif defined(__arm__) && __ARM_ARCH >= 7 && defined(__ARM_ARCH_ISA_ARM)
#include "arm.h"
#define BAREFXT_HAS_SLEDS_ 1
#else
#define BAREFXT_HAS_SLEDS_ 0
#endif

#if BAREFXT_HAS_SLEDS_

#if defined(__LP64__)
#include <stddef.h>

#include "ring_layout.h"

namespace barefxt {

static_assert(offsetof(Ring, position) == BAREFXT_RING_POSITION);
static_assert(offsetof(Ring, memory) == BAREFXT_RING_MEMORY);
static_assert(offsetof(Ring, cpu) == BAREFXT_RING_CPU);
static_assert(offsetof(Ring, call_base) == BAREFXT_RING_CALL_BASE);
static_assert(sizeof(CallBase) == 16);
static_assert(kSegmentBytes == 1u << BAREFXT_SEGMENT_SHIFT);
static_assert(BAREFXT_MAX_CPUS == 1 || sizeof(Ring) == 1 << BAREFXT_RING_SHIFT);
static_assert(barefxt_category_function == BAREFXT_FUNCTION_CATEGORY);
static_assert(fxt::CallRecord::make(fxt::CallAction::kEntry, 1) % 0x10000 == BAREFXT_CALL_LOW);
static_assert(fxt::CallRecord::make(fxt::CallAction::kEntry, 1) == BAREFXT_CALL_LOWEST_20);
static_assert(fxt::CallRecord::Action::kFirst == BAREFXT_CALL_ACTION);
static_assert(static_cast<int>(fxt::CallAction::kTailExit) == BAREFXT_CALL_TAIL_EXIT);
static_assert(static_cast<int>(fxt::CallAction::kEntryWithArgument) == BAREFXT_CALL_WITH_ARGUMENT);
static_assert(fxt::CallRecord::Function::kFirst == BAREFXT_CALL_FUNCTION);
static_assert(fxt::CallRecord::Counter::kFirst == BAREFXT_CALL_COUNTER);
static_assert(!kCounterIsShort, "trampolines read a counter of 64 bits");

}  // namespace barefxt
#endif

namespace barefxt::sleds {
namespace {

// The compiler's description of a sled.
struct Entry {
  static constexpr uint8_t kRelative = 2;  // from this version on

  uintptr_t sled;
  uintptr_t function;
  Kind kind;
  uint8_t is_always_instrumented;
  uint8_t version;
  uint8_t padding[2 * sizeof(uintptr_t) - 3];

  uint8_t* code() const { return reinterpret_cast<uint8_t*>(address(sled)); }
  const void* begin() const { return reinterpret_cast<const void*>(address(function)); }

 private:
  uintptr_t address(const uintptr_t& field) const {
    return version < kRelative ? field : field + reinterpret_cast<uintptr_t>(&field);
  }
};
static_assert(sizeof(Entry) == 4 * sizeof(uintptr_t));

}  // namespace
}  // namespace barefxt::sleds

// Linkers define these for a section of that name. Null in an image without.
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier)
[[gnu::weak]] extern const barefxt::sleds::Entry __start_xray_instr_map[];
[[gnu::weak]] extern const barefxt::sleds::Entry __stop_xray_instr_map[];
// NOLINTEND(bugprone-reserved-identifier)
}

namespace barefxt::sleds {
namespace {

// As LLVM's tools number functions: by the runs of entries of one function, from 1 on.
class Walk {
 public:
  // False: there are no more.
  bool next() {
    if (at_ == __stop_xray_instr_map) return false;
    current_ = at_++;
    if (current_->begin() != function_) ++id_;
    function_ = current_->begin();
    return true;
  }
  const Entry& entry() const { return *current_; }
  uint32_t id() const { return id_; }

 private:
  const Entry* at_ = __start_xray_instr_map;
  const Entry* current_ = nullptr;
  const void* function_ = nullptr;
  uint32_t id_ = 0;
};

State state_of(const uint8_t* sled, Kind kind) {
  if (!is_sled(sled, kind)) return State::kUnknown;
  const Switch now =
      BAREFXT_LOAD_RELAXED_(*reinterpret_cast<const Switch*>(sled + switch_at(kind)));
  if (now == switch_on(kind)) return State::kOn;
  return now == switch_off(kind) ? State::kOff : State::kUnknown;
}

// The writable address of a sled, from its switch on.
class Writable {
 public:
  Writable(const barefxt_code_access* access, const Entry& entry)
      : access_(access),
        code_(entry.code() + switch_at(entry.kind)),
        bytes_(is_event(entry.kind) ? sizeof(Switch) : kBytes),
        written_(access == nullptr || access->open == nullptr
                     ? code_
                     : static_cast<uint8_t*>(access->open(access->context, code_, bytes_))) {}
  ~Writable() {
    if (access_ != nullptr && access_->close != nullptr && written_ != nullptr)
      access_->close(access_->context, written_, bytes_);
  }
  Writable(const Writable&) = delete;
  Writable& operator=(const Writable&) = delete;

  bool is_there() const { return written_ != nullptr; }

  // False: the memory did not take it.
  bool set_switch(Switch value) {
    auto& word = *reinterpret_cast<Switch*>(written_);
    BAREFXT_STORE_RELAXED_(word, value);
    publish(sizeof(Switch));
    return BAREFXT_LOAD_RELAXED_(word) == value;
  }
  bool set_body(const BodyWord (&body)[kBodyWords]) {
    auto* words = reinterpret_cast<BodyWord*>(written_ + sizeof(Switch));
    for (size_t i = 0; i < kBodyWords; ++i) BAREFXT_STORE_RELAXED_(words[i], body[i]);
    publish(kBytes);
    for (size_t i = 0; i < kBodyWords; ++i)
      if (BAREFXT_LOAD_RELAXED_(words[i]) != body[i]) return false;
    return true;
  }

 private:
  static constexpr size_t kBytes = sizeof(Switch) + sizeof(BodyWord[kBodyWords]);

  void publish(size_t bytes) {
    clean(written_, bytes);
    invalidate(code_, bytes);
  }

  const barefxt_code_access* access_;
  uint8_t* code_;
  size_t bytes_;
  uint8_t* written_;
};

bool has_body(const uint8_t* sled, const BodyWord (&body)[kBodyWords]) {
  const auto* words = reinterpret_cast<const BodyWord*>(sled + sizeof(Switch));
  for (size_t i = 0; i < kBodyWords; ++i)
    if (BAREFXT_LOAD_RELAXED_(words[i]) != body[i]) return false;
  return true;
}

fxt::Word header_of(const Entry& entry) {
  return short_call(action_of(entry.kind, entry.code()), entry.begin());
}

bool is_ours(Kind kind) {
  return kind <= Kind::kEntryWithArgument || (kHasEvents && is_event(kind));
}

// Calls `act` with the sleds of the functions from `first` to `last`, until it returns an error.
template <typename Act>
barefxt_error for_sleds(uint32_t first, uint32_t last, Act act) {
  for (Walk walk; walk.next();) {
    if (walk.id() < first || walk.id() > last || !is_ours(walk.entry().kind)) continue;
    if (const barefxt_error error = act(walk.entry()); error != BAREFXT_OK) return error;
  }
  return BAREFXT_OK;
}

uint32_t count_functions() {
  Walk walk;
  while (walk.next()) {
  }
  return walk.id();
}

barefxt_error check(uint32_t first, uint32_t last) {
  const uint32_t functions = count_functions();
  if (functions == 0) return BAREFXT_ERROR_NO_SLEDS;
  if (first == 0 || first > last || first > functions) return BAREFXT_ERROR_NO_FUNCTION;
  return for_sleds(first, last, [](const Entry& entry) {
    if (state_of(entry.code(), entry.kind) == State::kUnknown) return BAREFXT_ERROR_OTHER_CODE;
    if (is_event(entry.kind)) return BAREFXT_OK;
    BodyWord body[kBodyWords];
    return make_body(entry.code(), entry.kind, header_of(entry), body) ? BAREFXT_OK
                                                                       : BAREFXT_ERROR_CODE_TOO_FAR;
  });
}

// False: the memory did not take it.
bool write_switch(const Entry& entry, const barefxt_code_access* access, State to) {
  Writable sled(access, entry);
  return sled.is_there() &&
         sled.set_switch(to == State::kOn ? switch_on(entry.kind) : switch_off(entry.kind));
}

// False: there is none, since the kernel need not or cannot.
bool synchronize(const barefxt_code_access* access) {
  if (access == nullptr || access->synchronize == nullptr) return false;
  access->synchronize(access->context);
  return true;
}

barefxt_error set_switches(uint32_t first, uint32_t last, const barefxt_code_access* access,
                           State to) {
  const barefxt_error error = for_sleds(first, last, [&](const Entry& entry) {
    if (state_of(entry.code(), entry.kind) == to) return BAREFXT_OK;
    return write_switch(entry, access, to) ? BAREFXT_OK : BAREFXT_ERROR_CODE_READ_ONLY;
  });
  if (error != BAREFXT_OK || !synchronize(access)) return error;
  // For emulators (sled.h), which may go by the old ones even if nothing had to be changed here.
  return for_sleds(first, last, [&](const Entry& entry) {
    // Code that cannot be written now was as it should be before.
    write_switch(entry, access, to);
    return BAREFXT_OK;
  });
}

// `are_new`: some had none.
barefxt_error write_bodies(uint32_t first, uint32_t last, const barefxt_code_access* access,
                           bool& are_new) {
  return for_sleds(first, last, [&](const Entry& entry) {
    if (is_event(entry.kind)) return BAREFXT_OK;
    BodyWord body[kBodyWords];
    make_body(entry.code(), entry.kind, header_of(entry), body);
    if (has_body(entry.code(), body)) return BAREFXT_OK;
    are_new = true;
    Writable sled(access, entry);
    return sled.is_there() && sled.set_body(body) ? BAREFXT_OK : BAREFXT_ERROR_CODE_READ_ONLY;
  });
}

}  // namespace

#if defined(__x86_64__)
void set_targets(bool calls_are_recorded) {
  for (size_t kind = 0; kind < kTargets; ++kind)
    set_target(static_cast<Kind>(kind), calls_are_recorded);
}
#endif

}  // namespace barefxt::sleds

using namespace barefxt::sleds;

uint32_t barefxt_function_count(void) { return count_functions(); }

uint32_t barefxt_function_id(const void* function) {
  for (Walk walk; walk.next();)
    if (walk.entry().begin() == function) return walk.id();
  return 0;
}

barefxt_error barefxt_functions_patch(uint32_t first, uint32_t last,
                                      const barefxt_code_access* access) {
  barefxt_error error = check(first, last);
  bool are_new = false;
  // The targets are those of where the image is now.
  if constexpr (barefxt::sleds::kHaveTargets) barefxt::follow_categories();
  if (error == BAREFXT_OK) error = write_bodies(first, last, access, are_new);
  if (error != BAREFXT_OK) return error;
  if (are_new) synchronize(access);
  return set_switches(first, last, access, State::kOn);
}

barefxt_error barefxt_functions_unpatch(uint32_t first, uint32_t last,
                                        const barefxt_code_access* access) {
  const barefxt_error error = check(first, last);
  return error != BAREFXT_OK ? error : set_switches(first, last, access, State::kOff);
}

#else

uint32_t barefxt_function_count(void) { return 0; }
uint32_t barefxt_function_id(const void* /*function*/) { return 0; }
barefxt_error barefxt_functions_patch(uint32_t, uint32_t, const barefxt_code_access*) {
  return BAREFXT_ERROR_NO_SLEDS;
}
barefxt_error barefxt_functions_unpatch(uint32_t, uint32_t, const barefxt_code_access*) {
  return BAREFXT_ERROR_NO_SLEDS;
}

#endif

#endif

#endif
