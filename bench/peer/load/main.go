// Command load posts one body again and again over TLS 1.3 and HTTP/1.1, on connections that stay
// open, and prints what it saw as one line of JSON: latencies in milliseconds.
//
//	load -url https://127.0.0.1:8443/validate -body review.json -requests 20000             closed loop
//	load -url https://127.0.0.1:8443/validate -body review.json -requests 3000 -rate 300    open loop
//
// In the open loop a latency counts from when the request was due, whether or not a connection was
// free then: a server that stalls is not spared the requests that had to wait.
package main

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

type plan struct {
	address  string
	message  []byte
	requests int
	rate     int
}

type result struct {
	Requests int     `json:"requests"`
	Failed   int64   `json:"failed"`
	Rate     float64 `json:"rate"`
	P50      float64 `json:"p50"`
	P99      float64 `json:"p99"`
	Worst    float64 `json:"worst"`
	Problem  string  `json:"problem"`
}

type run struct {
	plan
	start   time.Time
	next    atomic.Int64
	failed  atomic.Int64
	problem atomic.Value
	latency []time.Duration
}

func message(target *url.URL, body []byte) []byte {
	head := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n"+
		"Content-Length: %d\r\n\r\n", target.RequestURI(), target.Host, len(body))
	return append([]byte(head), body...)
}

// due waits until the request may be sent, and says from when its latency counts.
func (r *run) due(number int64) time.Time {
	if r.rate == 0 {
		return time.Now()
	}
	due := r.start.Add(time.Duration(number) * time.Second / time.Duration(r.rate))
	time.Sleep(time.Until(due))
	return due
}

func exchange(connection *tls.Conn, answers *bufio.Reader, message []byte) error {
	if _, err := connection.Write(message); err != nil {
		return err
	}
	answer, err := http.ReadResponse(answers, nil)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK || !bytes.Contains(body, []byte(`"allowed":true`)) {
		return fmt.Errorf("not allowed: %s %.300s", answer.Status, body)
	}
	return nil
}

func (r *run) fail(err error) {
	r.failed.Add(1)
	r.problem.CompareAndSwap(nil, err.Error())
}

// work posts on one connection until all requests are sent; a connection that breaks ends it.
func (r *run) work(connection *tls.Conn) {
	defer connection.Close()
	answers := bufio.NewReader(connection)
	for number := r.next.Add(1) - 1; number < int64(r.requests); number = r.next.Add(1) - 1 {
		began := r.due(number)
		err := exchange(connection, answers, r.message)
		r.latency[number] = time.Since(began)
		if err != nil {
			r.fail(err)
			return
		}
	}
}

func connect(address string, count int) []*tls.Conn {
	connections := make([]*tls.Conn, count)
	for i := range connections {
		// The servers' certificates are made for the run, and nothing but their speed is asked.
		connection, err := tls.Dial("tcp", address, &tls.Config{InsecureSkipVerify: true})
		if err != nil {
			log.Fatal("could not connect: ", err)
		}
		connections[i] = connection
	}
	return connections
}

func (r *run) result(elapsed time.Duration) result {
	slices.Sort(r.latency)
	at := func(share float64) float64 {
		return float64(r.latency[int(share*float64(len(r.latency)-1))]) / float64(time.Millisecond)
	}
	problem, _ := r.problem.Load().(string)
	failed := r.failed.Load() + max(0, int64(r.requests)-min(r.next.Load(), int64(r.requests)))
	return result{r.requests, failed, float64(r.requests) / elapsed.Seconds(), at(.5), at(.99), at(1), problem}
}

func main() {
	log.SetFlags(0)
	address := flag.String("url", "", "where to post")
	bodyFile := flag.String("body", "", "file with the body")
	connections := flag.Int("connections", 8, "connections at once")
	requests := flag.Int("requests", 20000, "requests in all")
	rate := flag.Int("rate", 0, "requests a second; 0: as fast as answers come")
	flag.Parse()
	target, err := url.Parse(*address)
	if err != nil {
		log.Fatal(err)
	}
	body, err := os.ReadFile(*bodyFile)
	if err != nil {
		log.Fatal(err)
	}
	open := connect(target.Host, *connections)
	r := &run{
		plan:    plan{target.Host, message(target, body), *requests, *rate},
		start:   time.Now(),
		latency: make([]time.Duration, *requests),
	}
	var workers sync.WaitGroup
	for _, connection := range open {
		workers.Go(func() { r.work(connection) })
	}
	workers.Wait()
	if err := json.NewEncoder(os.Stdout).Encode(r.result(time.Since(r.start))); err != nil {
		log.Fatal(err)
	}
}
