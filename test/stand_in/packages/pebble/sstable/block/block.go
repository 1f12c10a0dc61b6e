// Package block has Pebble's compression.
package block

type CompressionProfile struct{ Name string }

var (
	NoCompression     = &CompressionProfile{"NoCompression"}
	SnappyCompression = &CompressionProfile{"Snappy"}
	ZstdCompression   = &CompressionProfile{"ZSTD"}
)
