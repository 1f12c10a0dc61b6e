/* figures_servers.c: figures.c for an engine whose records are in servers. */
#define FIGURES_SERVERS true
#include "figures.c"
