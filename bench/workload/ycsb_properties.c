/* ycsb_properties.c: see ycsb_properties.h. */
#include "ycsb_properties.h"

#include <stdbool.h>
#include <string.h>

#define MIX "the operations' weights, thousandths at the finest"
#define FIELDS "--value_size=COUNT*LENGTHS: all fields are one value"
#define ONE_RANGE "one key range is measured"
#define BINDING "of another binding"
#define JVM "there is no JVM"
#define LOADED "the load is one program's: all records from 0 on; use --threads"

static const struct ycsb_property properties[] = {
	{"basicdb.*", "", YCSB_ANY, .said = BINDING},
	{"columnfamily", "", YCSB_ANY, .said = ONE_RANGE},
	{"core_workload_insertion_keep_going_on_error", "false", YCSB_TAKEN,
	 .values = "false", .said = "an insert that fails ends the run; leave it out"},
	{"core_workload_insertion_retry_interval", "3", YCSB_ANY,
	 .said = "an insert that fails ends the run"},
	{"core_workload_insertion_retry_limit", "0", YCSB_TAKEN, .values = "0",
	 .said = "an insert that fails ends the run; leave it out"},
	{"dataintegrity", "false", YCSB_OURS, .to = "verify", .values = "true:1 *:"},
	{"db", "site.ycsb.BasicDB", YCSB_ANY, .said = "the engine is the program's"},
	{"discardscannedrecord", "false", YCSB_ANY, .said = BINDING},
	{"dotransactions", "true", YCSB_DONE, .said = "false: the load; true: the run"},
	{"exporter", "site.ycsb.measurements.exporter.TextMeasurementsExporter",
	 YCSB_TAKEN,
	 .values = "site.ycsb.measurements.exporter.TextMeasurementsExporter "
		   "com.yahoo.ycsb.measurements.exporter.TextMeasurementsExporter",
	 .said = "the form is text; leave it out, and give --json=FILE"},
	{"exportfile", "", YCSB_DONE, .said = "the file that the result is written to"},
	{"exponential.frac", "0.8571428571", YCSB_TAKEN, .values = "0.8571428571",
	 .said = "--distribution=exponential has YCSB's default; leave it out"},
	{"exponential.percentile", "95", YCSB_TAKEN, .values = "95",
	 .said = "--distribution=exponential has YCSB's default; leave it out"},
	{"fieldcount", "10", YCSB_DONE, .said = FIELDS},
	{"fieldlength", "100", YCSB_DONE, .said = FIELDS},
	{"fieldlengthdistribution", "constant", YCSB_DONE,
	 .said = FIELDS ", as in 10*100, 10*1-100, 10*zipf:1-100, 10*hist:FILE"},
	{"fieldlengthhistogram", "hist.txt", YCSB_DONE, .said = FIELDS},
	{"fieldnameprefix", "field", YCSB_ANY, .said = "fields have no names"},
	{"hdrhistogram.fileoutput", "false", YCSB_TAKEN, .values = "false",
	 .said = "leave it out, and give --hdr_log=FILE"},
	{"hdrhistogram.output.path", "", YCSB_ANY, .said = "see hdrhistogram.fileoutput"},
	{"hdrhistogram.percentiles", "50,95,99", YCSB_DONE,
	 .said = "the percentiles that are printed"},
	{"histogram.buckets", "1000", YCSB_ANY,
	 .said = "buckets are at most 1/128 of their value wide"},
	{"hotspotdatafraction", "0.2", YCSB_OURS, .to = "hotspot_keys"},
	{"hotspotopnfraction", "0.8", YCSB_OURS, .to = "hotspot_share"},
	{"htrace.*", "", YCSB_TAKEN, .values = "",
	 .said = "operations are not traced so; leave it out, and see --help=options"},
	{"insertcount", "", YCSB_DONE, .said = LOADED},
	{"insertorder", "hashed", YCSB_DONE,
	 .said = "--key_format=user, or decimal if ordered"},
	{"insertproportion", "0", YCSB_DONE, .said = MIX},
	{"insertstart", "0", YCSB_DONE, .said = LOADED},
	{"label", "", YCSB_OURS, .to = "label", .values = "*:%"},
	{"latencytrackederrors", "", YCSB_ANY, .said = "an error ends the run"},
	{"maxexecutiontime", "0", YCSB_OURS, .to = "duration", .values = "0: *:%",
	 .said = "or operationcount, whichever ends first; a load ignores it"},
	{"maxscanlength", "1000", YCSB_DONE, .said = "--scan_length"},
	{"maxscanrate", "0", YCSB_ANY, .said = BINDING},
	{"measurement.histogram.verbose", "false", YCSB_TAKEN, .values = "false",
	 .said = "leave it out, and give --hdr=FILE"},
	{"measurement.interval", "op", YCSB_DONE,
	 .said = "op: service times; intended: response times; both"},
	{"measurement.raw.*", "", YCSB_ANY, .said = "see measurementtype"},
	{"measurement.trackjvm", "false", YCSB_ANY, .said = JVM},
	{"measurementtype", "hdrhistogram", YCSB_DONE,
	 .said = "hdrhistogram; histogram adds the variance"},
	{"minfieldlength", "1", YCSB_DONE, .said = FIELDS},
	{"minscanlength", "1", YCSB_DONE, .said = "--scan_length"},
	{"operationcount", "0", YCSB_DONE, .said = "divided among the threads"},
	{"readallfields", "true", YCSB_DONE,
	 .said = "true; a record is one value and is read whole"},
	{"readallfieldsbyname", "false", YCSB_ANY, .said = "fields have no names"},
	{"readmodifywriteproportion", "0", YCSB_DONE, .said = MIX},
	{"readproportion", "0.95", YCSB_DONE, .said = MIX},
	{"recordcount", "", YCSB_DONE, .said = "--num"},
	{"reportlatencyforeacherror", "false", YCSB_ANY, .said = "an error ends the run"},
	{"requestdistribution", "uniform", YCSB_DONE,
	 .said = "the same keys; its zipfian is scrambled_zipfian"},
	{"rocksdb.dir", "", YCSB_OURS, .to = "db", .values = "*:%"},
	{"rocksdb.optionsfile", "", YCSB_TAKEN, .values = "",
	 .said = "give its lines to --rocksdb_options of bench_rocksdb"},
	{"scanlengthdistribution", "uniform", YCSB_DONE,
	 .said = "--scan_length=1-1000, or zipf:1-1000"},
	{"scanoptimelimit", "0", YCSB_ANY, .said = BINDING},
	{"scanproportion", "0", YCSB_DONE, .said = MIX},
	{"spin.sleep", "false", YCSB_ANY, .said = "--rate keeps its schedule"},
	{"status", "false", YCSB_DONE, .said = "--stats_interval_seconds"},
	{"status.interval", "10", YCSB_DONE, .said = "--stats_interval_seconds"},
	{"table", "usertable", YCSB_ANY, .said = ONE_RANGE},
	{"target", "0", YCSB_OURS, .to = "rate", .values = "0: *:%"},
	{"threadcount", "1", YCSB_DONE, .said = "--threads"},
	{"timeseries.granularity", "1000", YCSB_ANY, .said = "see measurementtype"},
	{"updateproportion", "0.05", YCSB_DONE, .said = MIX},
	{"workload", "site.ycsb.workloads.CoreWorkload", YCSB_TAKEN,
	 .values = "site.ycsb.workloads.CoreWorkload "
		   "com.yahoo.ycsb.workloads.CoreWorkload",
	 .said = "only CoreWorkload is here"},
	{"writeallfields", "false", YCSB_DONE,
	 .said = "true: an update writes the whole value; with false it is said"},
	{"zeropadding", "1", YCSB_DONE, .said = "--key_size"},
	{"zipfianconstant", "", YCSB_TAKEN, .values = "",
	 .said = "CoreWorkload has no such property; leave it out, and give --theta"},
	{0},
};

const struct ycsb_property *ycsb_properties_at(size_t i)
{
	return i + 1 < sizeof properties / sizeof *properties ? &properties[i] : NULL;
}

const struct ycsb_property *ycsb_properties_find(const char *name)
{
	const struct ycsb_property *p;

	for (size_t i = 0; (p = ycsb_properties_at(i)); i++) {
		size_t length = strlen(p->name);
		bool begins = p->name[length - 1] == '*';

		if (begins ? !strncmp(p->name, name, length - 1) : !strcmp(p->name, name))
			return p;
	}
	return NULL;
}

void ycsb_properties_print(FILE *to)
{
	const struct ycsb_property *p;

	for (size_t i = 0; (p = ycsb_properties_at(i)); i++) {
		fprintf(to, "%s\t%s\t", p->name, p->value);
		if (p->way == YCSB_OURS)
			fprintf(to, "--%s%s%s", p->to, p->said ? ", " : "",
				p->said ? p->said : "");
		else
			fprintf(to, "%s%s",
				p->way == YCSB_ANY     ? "no effect: "
				: p->way != YCSB_TAKEN ? ""
				: *p->value            ? "its default only: "
						       : "refused: ",
				p->said);
		fputc('\n', to);
	}
}
