// The places of samples: the backtraces of an archive, each with the thread, CPU and interrupt that
// it hit, and the functions that its addresses lie in.
//
// Records are taken in the order of the archive. A sample belongs to the CPU that its thread was
// last switched to, and to the innermost interrupt that is open there.
//
// Invariant: names are views into the archive, and memory is bounded. Different addresses on a path
// to the same function are kept apart up to kMaxNodes; samples of further ones count, with the
// callers that they have in common.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <barefxt/host/code_places.h>
#include <barefxt/host/function_names.h>
#include <barefxt/host/output.h>
#include <barefxt/host/record.h>
#include <barefxt/host/referents.h>
#include <barefxt/host/selection.h>

namespace barefxt::host {

// Samples are grouped by this.
enum class ProfileBy : uint8_t { kThread, kProcess, kCpu, kInterrupt, kNothing };

class Profile {
 public:
  static constexpr size_t kMaxNodes = size_t{1} << 18;
  static constexpr size_t kMaxGroups = size_t{1} << 14;

  // Samples that hit one thread, CPU and interrupt.
  struct Group {
    uint64_t process = 0;
    uint64_t thread = 0;
    std::optional<unsigned> cpu;
    std::string_view interrupt;  // empty: none
    uint64_t samples = 0;
  };
  // A path of addresses: this one, called from its parent's.
  struct Node {
    static constexpr uint32_t kNone = ~uint32_t{0};
    uint32_t parent;  // kNone: the outermost
    uint32_t group;
    uint64_t address;
    uint64_t self = 0;
  };

  // `selection` chooses by CPU; the rest of it is up to the caller.
  explicit Profile(const Selection& selection) : cpus_(selection.cpus) {}

  // Every record of the archive, in order. `is_chosen`: counts if it is a sample. Returns the node
  // of a sample that counts.
  std::optional<uint32_t> see(const Record& record, bool is_chosen);

  uint64_t samples() const { return samples_; }
  uint64_t cut() const { return cut_; }  // samples without part of their callers
  uint64_t lost_records() const { return lost_records_; }
  // Losses of an unknown number of records.
  uint64_t unknown_losses() const { return unknown_losses_; }
  const std::vector<Group>& groups() const { return groups_; }
  const std::vector<Node>& nodes() const { return nodes_; }

  enum class BuildCheck : uint8_t { kSame, kUnknown, kOther };
  // Compares a program's build id with those that the archive names for its samples. `other`: one
  // that it is not.
  BuildCheck check_build(std::string_view build_id, std::string_view& other) const;

  // The row that a group belongs to.
  std::string label(const Group& group, ProfileBy by) const;
  std::string thread_name(uint64_t koid) const;

 private:
  static constexpr size_t kMaxThreads = size_t{1} << 16;
  static constexpr size_t kMaxNested = 64;
  static constexpr size_t kMaxProviders = 1024;
  static constexpr size_t kMaxModules = 256;  // of each

  struct OnCpu {
    unsigned cpu;
    uint64_t since;  // how many losses the CPU had
  };
  struct CpuState {
    uint64_t losses = 0;
    std::vector<std::string_view> interrupts;  // that are open, innermost last
  };
  struct Hash {
    size_t operator()(const std::pair<uint64_t, uint64_t>& key) const {
      return std::hash<uint64_t>()(key.first * 0x9e3779b97f4a7c15 ^ key.second);
    }
  };

  // They belong to one provider.
  struct Builds {
    bool has_samples = false;
    std::vector<std::string_view> ids;  // of its modules of code
  };

  void follow(const Event& event);
  void learn(const Record& record, const ProfilerModule& module);
  void come_in(uint64_t thread, unsigned cpu);
  std::optional<uint32_t> add(const Record& record, const ProfilerBacktrace& sample);
  std::optional<unsigned> cpu_of(uint64_t thread) const;
  uint32_t group_of(const ThreadId& thread, std::optional<unsigned> cpu);

  std::vector<unsigned> cpus_;
  Referents referents_;
  std::unordered_map<uint64_t, OnCpu> threads_;
  std::unordered_map<unsigned, CpuState> cpu_states_;
  std::map<std::optional<uint32_t>, Builds> builds_;  // by provider
  std::vector<Group> groups_;
  std::map<std::pair<std::pair<uint64_t, uint64_t>, std::string_view>, uint32_t> group_numbers_;
  std::vector<Node> nodes_;
  std::unordered_map<std::pair<uint64_t, uint64_t>, uint32_t, Hash> node_numbers_;
  uint64_t samples_ = 0;
  uint64_t cut_ = 0;
  uint64_t lost_records_ = 0;
  uint64_t unknown_losses_ = 0;
};

// Names the functions of a profile's addresses, those that were inlined there, and their lines.
// Functions of one name count as one.
class ProfileSymbols {
 public:
  struct Frame {
    uint32_t function;  // a number below function_count()
    std::string place;  // "file:line"; empty: not known
  };

  ProfileSymbols() = default;
  // Null: addresses are their own names. `program` must outlive it.
  ProfileSymbols(const ElfFile* program, const Profile& profile);

  // The functions at an address of the profile, innermost first: the last one holds the code, the
  // others were inlined into it. `is_return`: a return address, which may lie behind the end of its
  // function.
  const std::vector<Frame>& frames_at(uint64_t address, bool is_return);
  size_t function_count() const { return names_.size(); }
  const std::string& name(uint32_t function) const { return names_[function]; }

 private:
  std::vector<Frame> frames_in(uint64_t address, bool is_return);
  uint32_t number_of(std::string_view name);

  std::optional<FunctionSymbols> symbols_;
  CodePlaces places_;
  std::map<std::pair<uint64_t, bool>, std::vector<Frame>> frames_;  // found before
  std::vector<std::string> names_ = {"[unknown]"};
  std::unordered_map<std::string, uint32_t> numbers_;  // by the name in the program
};

// A profile by functions: what the outputs are made of.
class ProfileTree {
 public:
  struct Node {
    uint32_t function = 0;
    uint64_t self = 0;
    uint64_t total = 0;
    std::map<uint32_t, uint32_t> callees;  // nodes, by function
  };
  struct Root {
    std::string label;
    Node node;
  };
  struct Function {
    uint64_t self = 0;
    uint64_t total = 0;  // samples with it anywhere on their path, each once
    std::string place;   // "file:line" with the most samples in the function itself
  };

  ProfileTree(const Profile& profile, ProfileBy by, ProfileSymbols& symbols);

  const std::vector<Root>& roots() const { return roots_; }  // the most samples first
  const Node& node(uint32_t number) const { return nodes_[number]; }
  const std::vector<Function>& functions() const { return functions_; }  // by number
  // The callees of a node, the most samples first.
  std::vector<uint32_t> sorted(const Node& node) const;

 private:
  std::vector<Root> roots_;
  std::vector<Node> nodes_;
  std::vector<Function> functions_;
};

struct ProfileLook {
  double least_percent = 1;  // smaller nodes are left out, and counted
  size_t functions = 20;     // rows of the table
};
void print_profile(Output& out, const Profile& profile, const ProfileTree& tree,
                   const ProfileSymbols& symbols, const ProfileLook& look);
// One object, for programs.
void print_profile_json(Output& out, const Profile& profile, const ProfileTree& tree,
                        ProfileSymbols& symbols);
// A line for each path: label and functions, apart by semicolons, and its samples.
void print_folded(Output& out, const ProfileTree& tree, const ProfileSymbols& symbols);
// The file format of speedscope.app.
void print_speedscope(Output& out, const ProfileTree& tree, const ProfileSymbols& symbols,
                      std::string_view name);
// The message of pprof, without gzip.
void print_pprof(Output& out, const Profile& profile, ProfileBy by, ProfileSymbols& symbols);

}  // namespace barefxt::host
