// The interface that all converters of an archive to another format share.
#pragma once

#include <memory>

#include <barefxt/host/convert.h>
#include <barefxt/host/reader.h>
#include <barefxt/host/status.h>

namespace barefxt::host {

class RecordConverter;

class Converter {
 public:
  ~Converter();
  Converter(const Converter&) = delete;
  Converter& operator=(const Converter&) = delete;

  // The archive's records, one after another, and the state that applies to each.
  void see(const Record& record, const ProviderState& state);
  Status finish();
  // Something failed, so converting more is useless; finish() returns the error.
  bool failed() const;
  const ChangeCounts& changes() const;

 protected:
  explicit Converter(std::unique_ptr<RecordConverter> converter);

  std::unique_ptr<RecordConverter> converter_;
};

}  // namespace barefxt::host
