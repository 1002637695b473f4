// The player stands in, end to end, for what shipshape is not: it plays the operator in a pod; on the
// caller's machine it writes objects at a steady rate and counts what fails; in other pods it calls and
// listens, to see what network policies let through. Standard library only.
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) < 2 {
		fail("say what to play: operator, job, write, dial, listen")
	}
	switch os.Args[1] {
	case "operator":
		operate()
	case "job": // What a session's Job runs: it ends well, at once.
	case "write":
		write(os.Args[2:])
	case "dial":
		dial(os.Args[2])
	case "listen":
		listen(os.Args[2])
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
