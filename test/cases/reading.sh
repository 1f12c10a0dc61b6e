# reading.sh: functions of the readers of rows; each file of test/reading is a test here.
# shellcheck shell=sh disable=SC2154,SC2317 # sourced by test.sh, which has the variables

for python in python3 /usr/bin/python3
do
	! "$python" -c 'import jinja2, pytest' 2>/dev/null || break
done
functions () {
	(cd "$top/scripts" && "$python" -m pytest -q -p no:cacheprovider "../test/reading${1:+/test_$1.py}")
}
# All files in one process, as its start is most of its time; each by itself where one fails, or some are chosen.
all_hold=
[ -n "${ONLY-}" ] || ! functions '' >"$work/all" 2>&1 || all_hold=1
for file in "$top"/test/reading/test_*.py
do
	module=$(basename "$file" .py)
	ok "the functions of scripts/reading/${module#test_}.py" ${all_hold:+true} functions "${module#test_}"
done
