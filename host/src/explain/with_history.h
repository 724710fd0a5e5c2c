// Explanations, and the history that they come from, for those who explain other intervals later.
#pragma once

#include <functional>

#include "judge.h"

namespace barefxt::host {

// The history is gone when this returns.
using SeeHistory = std::function<void(const History&, const Judge&, const Explained&)>;

Result<Explained> explain_with_history(Source& source, Form form, const ExplainOptions& options,
                                       const SeeHistory& see);

}  // namespace barefxt::host
