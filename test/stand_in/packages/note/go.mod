module note

go 1.24
