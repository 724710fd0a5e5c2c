#define SCOPES_OF_LANGUAGE scopes_of_c
#include "scope_probes.h"
