//go:build !assay_overlay

package contract

// Without the overlay no sync is seen, and the columns are empty.
const countsSyncs = false
