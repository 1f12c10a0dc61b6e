# fills.sh: what a workload reads, for test/rows.sh and test/same.sh, which run each of them.
# shellcheck shell=sh disable=SC2034 # the variables are for who sources this

# fill_for WORKLOAD: $fill, the workload that makes its database, or nothing if it does that itself;
# $more, an option that it needs; and $workload, as it is to be run
fill_for () {
	workload=$1 fill=fillseqbatch more=''
	case $workload in
	l.i0) fill='' ;;
	l.*) fill=l.i0,l.x more=--writes=1000 ;;
	smallbank) fill=smallbank-load ;;
	fill* | *-load | *-fill* | ucsb-0 | bangdb-write | queue) fill='' ;;
	ycsb-*) fill=ycsb-load ;;
	ucsb-*) fill=ucsb-0 ;;
	bangdb-read) fill=bangdb-write ;;
	bangdb-mix) fill=bangdb-fill workload=bangdb-mix@1 ;;
	voron-*) fill=voron-fill-none ;;
	esac
}
