// Package note is for packages that stand in for engines (stand_in.h): each call of theirs
// prints a line, and succeeds, or fails with the error that --fail has for it.
package note

/*
#include <stdlib.h>
*/
import "C"

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// The record that every read finds.
var (
	Key   = []byte("0000000000000001")
	Value = []byte("the value that is always found")
)

// Errors are an engine's own, by their numbers; others are the system's.
var Errors = map[int]error{}

// NAME:RESULT[:NTH]. Go has the environment of the program's beginning.
var failing = strings.Split(C.GoString(C.getenv(C.CString("STAND_IN_FAIL"))), ":")

// From here on the system's error is inside one of several lines that is too long.
const inside = 10000

var calls int

// Line prints one.
func Line(format string, arguments ...any) {
	os.Stdout.WriteString(strings.TrimRight("\t\t"+fmt.Sprintf(format, arguments...), " ") + "\n")
}

// Call is one by this name.
func Call(name, format string, arguments ...any) error {
	Line(name+" "+format, arguments...)
	if failing[0] != name {
		return nil
	}
	calls++
	if len(failing) > 2 && failing[2] != strconv.Itoa(calls) {
		return nil
	}
	number, _ := strconv.Atoi(failing[1])
	Line("fails: %d", number)
	if err := Errors[number]; err != nil {
		return err
	}
	if number >= inside {
		return fmt.Errorf("%s failed\nby %w%s", name, syscall.Errno(number-inside), strings.Repeat(" and so on", 30))
	}
	return syscall.Errno(number)
}

// Text is a key, or how long a value is.
func Text(bytes []byte) string {
	if len(bytes) == 16 {
		return string(bytes)
	}
	return fmt.Sprintf("%d bytes", len(bytes))
}
