module shipshape.dev/bench/peer

go 1.26
