package main

import (
	"fmt"
	"io"
	"net"
	"time"
)

// dial fails unless a TCP connection is established within two seconds, which is long on one node.
func dial(address string) {
	connection, err := net.DialTimeout("tcp", address, 2*time.Second)
	check(err, "dialling "+address)
	connection.Close()
	fmt.Println("reached " + address)
}

// listen accepts connections forever, and sends nothing.
func listen(address string) {
	listener, err := net.Listen("tcp", address)
	check(err, "listening at "+address)
	for {
		connection, err := listener.Accept()
		check(err, "accepting")
		go func() {
			io.Copy(io.Discard, connection)
			connection.Close()
		}()
	}
}
