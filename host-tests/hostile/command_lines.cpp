#include "command_lines.h"

namespace barefxt::test {

// Without standard output nobody learns the address: it gives up soon.
#define OPEN "--no-browser --port 0 --seconds 10"

std::vector<Line> lines_for(InputKind kind) {
  switch (kind) {
    case InputKind::kCapture:
      return {{"rebuild in -o out", Out::kArchive},
              {"capture - --dumps 0 -o out <in", Out::kArchive},
              {"rebuild - -o out <in", Out::kArchive},
              {"rebuild in --interrupts list -o out", Out::kArchive},
              {"rebuild in --elf vectors.elf --interrupts list -o out", Out::kArchive},
              {"doctor in", Out::kNone},
              {"doctor --json in", Out::kNone},
              {"explain in", Out::kNone},
              {"print --json in", Out::kNone},
              {"check rules in", Out::kNone},
              {"learn in -o out", Out::kOther},
              {"profile in", Out::kNone},
              {"stats in --from 1ms --thread '*'", Out::kNone},
              {"top - --batch --dumps 0 <in", Out::kNone},
              {"top - --batch --dumps 0 --interval 0.001 -o out <in", Out::kArchive},
              {"top - --batch --raw out --interrupts list <in", Out::kRaw},
              {"top - --batch --itm plain <in", Out::kNone},
              {"rebuild in --itm tpiu -o out", Out::kArchive},
              {"rebuild in --perfetto-logs -o out", Out::kOther},
              {"open in " OPEN, Out::kServed},
              {"open in --form fxt " OPEN, Out::kServedArchive}};
    case InputKind::kMemory:
      return {{"rebuild in -o out", Out::kArchive},
              {"rebuild in --base 0x20000000 -o out", Out::kArchive},
              {"open in --form fxt " OPEN, Out::kServedArchive},
              {"doctor in", Out::kNone}};
    case InputKind::kImage:
      return {{"rebuild in --elf names.elf -o out", Out::kArchive},
              {"rebuild in --elf names.elf --base 0x21000000 -o out", Out::kArchive},
              {"rebuild in --base 0x21000000 -o out", Out::kArchive},
              {"doctor in --elf names.elf", Out::kNone}};
    case InputKind::kNames:
      return {{"rebuild image --elf in -o out", Out::kArchive},
              {"doctor image --elf in", Out::kNone},
              {"convert in --to xray-elf -o out", Out::kOther}};
    case InputKind::kArchive:
      return {{"print in", Out::kNone},
              {"print --json --raw in", Out::kNone},
              {"lint in", Out::kNone},
              {"lint --json - <in", Out::kNone},
              {"print - <in", Out::kNone},
              {"stats in", Out::kNone},
              {"stats --json in", Out::kNone},
              {"stats --csv in", Out::kNone},
              {"stats in --baseline sound.fxt", Out::kNone},
              {"stats in --deadline thread=*,1us", Out::kNone},
              {"stats --json in --deadline thread=a*,1ms --deadline thread=*,2ns", Out::kNone},
              {"report in --deadline thread=*,1us -o out", Out::kOther},
              {"convert in --to fxt -o out", Out::kArchive},
              {"convert in --to chrome-json -o out", Out::kOther},
              {"convert in --to perfetto -o out", Out::kOther},
              {"convert in --to ctf -o out", Out::kOther},
              {"convert in --to parquet -o out", Out::kOther},
              {"convert in --to blobs -o out", Out::kOther},
              {"convert in --to fdr --elf sound.elf -o out", Out::kOther},
              {"report in -o out", Out::kOther},
              {"report in --png -o out", Out::kOther},
              {"report in --png --lanes 3 --width 300 --thread '*' -o out", Out::kOther},
              {"report in --from 1us --name '*a*' -o out", Out::kOther},
              {"print in --thread '*' --cpu 0 --cpu 1", Out::kNone},
              {"lint in --category '*' --name '*1*'", Out::kNone},
              {"stats in --exact --functions --group-by thread", Out::kNone},
              {"stats --json in --above 1us --from 5ticks --to 1s", Out::kNone},
              {"convert in --to fxt --from 1us --cpu 0 -o out", Out::kOther},
              {"explain in", Out::kNone},
              {"explain in --thread '*' --worst 50", Out::kNone},
              {"explain in --thread '*' --at 1us", Out::kNone},
              {"explain --json in --slice '*'", Out::kNone},
              {"explain in --flow '*'", Out::kNone},
              {"explain in --lock '*' --from 1us", Out::kNone},
              {"explain in --budget budget", Out::kNone},
              {"open in " OPEN, Out::kServed},
              {"open - --form fxt " OPEN " <in", Out::kServed},
              {"check rules in", Out::kNone},
              {"learn in sound.fxt in -o out", Out::kOther},
              {"learn - -o - <in", Out::kNone},
              {"profile in --elf sound.elf", Out::kNone},
              {"profile --json in --by cpu --cpu 0", Out::kNone},
              {"profile in --to folded -o out", Out::kOther},
              {"profile in --elf sound.elf --by interrupt --to speedscope -o out", Out::kOther},
              {"profile - --to pprof --from 1us -o out <in", Out::kOther},
              {"check --json rules in --from 1us --junit out", Out::kOther}};
    case InputKind::kLog:
      return {{"convert in --to fxt -o out", Out::kArchive},
              {"convert in --to fdr -o out", Out::kOther}};
    case InputKind::kProgram:
      return {{"rebuild sound.raw --elf in -o out", Out::kArchive},
              {"doctor sound.raw --elf in", Out::kNone},
              {"convert in --to xray-elf -o out", Out::kOther},
              {"convert sound.fxt --to fdr --elf in -o out", Out::kOther},
              {"profile sound.fxt --elf in --json", Out::kNone}};
    case InputKind::kBudget:
      return {{"stats sound.fxt --budget in", Out::kNone},
              {"stats sound.fxt --budget in --junit out", Out::kOther},
              {"explain sound.fxt --budget in", Out::kNone},
              {"check in sound.fxt --junit out", Out::kOther}};
    case InputKind::kInterrupts:
      return {{"rebuild interrupts.raw --interrupts in -o out", Out::kArchive},
              {"capture - --dumps 0 --interrupts in -o out <interrupts.raw", Out::kArchive},
              {"rebuild interrupts.raw --elf vectors.elf --interrupts in -o out", Out::kArchive}};
    case InputKind::kInterruptVectors:
      return {{"rebuild interrupts.raw --elf in -o out", Out::kArchive},
              {"doctor interrupts.raw --elf in", Out::kNone},
              {"rebuild interrupts.raw --elf in --interrupts list -o out", Out::kArchive}};
  }
  return {};
}

#undef OPEN

}  // namespace barefxt::test
