#!/bin/sh
# Guess: mnesia:sync_transaction on a table with disc_copies returns once the commit is synced, as
# its manual says that it waits until data are committed and logged to disk.
#
# Truth: it syncs nothing. As after mnesia:transaction, the log stays in a buffer of the runtime,
# which writes it some time later, so kill -9 loses acknowledged commits, too. mnesia:sync_log()
# writes and syncs it.
#
# Version: mnesia 4.21.3 (Erlang/OTP 25.2.3, Debian 12), Linux 6.18, ext4
# Seen:
#   syncs of 200 times sync_transaction and the 3 seconds after them, of one sync_log: 0 1
#   left of 200 after kill -9: transaction 0, sync_transaction 0, then sync_log 200
set -eu
for tool in strace apt-get dpkg; do
    command -v "$tool" >/dev/null || { echo "mnesia-sync-transaction: needs $tool" >&2; exit 2; }
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
version=1:25.2.3+dfsg-1+deb12u4
apt-get download -q "erlang-base=$version" "erlang-mnesia=$version" >log 2>&1 ||
    { cat log >&2; exit 2; }
for package in *.deb; do
    dpkg -x "$package" .
done
# the runtime as its script erl would start it, were it installed
ROOTDIR=$dir/usr/lib/erlang
BINDIR=$(echo "$ROOTDIR"/erts-*/bin)
export ROOTDIR BINDIR EMU=beam PROGNAME=erl
erlang() {
    "$BINDIR/erlexec" -boot "$ROOTDIR/bin/start_clean" -noshell "$@"
}
cat >commits.erl <<'END'
-module(commits).
-export([put/1, left/0]).

put([How | Then]) ->
    ok = mnesia:create_schema([node()]),
    ok = mnesia:start(),
    {atomic, ok} = mnesia:create_table(record, [{disc_copies, [node()]}]),
    ok = mnesia:sync_log(),
    io:format(standard_error, "begin~n", []),
    [{atomic, ok} = mnesia:How(fun() -> mnesia:write({record, I, <<7:800>>}) end)
     || I <- lists:seq(1, 200)],
    Then =:= [wait, sync_log] andalso timer:sleep(3000),
    io:format(standard_error, "log~n", []),
    Then =:= [] orelse (ok = mnesia:sync_log()),
    io:format(standard_error, "end~n", []),
    os:cmd("kill -s KILL " ++ os:getpid()).

left() ->
    ok = mnesia:start(),
    ok = mnesia:wait_for_tables([record], 10000),
    io:format("~p", [mnesia:table_info(record, size)]),
    halt(0).
END
erlang -eval '{ok, _} = compile:file(commits), halt().'
strace -f -o calls -e trace=fsync,fdatasync,msync,sync_file_range,write,writev,openat \
    "$BINDIR/erlexec" -boot "$ROOTDIR/bin/start_clean" -noshell -mnesia dir '"traced"' \
    -s commits put sync_transaction wait sync_log 2>/dev/null || true
syncs=$(awk '/"begin\\n/ { part = 1 } /"log\\n/ { part = 2 }
    /"end\\n/ { part = 0 } /O_D?SYNC/ { opened = 1 }
    /(fsync|fdatasync|msync|sync_file_range)\(/ { n[part]++ }
    END { print n[1] + opened, n[2] + 0 }' calls)
killed() { # HOW...: of 200 commits
    rm -rf killed
    (erlang -mnesia dir '"killed"' -s commits put "$@" >/dev/null 2>&1) || true
    erlang -mnesia dir '"killed"' -s commits left
}
plain=$(killed transaction)
sync=$(killed sync_transaction)
log=$(killed sync_transaction sync_log)
echo "syncs of 200 times sync_transaction and the 3 seconds after them, of one sync_log: $syncs"
echo "left of 200 after kill -9: transaction $plain, sync_transaction $sync, then sync_log $log"
[ "$syncs" = '0 1' ] && [ "$plain" -lt 200 ] && [ "$sync" -lt 200 ] && [ "$log" -eq 200 ] && exit
echo "mnesia-sync-transaction: syncs $syncs, left $plain $sync $log" >&2
exit 1
