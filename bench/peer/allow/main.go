// Command allow answers every review with "allowed" and looks at nothing but its uid. What the API
// server says about it is the least that any webhook can take on the same machine.
package main

import (
	"bytes"
	"crypto/tls"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"strconv"
)

const answer = `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":"%s","allowed":true}}`

// uid finds the first uid, which the API server sends before the object.
func uid(body []byte) []byte {
	_, behind, _ := bytes.Cut(body, []byte(`"uid":"`))
	found, _, _ := bytes.Cut(behind, []byte(`"`))
	return found
}

func allow(writer http.ResponseWriter, call *http.Request) {
	body, err := io.ReadAll(call.Body)
	if err != nil {
		http.Error(writer, err.Error(), http.StatusBadRequest)
		return
	}
	writer.Header().Set("Content-Type", "application/json")
	if _, err := fmt.Fprintf(writer, answer, uid(body)); err != nil {
		log.Print("could not answer: ", err)
	}
}

func main() {
	port := flag.Int("port", 19443, "where to listen")
	certificates := flag.String("certs", ".", "folder with tls.crt and tls.key")
	flag.Parse()
	server := http.Server{
		Addr:         "127.0.0.1:" + strconv.Itoa(*port),
		Handler:      http.HandlerFunc(allow),
		TLSConfig:    &tls.Config{MinVersion: tls.VersionTLS13, NextProtos: []string{"http/1.1"}},
		TLSNextProto: map[string]func(*http.Server, *tls.Conn, http.Handler){},
	}
	log.Fatal(server.ListenAndServeTLS(*certificates+"/tls.crt", *certificates+"/tls.key"))
}
