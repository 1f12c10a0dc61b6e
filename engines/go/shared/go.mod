module assay/contract

go 1.24
