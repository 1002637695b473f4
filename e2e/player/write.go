package main

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"
)

// config has the needed fields of `kubectl config view --raw --minify --flatten -o json`.
type config struct {
	Clusters []struct {
		Cluster struct {
			Server    string `json:"server"`
			Authority string `json:"certificate-authority-data"`
		} `json:"cluster"`
	} `json:"clusters"`
	Users []struct {
		User struct {
			Token       string `json:"token"`
			Certificate string `json:"client-certificate-data"`
			Key         string `json:"client-key-data"`
		} `json:"user"`
	} `json:"users"`
}

type result struct {
	Writes   int      `json:"writes"`
	Missed   int      `json:"missed"`
	Failed   int      `json:"failed"`
	Failures []string `json:"failures"`
	Median   float64  `json:"medianSeconds"`
	Slowest  float64  `json:"slowestSeconds"`
	seconds  []float64
	sync.Mutex
}

// write merge-patches objects at a steady rate. It prints the number of writes, the failures, and the
// number of writes that were missed because all objects had a write in progress: an object never has two
// concurrent writes, because the API server would call the webhook again for each conflict. Each write
// changes the object.
func write(arguments []string) {
	flags := flag.NewFlagSet("write", flag.ExitOnError)
	file := flags.String("config", "", "file with the kubeconfig as JSON")
	path := flags.String("path", "", "the objects' path up to their number")
	objects := flags.Int("objects", 25, "how many there are")
	rate := flags.Int("rate", 100, "writes a second")
	duration := flags.Duration("for", 10*time.Second, "how long; or until standard input ends, where earlier")
	check(flags.Parse(arguments), "reading the flags")

	client, server, token := connect(*file)
	var results result
	var open sync.WaitGroup
	ended := make(chan bool)
	go func() { io.Copy(io.Discard, os.Stdin); close(ended) }()
	tick := time.NewTicker(time.Second / time.Duration(*rate))
	end := time.After(*duration)
	free := make(chan int, *objects)
	for object := range *objects {
		free <- object
	}
	for n := 0; ; n++ {
		select {
		case <-end:
		case <-ended:
		case <-tick.C:
			select {
			case object := <-free:
				open.Add(1)
				go func() {
					defer open.Done()
					began := time.Now()
					failure := patch(client, fmt.Sprintf("%s%s%d", server, *path, object), token, n)
					results.add(failure, time.Since(began).Seconds())
					free <- object
				}()
			default:
				results.Missed++
			}
			continue
		}
		break
	}
	open.Wait()
	results.sum()
	check(json.NewEncoder(os.Stdout).Encode(&results), "printing the result")
}

func (r *result) add(failure string, seconds float64) {
	r.Lock()
	defer r.Unlock()
	r.Writes++
	r.seconds = append(r.seconds, seconds)
	if failure != "" {
		r.Failed++
		if len(r.Failures) < 5 {
			r.Failures = append(r.Failures, failure)
		}
	}
}

func (r *result) sum() {
	if slices.Sort(r.seconds); len(r.seconds) > 0 {
		r.Median, r.Slowest = r.seconds[len(r.seconds)/2], r.seconds[len(r.seconds)-1]
	}
}

func patch(client *http.Client, address, token string, n int) string {
	body := fmt.Sprintf(`{"spec":{"layer2":[{"id":%d,"vni":%d,"mtu":%d}]}}`, 100+n%10, 1000+n%10, 1000+n%8000)
	request, err := http.NewRequest(http.MethodPatch, address, bytes.NewBufferString(body))
	check(err, "PATCH "+address)
	request.Header.Set("Content-Type", "application/merge-patch+json")
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	answer, err := client.Do(request)
	if err != nil {
		return err.Error()
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	if answer.StatusCode != http.StatusOK {
		return fmt.Sprintf("%d %s", answer.StatusCode, text)
	}
	return ""
}

func connect(file string) (*http.Client, string, string) {
	text, err := os.ReadFile(file)
	check(err, "reading the kubeconfig")
	var read config
	check(json.Unmarshal(text, &read), "reading the kubeconfig")
	user := read.Users[0].User
	trusted := x509.NewCertPool()
	trusted.AppendCertsFromPEM(decode(read.Clusters[0].Cluster.Authority))
	settings := &tls.Config{RootCAs: trusted}
	if user.Certificate != "" {
		pair, err := tls.X509KeyPair(decode(user.Certificate), decode(user.Key))
		check(err, "reading the client certificate")
		settings.Certificates = []tls.Certificate{pair}
	}
	transport := &http.Transport{TLSClientConfig: settings, MaxIdleConnsPerHost: 50}
	return &http.Client{Transport: transport, Timeout: 30 * time.Second}, read.Clusters[0].Cluster.Server, user.Token
}

func decode(text string) []byte {
	data, err := base64.StdEncoding.DecodeString(text)
	check(err, "decoding the kubeconfig")
	return data
}
