// The numbers of fields in Perfetto's messages, as its public schema has them, of what is written.
#pragma once

namespace barefxt::host::perfetto {

struct Trace {
  static constexpr unsigned kPacket = 1;
};
struct Packet {
  static constexpr unsigned kFtraceEvents = 1;
  static constexpr unsigned kTimestamp = 8;
  static constexpr unsigned kSequence = 10;
  static constexpr unsigned kTrackEvent = 11;
  static constexpr unsigned kInterned = 12;
  static constexpr unsigned kSequenceFlags = 13;
  static constexpr unsigned kTrackDescriptor = 60;
  static constexpr unsigned kPerfSample = 66;
  static constexpr unsigned kFirstOfSequence = 87;
};
struct TrackDescriptor {
  static constexpr unsigned kUuid = 1;
  static constexpr unsigned kName = 2;
  static constexpr unsigned kProcess = 3;
  static constexpr unsigned kThread = 4;
  static constexpr unsigned kParent = 5;
  static constexpr unsigned kCounter = 8;
};
struct ProcessDescriptor {
  static constexpr unsigned kPid = 1;
  static constexpr unsigned kName = 6;
};
struct ThreadDescriptor {
  static constexpr unsigned kPid = 1;
  static constexpr unsigned kTid = 2;
  static constexpr unsigned kName = 5;
};
struct CounterDescriptor {
  static constexpr unsigned kCategory = 2;
};
struct TrackEvent {
  static constexpr unsigned kAnnotation = 4;
  static constexpr unsigned kType = 9;
  static constexpr unsigned kTrack = 11;
  static constexpr unsigned kLogMessage = 21;
  static constexpr unsigned kCategory = 22;
  static constexpr unsigned kName = 23;
  static constexpr unsigned kCounterValue = 30;
  static constexpr unsigned kRealCounterValue = 44;
  static constexpr unsigned kFlow = 47;
  static constexpr unsigned kLastOfFlow = 48;

  static constexpr unsigned kBegin = 1;
  static constexpr unsigned kEnd = 2;
  static constexpr unsigned kInstant = 3;
  static constexpr unsigned kCounter = 4;
};
struct Annotation {
  static constexpr unsigned kBool = 2;
  static constexpr unsigned kUnsigned = 3;
  static constexpr unsigned kSigned = 4;
  static constexpr unsigned kReal = 5;
  static constexpr unsigned kText = 6;
  static constexpr unsigned kPointer = 7;
  static constexpr unsigned kName = 10;
};
struct LogMessage {
  static constexpr unsigned kBody = 2;
};
struct PerfSample {
  static constexpr unsigned kCpu = 1;
  static constexpr unsigned kPid = 2;
  static constexpr unsigned kTid = 3;
  static constexpr unsigned kCallstack = 4;
  static constexpr unsigned kTimebaseCount = 6;
};
struct InternedString {
  static constexpr unsigned kId = 1;
  static constexpr unsigned kText = 2;
};
struct Mapping {
  static constexpr unsigned kId = 1;
  static constexpr unsigned kBuildId = 2;
  static constexpr unsigned kEnd = 5;
  static constexpr unsigned kPath = 7;
};
struct Frame {
  static constexpr unsigned kId = 1;
  static constexpr unsigned kFunction = 2;
  static constexpr unsigned kMapping = 3;
  static constexpr unsigned kAddress = 4;
  static constexpr unsigned kSourcePath = 5;
  static constexpr unsigned kLine = 6;
};
struct Callstack {
  static constexpr unsigned kId = 1;
  static constexpr unsigned kFrames = 2;  // outermost first
};
struct Interned {
  static constexpr unsigned kFunctionNames = 5;
  static constexpr unsigned kFrames = 6;
  static constexpr unsigned kCallstacks = 7;
  static constexpr unsigned kBuildIds = 16;
  static constexpr unsigned kMappingPaths = 17;
  static constexpr unsigned kSourcePaths = 18;
  static constexpr unsigned kMappings = 19;
  static constexpr unsigned kLogBody = 20;
};
struct LogBody {
  static constexpr unsigned kId = 1;
  static constexpr unsigned kText = 2;
};
struct FtraceBundle {
  static constexpr unsigned kCpu = 1;
  static constexpr unsigned kEvent = 2;
  static constexpr unsigned kCompactSched = 4;
};
// Wakeups, as one packed list for each field. Only here do flags have an effect.
struct CompactSched {
  static constexpr unsigned kName = 5;  // interned in the bundle
  static constexpr unsigned kWakingTimestamp = 7;
  static constexpr unsigned kWakingPid = 8;
  static constexpr unsigned kWakingTargetCpu = 9;
  static constexpr unsigned kWakingPriority = 10;
  static constexpr unsigned kWakingNameIndex = 11;
  static constexpr unsigned kWakingFlags = 12;
  static constexpr unsigned kHardInterrupt = 8;  // of the flags
};
struct FtraceEvent {
  static constexpr unsigned kTimestamp = 1;
  static constexpr unsigned kPid = 2;
  static constexpr unsigned kSchedSwitch = 4;
  static constexpr unsigned kSchedWaking = 20;
  static constexpr unsigned kInterruptEntry = 36;
  static constexpr unsigned kInterruptExit = 37;
};
struct InterruptEntry {
  static constexpr unsigned kNumber = 1;
  static constexpr unsigned kName = 2;
};
struct InterruptExit {
  static constexpr unsigned kNumber = 1;
  static constexpr unsigned kHandled = 2;
};
struct SchedSwitch {
  static constexpr unsigned kPreviousName = 1;
  static constexpr unsigned kPreviousPid = 2;
  static constexpr unsigned kPreviousPriority = 3;
  static constexpr unsigned kPreviousState = 4;
  static constexpr unsigned kNextName = 5;
  static constexpr unsigned kNextPid = 6;
  static constexpr unsigned kNextPriority = 7;
};
struct SchedWaking {
  static constexpr unsigned kName = 1;
  static constexpr unsigned kPid = 2;
  static constexpr unsigned kSuccess = 4;
  static constexpr unsigned kTargetCpu = 5;
};

// Flags of a sequence's packets: earlier packets do not count, or this one depends on them.
inline constexpr unsigned kStateCleared = 1;
inline constexpr unsigned kNeedsState = 2;

}  // namespace barefxt::host::perfetto
