module assay/bbolt

go 1.24.0

require (
	assay/contract v0.0.0
	go.etcd.io/bbolt v1.3.12
)

require golang.org/x/sys v0.4.0 // indirect

replace assay/contract => ../shared
