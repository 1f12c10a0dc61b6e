/*
 * handwritten_voron.c: gets of Voron in a loop in C# (handwritten_voron.cs), which the
 * runtime that the driver has started runs: there is one in a process.
 */
#include <dlfcn.h>

#include "../util/os/resource_usage.h"
#include "handwritten.h"

typedef int hand_host(const unsigned char *interface, void **host);
typedef int hand_delegate(void *host, unsigned id, const char *assembly, const char *type,
			  const char *method, void **function);

static hand_delegate *delegate;
static void *host;

static void find_loop(const char *name, void *function)
{
	void *found;

	if (delegate(host, 1, "handwritten_voron", "Handwritten.Loop", name, &found) < 0)
		handwritten_fail("the runtime has no loop in C#");
	memcpy(function, &found, sizeof found);
}

static void find_runtime(void)
{
	/* ICLRRuntimeHost4, which coreclr_initialize returns, too */
	static const unsigned char interface[] = {0x66, 0xd3, 0xf6, 0x64, 0xc2, 0xd7,
						  0x1f, 0x4f, 0xb4, 0xb2, 0xe8, 0x16,
						  0x0c, 0xac, 0x43, 0xaf};
	void *runtime = dlopen("libcoreclr.so", RTLD_NOW | RTLD_NOLOAD), *symbol[2];
	hand_host *get;

	if (!runtime)
		handwritten_fail("the driver has started no runtime");
	symbol[0] = dlsym(runtime, "GetCLRRuntimeHost");
	symbol[1] = dlsym(runtime, "coreclr_create_delegate");
	memcpy(&get, &symbol[0], sizeof get);
	memcpy(&delegate, &symbol[1], sizeof delegate);
	if (!get || !delegate || get(interface, &host) < 0)
		handwritten_fail("its runtime has no host");
}

static void read_all(struct handwritten_work *w)
{
	void (*open)(const char *), (*close)(void);
	long (*read)(const char *, long, long);
	uint64_t start;

	find_runtime();
	find_loop("Open", &open);
	find_loop("Read", &read);
	find_loop("Close", &close);
	open(w->path);
	w->cpu_s = -resource_usage_thread_cpu();
	start = clock_ticks(w->clock);
	w->sum = (uint64_t)read(w->keys, (long)w->count, HANDWRITTEN_KEY_SIZE);
	w->loop_ticks = clock_ticks(w->clock) - start;
	w->cpu_s += resource_usage_thread_cpu();
	close();
}

const struct handwritten handwritten = {"voron", NULL, read_all};
