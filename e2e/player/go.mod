module shipshape.dev/e2e/player

go 1.26
