// The player replaces the programs around shipshape in the end-to-end run: it plays the operator in a
// pod; on the caller's machine it writes objects at a steady rate and counts failures; in other pods it
// connects and listens, to test network policies. Standard library only.
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) < 2 {
		fail("name a role: operator, job, write, dial, listen")
	}
	switch os.Args[1] {
	case "operator":
		operate()
	case "job": // The program of a session's Job: exits with 0 at once.
	case "write":
		write(os.Args[2:])
	case "dial":
		dial(os.Args[2])
	case "listen":
		listen(os.Args[2])
	default:
		fail("unknown role " + os.Args[1])
	}
}

func fail(problem string) {
	fmt.Fprintln(os.Stderr, "player: "+problem)
	os.Exit(1)
}

func check(err error, attempted string) {
	if err != nil {
		fail(attempted + ": " + err.Error())
	}
}
