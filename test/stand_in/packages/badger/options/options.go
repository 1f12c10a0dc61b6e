// Package options has constants of Badger's.
package options

type CompressionType uint32

const (
	None CompressionType = iota
	Snappy
	ZSTD
)
