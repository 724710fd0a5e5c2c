// In which row of its lane each duration is drawn: as high as there is room, so what lies within
// another is below it.
#pragma once

#include "drawing.h"

namespace barefxt::report {

void nest(Drawing& drawing);

}  // namespace barefxt::report
