#define JOBS_OF_LANGUAGE jobs_of_c
#define SCOPES_OF_LANGUAGE scopes_of_c
#include "scope_probes.h"
