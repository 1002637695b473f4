// Command webhook does shipshape's least job as a Go programmer would with the standard library: it
// refuses configurations whose hash is known, over HTTPS. The bench measures against it where no
// other peer is at hand.
package main

import (
	"crypto/sha256"
	"crypto/tls"
	"encoding/json"
	"flag"
	"io"
	"log"
	"net/http"
	"strconv"
)

const mostBytes = 7 << 20

type review struct {
	APIVersion string    `json:"apiVersion"`
	Kind       string    `json:"kind"`
	Request    *request  `json:"request,omitempty"`
	Response   *response `json:"response,omitempty"`
}

type request struct {
	UID       string          `json:"uid"`
	Operation string          `json:"operation"`
	Object    json.RawMessage `json:"object"`
	OldObject json.RawMessage `json:"oldObject"`
}

type response struct {
	UID     string  `json:"uid"`
	Allowed bool    `json:"allowed"`
	Status  *status `json:"status,omitempty"`
}

type status struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

type identity [sha256.Size]byte

// identify hashes the spec; encoding/json writes the members of a map in order.
func identify(object json.RawMessage) (identity, error) {
	var parsed struct {
		Spec any `json:"spec"`
	}
	if err := json.Unmarshal(object, &parsed); err != nil {
		return identity{}, err
	}
	canonical, err := json.Marshal(parsed.Spec)
	if err != nil {
		return identity{}, err
	}
	return sha256.Sum256(canonical), nil
}

func decide(invalid map[identity]bool, asked *request) *response {
	answer := &response{UID: asked.UID, Allowed: true}
	hash, err := identify(asked.Object)
	switch {
	case err != nil:
		answer.Allowed, answer.Status = false, &status{http.StatusBadRequest, err.Error()}
	case invalid[hash]:
		answer.Allowed, answer.Status = false, &status{http.StatusForbidden, "known to be invalid"}
	}
	return answer
}

func validate(invalid map[identity]bool) http.HandlerFunc {
	return func(writer http.ResponseWriter, call *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(writer, call.Body, mostBytes))
		if err != nil {
			http.Error(writer, err.Error(), http.StatusRequestEntityTooLarge)
			return
		}
		var asked review
		if err := json.Unmarshal(body, &asked); err != nil || asked.Request == nil {
			http.Error(writer, "not an AdmissionReview", http.StatusBadRequest)
			return
		}
		writer.Header().Set("Content-Type", "application/json")
		answer := review{asked.APIVersion, asked.Kind, nil, decide(invalid, asked.Request)}
		if err := json.NewEncoder(writer).Encode(answer); err != nil {
			log.Print("could not answer: ", err)
		}
	}
}

func main() {
	port := flag.Int("port", 19443, "where to listen")
	certificates := flag.String("certs", ".", "folder with tls.crt and tls.key")
	flag.Parse()
	invalid := map[identity]bool{}
	for count := range 1000 {
		invalid[sha256.Sum256([]byte(strconv.Itoa(count)))] = true
	}
	routes := http.NewServeMux()
	routes.Handle("POST /validate", validate(invalid))
	server := http.Server{
		Addr:         "127.0.0.1:" + strconv.Itoa(*port),
		Handler:      routes,
		TLSConfig:    &tls.Config{MinVersion: tls.VersionTLS13, NextProtos: []string{"http/1.1"}},
		TLSNextProto: map[string]func(*http.Server, *tls.Conn, http.Handler){},
	}
	log.Fatal(server.ListenAndServeTLS(*certificates+"/tls.crt", *certificates+"/tls.key"))
}
