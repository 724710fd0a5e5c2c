#include "session_fixture.h"

#include <map>
#include <thread>

#include "linear_boot.h"

namespace barefxt::test {
namespace {

BAREFXT_CATEGORY(shared, 7);

uint64_t now = 0;
void (*pending_interrupt)() = nullptr;

uint64_t next_tick() {
  if (void (*handler)() = __atomic_exchange_n(&pending_interrupt, nullptr, __ATOMIC_RELAXED))
    handler();
  return __atomic_add_fetch(&now, 1, __ATOMIC_RELAXED);
}

void append(void* context, const uint8_t* bytes, size_t count) {
  auto& all = *static_cast<std::vector<uint8_t>*>(context);
  all.insert(all.end(), bytes, bytes + count);
}

}  // namespace

void run_on_cpu(uint32_t cpu) { barefxt_host_cpu = cpu; }

void SessionTest::SetUp() {
  now = 1000;
  barefxt_host_counter = next_tick;
  run_on_cpu(0);
#if BAREFXT_LINEAR
  boot();
#endif
}

void SessionTest::TearDown() {
  barefxt_stop();
  // None of a test's writers goes on behind it.
  barefxt_forget_unfinished();
}

std::span<uint64_t> SessionTest::lasting_memory(size_t bytes) {
  static std::map<size_t, std::vector<uint64_t>> by_bytes;
  std::vector<uint64_t>& memory = by_bytes[bytes];
  memory.assign(bytes / sizeof(uint64_t), 0);
  return memory;
}

barefxt_config SessionTest::config(unsigned segments, uint32_t categories) {
  memory_ = lasting_memory(static_cast<size_t>(kCpus) * segments * BAREFXT_SEGMENT_BYTES);
  barefxt_config config = {};
  config.memory = memory_.data();
  config.bytes = memory_.size_bytes();
  config.cpus = kCpus;
  config.categories = categories;
  config.target = "host";
  return config;
}

void SessionTest::start(unsigned segments, uint32_t categories, barefxt_mode mode) {
  barefxt_config chosen = config(segments, categories);
  chosen.mode = mode;
#if BAREFXT_LINEAR
  if (rings[0].memory != nullptr) boot_and_register_again();
#endif
  ASSERT_EQ(barefxt_start(&chosen), BAREFXT_OK);
}

void SessionTest::write_numbers(uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to; ++i) BAREFXT_INSTANT(shared, "n", BAREFXT_ARG_U32("i", i));
}

std::vector<uint64_t> SessionTest::numbers(const PlainArchive& archive) {
  std::vector<uint64_t> found;
  for (const PlainRecord& event : archive.events("n")) found.push_back(event.argument("i")->bits);
  return found;
}

std::string SessionTest::name_of(const PlainArchive& archive, uint64_t koid) {
  std::string name = "(none)";
  for (const PlainRecord& record : archive.of_type(7))
    if (record.value == koid) name = record.name;
  return name;
}

uint64_t SessionTest::reported_lost(const PlainArchive& archive) {
  uint64_t lost = 0;
  for (const PlainRecord& event : archive.events("drop_stats"))
    lost += event.argument("records")->bits;
  return lost;
}

SegmentHeader& SessionTest::segment_of(const Reservation& reservation) {
  const auto offset = static_cast<uint32_t>(reinterpret_cast<const uint8_t*>(reservation.words) -
                                            reservation.ring->memory);
  return reservation.ring->segment(offset / kSegmentBytes);
}

void SessionTest::set_time(uint64_t ticks) { now = ticks; }

void SessionTest::interrupt_next_reservation(void (*handler)()) { pending_interrupt = handler; }

void SessionTest::write_from_threads(uint32_t each) {
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < kWriters; ++t)
    threads.emplace_back([t, each] {
      run_on_cpu(t % 2);
      for (uint32_t i = 0; i < each; ++i)
        BAREFXT_INSTANT(shared, "shared", BAREFXT_ARG_U32("t", t), BAREFXT_ARG_U32("i", i),
                        BAREFXT_ARG_U64("check", uint64_t{t} * 1000003 + i));
    });
  for (std::thread& thread : threads) thread.join();
}

void SessionTest::expect_intact(const std::vector<PlainRecord>& events) {
  std::vector<uint64_t> next(kWriters);
  for (const PlainRecord& event : events) {
    const uint64_t t = event.argument("t")->bits;
    const uint64_t i = event.argument("i")->bits;
    ASSERT_LT(t, kWriters);
    ASSERT_EQ(event.argument("check")->bits, t * 1000003 + i);
    ASSERT_GE(i, next[t]);
    next[t] = i + 1;
  }
}

std::vector<uint8_t> SessionTest::dump(barefxt_dump_form form) {
  std::vector<uint8_t> bytes;
  const barefxt_writer writer = {append, &bytes};
  EXPECT_EQ(barefxt_dump(&writer, form), BAREFXT_OK);
  return bytes;
}

PlainArchive SessionTest::dump_without_frames() {
  // The magic number, which the target leaves to others.
  std::vector<uint8_t> bytes = {0x10, 0x00, 0x04, 0x46, 0x78, 0x54, 0x16, 0x00};
  const barefxt_writer writer = {append, &bytes};
  EXPECT_EQ(barefxt_dump_fxt(&writer), BAREFXT_OK);
  PlainArchive archive = decode_plainly(bytes);
  EXPECT_EQ(archive.problem_text(), "");
  return archive;
}

PlainArchive SessionTest::stop_and_read() {
  barefxt_stop();
  return read(dump());
}

PlainArchive SessionTest::read(const std::vector<uint8_t>& dumped) {
  rebuilt_ = rebuild(dumped);
  EXPECT_EQ(rebuilt_.verdict, host::RebuildVerdict::kComplete) << rebuilt_.messages;
  expect_sound(rebuilt_);
  return decode_plainly(rebuilt_.archive);
}

}  // namespace barefxt::test
