#!/bin/sh
# Guess: threads that a runtime starts in a C program inherit the signal mask of the thread that
# loads it. So a program that first blocks SIGCHLD, and takes it from a signalfd, gets all of them.
#
# Truth: that holds of .NET. Go's threads unblock 9 signals, SIGCHLD and SIGPROF among them. One of
# them takes SIGCHLD and drops it: the signalfd never sees it. A JVM's threads unblock what the JVM
# has a handler for, SIGINT and SIGTERM, too.
#
# Version: Go 1.26.8 (c-shared), OpenJDK 17.0.15, .NET Core 3.1.23 (PyPI dotnetcore2), Linux 6.18
# Seen: signals that some thread of the runtime does not block, and what the signalfd gets
#   go: ILL TRAP BUS FPE SEGV STKFLT CHLD URG PROF; SIGCHLD of 10 children: 0
#   jvm: HUP INT QUIT ILL BUS FPE SEGV USR2 TERM; SIGCHLD of 10 children: 10
#   net:; SIGCHLD of 10 children: 10
set -eu
for tool in cc go java python3; do
    command -v "$tool" >/dev/null || { echo "runtime-masks: needs $tool" >&2; exit 2; }
done
home=$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")
jvm=$home/lib/server/libjvm.so
[ -e "$jvm" ] || { echo "runtime-masks: no $jvm" >&2; exit 2; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
python3 -m pip install -q --disable-pip-version-check --no-deps --target net \
    dotnetcore2==3.1.23 >log 2>&1 || { cat log >&2; exit 2; }
net=$(dirname "$(find "$dir/net" -name libcoreclr.so)")
cat >lib.go <<'END'
package main

import "C"

//export start
func start() {}

func main() {}
END
GO111MODULE=off go build -buildmode=c-shared -o go.so lib.go
# host KIND LIBRARY: blocks all signals, starts the runtime, and waits for children
cat >host.c <<'END'
#include <dirent.h>
#include <dlfcn.h>
#include <signal.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

/* JavaVMOption and JavaVMInitArgs of JNI */
struct option { char *text; void *extra; };
struct arguments { int version, count; struct option *options; unsigned char lenient; };

static int start(const char *kind, const char *library)
{
    void *vm, *env, *loaded = dlopen(library, RTLD_NOW);
    unsigned domain;
    struct arguments arguments = {0x00010008, 0, NULL, 0};
    const char *name = "TRUSTED_PLATFORM_ASSEMBLIES", *files = getenv("ASSEMBLIES");
    union {
        void *symbol;
        void (*go)(void);
        int (*jvm)(void **, void **, void *);
        int (*net)(const char *, const char *, int, const char **, const char **, void **,
                   unsigned *);
    } call;

    if (!loaded)
        return -1;
    if (*kind == 'g') {
        call.symbol = dlsym(loaded, "start");
        call.go();
        return 0;
    }
    if (*kind == 'j') {
        call.symbol = dlsym(loaded, "JNI_CreateJavaVM");
        return call.jvm(&vm, &env, &arguments);
    }
    call.symbol = dlsym(loaded, "coreclr_initialize");
    return call.net(getenv("HOST"), "host", 1, &name, &files, &vm, &domain);
}

/* signals that some other thread does not block */
static void print_unblocked(void)
{
    DIR *tasks = opendir("/proc/self/task");
    unsigned long open = 0, blocked;
    struct dirent *task;
    char path[300], line[256];

    while ((task = readdir(tasks))) {
        FILE *status;

        if (*task->d_name == '.' || atoi(task->d_name) == getpid())
            continue;
        snprintf(path, sizeof path, "/proc/self/task/%s/status", task->d_name);
        if (!(status = fopen(path, "r")))
            continue;
        while (fgets(line, sizeof line, status))
            if (sscanf(line, "SigBlk: %lx", &blocked) == 1)
                open |= ~blocked;
        fclose(status);
    }
    closedir(tasks);
    for (int i = 1; i < 32; i++)
        if (i != SIGKILL && i != SIGSTOP && open >> (i - 1) & 1)
            printf(" %s", sigabbrev_np(i));
}

int main(int argc, char **argv)
{
    struct pollfd from = {.events = POLLIN};
    struct signalfd_siginfo info;
    int seen = 0;
    sigset_t set;

    sigfillset(&set);
    sigprocmask(SIG_SETMASK, &set, NULL);
    if (argc != 3 || start(argv[1], argv[2])) {
        fprintf(stderr, "%s does not start\n", argv[1]);
        return 2;
    }
    printf("%s:", argv[1]);
    print_unblocked();
    fflush(stdout);
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    from.fd = signalfd(-1, &set, 0);
    for (int i = 0; i < 10; i++) {
        pid_t child = fork();

        if (!child)
            _exit(0);
        if (poll(&from, 1, 500) == 1 && read(from.fd, &info, sizeof info) > 0)
            seen++;
        waitpid(child, NULL, 0);
    }
    printf("; SIGCHLD of 10 children: %d\n", seen);
    fflush(stdout);
    _exit(0);
}
END
cc -D_GNU_SOURCE -O1 -o host host.c -ldl
HOST=$dir/host ASSEMBLIES=$(find "$net" -name 'System*.dll' | paste -s -d :)
export HOST ASSEMBLIES DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1
{
    ./host go "$dir/go.so"
    ./host jvm "$jvm"
    ./host net "$net/libcoreclr.so"
} >seen
cat seen
# whether SIGTERM and SIGPROF are unblocked, and how many SIGCHLD came
result=$(awk '{ sub(/;/, "", $1); print $1 (/ TERM/) (/ PROF/), $NF }' seen | paste -s -d ' ')
expected='go:01 0 jvm:10 10 net:00 10'
[ "$result" = "$expected" ] || { echo "runtime-masks: $result, not $expected" >&2; exit 1; }
