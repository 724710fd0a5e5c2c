// The doctor's answers put to the test: integrations with a fault, by the runtime itself, and what
// the advice comes to.
#include <regex>

#include "../doctor/doctored.h"
#include "session_fixture.h"

namespace barefxt::test::runtime_doctor_test {
namespace {

using DoctorOfSessionTest = SessionTest;

BAREFXT_CATEGORY(work, 3);

void run_threads(uint32_t cpu, uint32_t rounds) {
  static barefxt_thread idle[2];
  static barefxt_thread worker[2];
  run_on_cpu(cpu);
  barefxt_thread_register(&idle[cpu], 0, 100 + cpu, cpu == 0 ? "idle/0" : "idle/1", 0);
  barefxt_thread_register(&worker[cpu], 1, 110 + cpu, "worker", 5);
  for (uint32_t i = 0; i < rounds; ++i) {
    barefxt_context_switch(&idle[cpu], BAREFXT_STATE_RUNNABLE, &worker[cpu]);
    BAREFXT_INSTANT(work, "step", BAREFXT_ARG_U32("i", i));
    BAREFXT_IRQ_ENTER("timer");
    BAREFXT_INSTANT(work, "late", BAREFXT_ARG_U64("by", i), BAREFXT_ARG_U64("of", 7));
    BAREFXT_IRQ_EXIT("timer");
    barefxt_context_switch(&worker[cpu], BAREFXT_STATE_BLOCKED, &idle[cpu]);
  }
}

TEST_F(DoctorOfSessionTest, FindsNothingWrong) {
  for (const barefxt_mode mode : {BAREFXT_MODE_ONE_SHOT, BAREFXT_MODE_CIRCULAR}) {
    barefxt_config chosen = config(mode == BAREFXT_MODE_ONE_SHOT ? 32 : 4);
    chosen.cpus = 2;
    chosen.mode = mode;
    ASSERT_EQ(barefxt_start(&chosen), BAREFXT_OK);
    run_threads(0, 400);
    run_threads(1, 400);
    barefxt_stop();
    EXPECT_EQ(doctor(dump()).text(), "");
    EXPECT_EQ(doctor(dump(BAREFXT_DUMP_TEXT_CODED)).text(), "");
  }
}

TEST_F(DoctorOfSessionTest, ProposesASizeThatHoldsEverything) {
  for (const uint32_t rounds : {200u, 501u, 1234u}) {
    barefxt_config chosen = config(2);
    chosen.cpus = 2;
    chosen.bytes = 2 * size_t{2} * BAREFXT_SEGMENT_BYTES;
    ASSERT_EQ(barefxt_start(&chosen), BAREFXT_OK);
    run_threads(0, rounds);
    run_threads(1, rounds / 2);
    ASSERT_NE(barefxt_stop().lost_records, 0u);
    const Doctored doctored = doctor(dump());
    ASSERT_EQ(doctored.names(), "ring-too-small");
    std::smatch match;
    const std::string text = doctored.text();
    ASSERT_TRUE(std::regex_search(text, match, std::regex("give barefxt_start ([0-9]+) bytes")));

    const size_t advised = std::stoul(match[1]);
    memory_ = lasting_memory(advised);
    chosen.memory = memory_.data();
    chosen.bytes = advised;
    ASSERT_EQ(barefxt_start(&chosen), BAREFXT_OK);
    run_threads(0, rounds);
    run_threads(1, rounds / 2);
    EXPECT_EQ(barefxt_stop().lost_records, 0u);
    EXPECT_EQ(doctor(dump()).text(), "");

    // And it is not far more than is needed.
    chosen.bytes = advised * 3 / 4;
    ASSERT_EQ(barefxt_start(&chosen), BAREFXT_OK);
    run_threads(0, rounds);
    run_threads(1, rounds / 2);
    EXPECT_NE(barefxt_stop().lost_records, 0u);
    dump();
  }
}

TEST_F(DoctorOfSessionTest, NamesACpuThatWasNotCountedIn) {
  barefxt_config chosen = config(32);
  chosen.cpus = 1;
  ASSERT_EQ(barefxt_start(&chosen), BAREFXT_OK);
  run_threads(0, 100);
  run_threads(1, 100);
  barefxt_stop();
  const Doctored doctored = doctor(dump());
  EXPECT_EQ(doctored.names(), "cpu-not-counted");
  EXPECT_TRUE(doctored.reports(
      "cpu 1: it has no ring, since barefxt_start was given fewer CPUs; 600 records"))
      << doctored.text();
}

TEST_F(DoctorOfSessionTest, NamesThreadsThatWereNeverRegistered) {
  start();
  static barefxt_thread never;
  static barefxt_thread known;
  barefxt_thread_register(&known, 1, 120, "known", 5);
  barefxt_context_switch(&known, BAREFXT_STATE_BLOCKED, &never);
  barefxt_context_switch(&never, BAREFXT_STATE_BLOCKED, &known);
  barefxt_stop();
  const Doctored doctored = doctor(dump());
  EXPECT_EQ(doctored.names(), "threads-nameless");
  EXPECT_TRUE(doctored.reports("2 records of threads that were never registered"))
      << doctored.text();
}

TEST_F(DoctorOfSessionTest, NamesRecordsThatWereNeverFinished) {
  start();
  run_threads(0, 10);
  Reservation reservation;
  ASSERT_TRUE((try_reserve<Owner::kNobody, 16>(reservation)));
  barefxt_stop();
  EXPECT_EQ(doctor(dump()).names(), "unfinished-records");
}

}  // namespace
}  // namespace barefxt::test::runtime_doctor_test
