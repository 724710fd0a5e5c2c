// A target needs a source to compile its headers for.
#include "precompiled.h"
