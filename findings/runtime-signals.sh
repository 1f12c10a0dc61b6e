#!/bin/sh
# Guess: a runtime that a library starts within a C program (Go's, a JVM, .NET) takes the signals of
# faults, such as SIGSEGV. SIGINT and SIGTERM, for which the program has handlers, stay with it.
#
# Truth: that holds of Go, and of a JVM with -Xrs. A JVM, and .NET, replace the program's handlers.
# A harness that stops its runs by SIGTERM, to clean up in its handler, is never asked: the process
# ends with status 143. Each replaces SIGPIPE's handler, too, and has 5 to 16 threads at once.
#
# Version: Go 1.26.8 (c-shared), OpenJDK 17.0.15, .NET Core 3.1.23 (PyPI dotnetcore2), Linux 6.18
# Seen:
#   go: BUS FPE SEGV PIPE URG, 5 threads; at SIGTERM the program is asked
#   jvm: HUP INT QUIT ILL BUS FPE SEGV USR2 PIPE TERM XFSZ, 16 threads; at SIGTERM status 143
#   jvm-Xrs: ILL BUS FPE SEGV USR2 PIPE XFSZ, 16 threads; at SIGTERM the program is asked
#   net: INT QUIT ILL TRAP BUS FPE SEGV PIPE TERM, 6 threads; at SIGTERM status 143
set -eu
for tool in cc go java python3; do
    command -v "$tool" >/dev/null || { echo "runtime-signals: needs $tool" >&2; exit 2; }
done
home=$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")
jvm=$home/lib/server/libjvm.so
[ -e "$jvm" ] || { echo "runtime-signals: no $jvm" >&2; exit 2; }
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
# host KIND LIBRARY: starts the runtime, says what it has taken, and sends itself SIGTERM
cat >host.c <<'END'
#include <dirent.h>
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* JavaVMOption and JavaVMInitArgs of JNI */
struct option { char *text; void *extra; };
struct arguments { int version, count; struct option *options; unsigned char lenient; };

static volatile sig_atomic_t asked;

static void on_signal(int number)
{
    asked = number;
}

static int threads(void)
{
    DIR *tasks = opendir("/proc/self/task");
    int n = -2;

    while (readdir(tasks))
        n++;
    closedir(tasks);
    return n;
}

static int start(const char *kind, const char *library)
{
    void *vm, *env, *loaded = dlopen(library, RTLD_NOW);
    unsigned domain;
    struct option quiet = {"-Xrs", NULL};
    struct arguments arguments = {0x00010008, !strcmp(kind, "jvm-Xrs"), &quiet, 0};
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

int main(int argc, char **argv)
{
    struct sigaction own = {.sa_handler = on_signal}, now;
    int before, i;

    sigaction(SIGINT, &own, NULL);
    sigaction(SIGTERM, &own, NULL);
    sigaction(SIGPIPE, &own, NULL);
    before = threads();
    if (argc != 3 || start(argv[1], argv[2])) {
        fprintf(stderr, "%s does not start\n", argv[1]);
        return 2;
    }
    printf("%s:", argv[1]);
    for (i = 1; i < 32; i++)
        if (i != SIGKILL && i != SIGSTOP && !sigaction(i, NULL, &now) &&
            now.sa_handler != on_signal && now.sa_handler != SIG_DFL)
            printf(" %s", sigabbrev_np(i));
    printf(", %d threads", threads() - before);
    fflush(stdout);
    kill(getpid(), SIGTERM);
    for (i = 0; i < 100 && !asked; i++)
        usleep(100000);
    fputs(asked ? "; at SIGTERM the program is asked\n" : "; nobody is asked\n", stdout);
    fflush(stdout);
    _exit(0);
}
END
cc -D_GNU_SOURCE -O1 -o host host.c -ldl
HOST=$dir/host ASSEMBLIES=$(find "$net" -name 'System*.dll' | paste -s -d :)
export HOST ASSEMBLIES DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1
one() { # KIND LIBRARY
    status=0
    ./host "$@" || status=$?
    case $status in
    0) ;;
    143) echo "; at SIGTERM status 143" ;;
    *) exit 2 ;;
    esac
}
{
    one go "$dir/go.so"
    one jvm "$jvm"
    one jvm-Xrs "$jvm"
    one net "$net/libcoreclr.so"
} >seen
cat seen
# whether each has taken SIGINT and SIGTERM, and how it ends
result=$(awk '{ print $1 (/ INT /) (/ TERM/), $NF }' seen | paste -s -d ' ')
expected='go:00 asked jvm:11 143 jvm-Xrs:00 asked net:11 143'
[ "$result" = "$expected" ] || { echo "runtime-signals: $result, not $expected" >&2; exit 1; }
