#include "mapped_files.h"

#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <sys/mman.h>
#include <unistd.h>

#include <barefxt/host/source.h>

namespace barefxt::host {
namespace {

struct Mapped {
  std::atomic<uintptr_t> begin{0};  // 0: free
  std::atomic<size_t> size{0};
};

constexpr size_t kMaxMapped = 64;
std::array<Mapped, kMaxMapped> all_mapped;
struct sigaction action_before;
uintptr_t page_bytes = 4096;

// Maps zeros from this page to the old end of the file. Makes system calls only.
bool map_zeros(uintptr_t address) {
  for (const Mapped& mapped : all_mapped) {
    const uintptr_t begin = mapped.begin;
    const uintptr_t end = begin + mapped.size;
    if (begin == 0 || address < begin || address >= end) continue;
    const uintptr_t page = address / page_bytes * page_bytes;
    return mmap(reinterpret_cast<void*>(page), end - page, PROT_READ,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0) != MAP_FAILED;
  }
  return false;
}

void on_bus_error(int signal, siginfo_t* info, void* /*context*/) {
  if (map_zeros(reinterpret_cast<uintptr_t>(info->si_addr))) return;
  // The fault repeats when this returns.
  (void)sigaction(signal, &action_before, nullptr);
}

}  // namespace

void MappedFiles::add(const void* data, size_t size) {
  for (Mapped& mapped : all_mapped) {
    if (mapped.begin != 0) continue;
    mapped.size = size;
    mapped.begin = reinterpret_cast<uintptr_t>(data);
    return;
  }
}

void MappedFiles::remove(const void* data) {
  for (Mapped& mapped : all_mapped)
    if (mapped.begin == reinterpret_cast<uintptr_t>(data)) mapped.begin = 0;
}

void read_zeros_behind_cut_files() {
  page_bytes = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  struct sigaction action{};
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO;
  sigfillset(&action.sa_mask);
  (void)sigaction(SIGBUS, &action, &action_before);
}

}  // namespace barefxt::host
