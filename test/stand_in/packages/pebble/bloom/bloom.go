// Package bloom has Pebble's filters.
package bloom

type FilterPolicy int
