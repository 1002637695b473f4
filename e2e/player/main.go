// The player stands in, end to end, for what shipshape is not: it plays the operator in a pod, and
// on the caller's machine it writes objects at a steady rate and counts what fails. Standard library only.
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) < 2 {
		fail("say what to play: operator, job, write")
	}
	switch os.Args[1] {
	case "operator":
		operate()
	case "job": // What a session's Job runs: it ends well, at once.
	case "write":
		write(os.Args[2:])
	default:
		fail("cannot play " + os.Args[1])
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
